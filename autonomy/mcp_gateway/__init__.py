"""`jiritsu gateway`: every configured server behind one MCP entry, for other agents."""
