"""Tests of the places of loose models."""
