"""Answers a question from the results of one read tool."""
