"""What games return and people read, as plain values: charges, findings, evidence, verdicts, odds; nothing here knows how it is shown."""
