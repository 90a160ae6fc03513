"""Classifies tool answers as success, suspicious or failure."""
