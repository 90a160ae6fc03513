"""Provides the clock, circuit breaker, rate limits and background tasks of discovery."""
