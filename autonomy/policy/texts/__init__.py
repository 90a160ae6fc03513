"""What texts hold that a policy looks for: addresses, codes, pasted passages."""
