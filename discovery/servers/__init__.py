"""The servers file: formats of all hosts, variables and trust."""
