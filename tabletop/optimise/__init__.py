"""Optimisation tools that know nothing of tables: intervals, one-variable searches, linear assignment, selections,
SciPy solver.
"""
