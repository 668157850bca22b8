"""Plans of a charge move held against limits that are measured a second time, with circles and plain Shapely."""
