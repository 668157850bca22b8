"""Tests of what games of others are made of."""
