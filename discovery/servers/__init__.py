"""The servers file: whichever host it was written for, its variables, and what the operator trusts."""
