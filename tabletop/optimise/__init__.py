"""What placements are solved with, whatever stands where: intervals, windows of one variable, assignment."""
