"""The numbers of the rules page of The Ninth Age, as rows by what they are about."""
