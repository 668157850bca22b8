"""Files that nobody would write, made of those that somebody wrote."""
