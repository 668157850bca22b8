"""What figures show, as plain values in inches of the table, and their words; may touch the values of the engine."""
