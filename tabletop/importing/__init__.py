"""Other programs' files: what stands in them as a scenario, and what of them was not understood."""
