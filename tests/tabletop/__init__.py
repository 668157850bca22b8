"""Tests of the engine, a file for each of its modules."""
