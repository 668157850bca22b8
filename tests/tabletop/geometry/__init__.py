"""Tests of bodies and what is between them."""
