"""`jiritsu gateway`: every configured server behind one MCP entry, for agents that are not ours."""
