"""Content from servers: truncated tool results, resources and prompts."""
