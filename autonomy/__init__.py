"""The host of Jiritsu: takes a goal, drives a model and tools until the goal is met, and answers for what was done."""
