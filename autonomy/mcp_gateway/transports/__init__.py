"""Lets clients in, over stdio and over HTTP."""
