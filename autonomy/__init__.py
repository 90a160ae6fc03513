"""The host of Jiritsu: runs a goal with a model and tools, under a policy, and keeps the evidence."""
