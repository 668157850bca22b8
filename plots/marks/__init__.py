"""Content of figures as plain data (marks), with coordinates in inches on the table, and the texts of figures.

These modules may import the data classes of the engine, but neither Matplotlib nor the layout.
"""
