"""Where all of a figure stands on its page: panels, labels, ruler and key, in inches; may touch marks."""
