"""Languages: words and sentences of each, and the one that the program speaks."""
