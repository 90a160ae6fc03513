"""The house itself: layers, sizes, names, exports."""
