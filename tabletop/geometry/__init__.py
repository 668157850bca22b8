"""Bodies and what is between them: poses, shapes, signed gaps, offset curves, motions; nothing here knows of a table."""
