"""The numbers of the rules page of Conquest, as rows by what they are about."""
