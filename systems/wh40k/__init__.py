"""Warhammer 40,000, 10th edition: charges of units of loose models."""
