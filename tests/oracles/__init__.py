"""Brute-force searches and independent checkers that share no code with the engine's solvers."""
