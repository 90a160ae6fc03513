"""What is known of each run, and how it is looked up."""
