"""Tests of Conquest: The Last Argument of Kings."""
