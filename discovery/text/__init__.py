"""Text of tools and requests: cut into search terms, counted in tokens, translated word by word."""
