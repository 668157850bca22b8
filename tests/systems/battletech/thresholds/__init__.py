"""The numbers of the BattleTech page, as rows of thresholds by what they decide."""
