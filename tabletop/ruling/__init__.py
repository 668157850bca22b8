"""What games return and people read, as values: charges, findings, evidence, verdicts, odds.

How they are shown is decided elsewhere.
"""
