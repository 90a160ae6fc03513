"""Conversations: history, the chat service, Slack."""
