"""The commands of the command line: a file for each area, named as the command."""
