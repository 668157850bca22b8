"""A second, slow implementation of the rules page of Conquest: dense samples, plain Shapely, nothing of the solver."""
