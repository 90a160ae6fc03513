"""`python -m autonomy.cli`: the same as the `jiritsu` command."""

from autonomy.cli import main
from autonomy.warm.fresh_process import carry_out

carry_out(lambda: main(prog_name="jiritsu"))
