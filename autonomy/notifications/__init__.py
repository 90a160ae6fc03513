"""Posts by the host itself: schedule alerts and the report."""
