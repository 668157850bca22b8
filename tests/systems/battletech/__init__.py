"""Tests of BattleTech's charging attacks."""
