"""Answers a question with what one tool that reads returns."""
