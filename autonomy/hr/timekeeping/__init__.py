"""Vendor-neutral employees, attendance and overtime."""
