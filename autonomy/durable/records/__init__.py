"""Records of runs, and how they are found."""
