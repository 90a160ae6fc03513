"""Answers factual questions from what people wrote."""
