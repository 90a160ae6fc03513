"""The `jiritsu` command: has the warm process carry it out, or imports the rest and does it itself."""

import sys


def main() -> int:
    """The exit code; a command that a signal has ended ends us by the same."""
    from autonomy.warm.warm_client import carried_out, end_as

    code = carried_out(sys.argv[1:])
    if code is not None:
        return end_as(code)
    from autonomy.cli import main as command

    return int(command(prog_name="jiritsu") or 0)


if __name__ == "__main__":
    sys.exit(main())
