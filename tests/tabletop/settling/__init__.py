"""Tests of `tabletop.settling`."""
