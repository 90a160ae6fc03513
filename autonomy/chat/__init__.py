"""Conversations: history, the chat service, and Slack."""
