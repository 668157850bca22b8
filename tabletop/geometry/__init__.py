"""Plane geometry of bodies: poses, shapes, signed gaps, offset curves and motions.

It knows nothing of tables or games.
"""
