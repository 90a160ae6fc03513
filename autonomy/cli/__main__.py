"""`python -m autonomy.cli`: the same as the `jiritsu` command."""

from autonomy.cli import main

main(prog_name="jiritsu")
