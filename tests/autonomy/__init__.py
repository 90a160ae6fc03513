"""Tests of the host, room by room."""
