"""One run: the loop, its tool calls, and the pure deciders it asks (policy, retry, alternatives, judge)."""
