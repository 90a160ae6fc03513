"""Small faults put into the code on purpose: a test suite that does not notice them proves less than it seems to."""
