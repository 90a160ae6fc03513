"""Classifies tool answers: success, suspicion or failure."""
