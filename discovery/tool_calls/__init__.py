"""Sends tool calls, follows the tasks they may become, and watches resources."""
