"""The evaluate modules: the base that they share, how they are found and loaded, and their bare names."""
