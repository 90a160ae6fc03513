"""Did a tool do what it was asked: classification of its answers."""
