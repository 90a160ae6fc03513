"""What comes back from servers beside the answers of tools."""
