"""Claude Code as a pydantic-ai model."""
