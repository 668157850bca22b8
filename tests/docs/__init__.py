"""The documentation site: its tutorials, and how it is built."""
