"""The Ninth Age: Fantasy Battles, 3rd edition: charge moves."""

from systems.t9a.system import SYSTEM

__all__ = ["SYSTEM"]
