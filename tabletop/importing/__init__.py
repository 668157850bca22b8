"""Import files of other programs as scenarios, with remarks on everything left out or guessed."""
