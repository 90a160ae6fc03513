"""Decides whether the goal is met: completion rules, the judge, and unsupported claims."""
