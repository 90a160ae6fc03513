"""Employees, attendance and overtime, whichever vendor keeps the record."""
