"""The standalone MCP servers, each against a fake of the service behind it."""
