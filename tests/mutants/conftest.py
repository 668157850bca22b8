"""What plants faults needs more than the tests of the program do, and is no module to be searched for examples."""

collect_ignore = ["faults.py", "planting.py", "reached.py", "trying.py"]
