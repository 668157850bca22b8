"""Where the models of a charging unit end: the search for places, and what is proved of it."""
