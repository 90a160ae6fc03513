"""Reviews what servers list: pinned, changed and poisoned definitions, and the effects of tools."""
