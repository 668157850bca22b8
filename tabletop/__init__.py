"""Settle charges in tabletop wargames by geometry."""
