"""What the terminal says, in the language of whoever sits at it."""
