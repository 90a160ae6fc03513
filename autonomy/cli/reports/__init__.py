"""Reports as the command line gives them."""
