"""Content of figures as plain data in table inches, with their texts; may import the data classes of the engine."""
