"""Rank and file: which fronts reach which facings, and where along them they fit best; imports only `table`,
`geometry`, `optimise`.
"""
