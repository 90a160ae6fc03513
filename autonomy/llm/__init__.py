"""The language models: neutral messages, one protocol, one file per vendor dialect."""
