"""Deliberate faults in the program, and whether the tests notice them: `make mutants`."""
