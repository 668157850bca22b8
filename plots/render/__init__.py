"""From pages to Matplotlib and into files: colours, lines, the same bytes every time; may touch marks and layout."""
