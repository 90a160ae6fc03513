"""The language models: neutral messages, one protocol, a file for each vendor."""
