"""Tool search and fallback tools."""
