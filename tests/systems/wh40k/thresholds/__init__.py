"""The numbers of the Warhammer 40,000 page, as rows of thresholds by what they decide."""
