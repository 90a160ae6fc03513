"""Is the goal met: rules, the judge, and claims without a receipt."""
