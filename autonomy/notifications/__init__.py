"""Posts the host makes by itself: schedule alerts and the report."""
