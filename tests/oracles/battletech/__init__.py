"""A second, plain implementation of charges between hexes: own arithmetic of hexes, ways counted one by one, faces
thrown.
"""
