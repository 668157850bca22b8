"""Tests of Warhammer 40,000's charges."""
