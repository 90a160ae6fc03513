"""The `jiritsu` command: hands it to the warm process, or imports the rest and runs it here."""

import os
import sys

INTERRUPTED = 130


def main() -> int:
    """The exit code; a command that a signal has ended ends us by the same."""
    try:
        return _main()
    except KeyboardInterrupt:  # while modules are imported: a command that has begun says itself what goes on
        return INTERRUPTED


def _main() -> int:
    _stand_in_for_closed_streams()
    from autonomy.warm.warm_client import carried_out, end_as

    code = carried_out(sys.argv[1:])
    if code is not None:
        return end_as(code)
    from autonomy.cli import main as command
    from autonomy.warm.fresh_process import carry_out

    return carry_out(lambda: command(prog_name="jiritsu"))


def _stand_in_for_closed_streams() -> None:
    """Started with `2>&-`, we would give the stream's number to the next file that is opened: the database, for one."""
    for number, stream in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, stream) is None:
            held = os.open(os.devnull, os.O_RDWR)
            if held != number:
                os.dup2(held, number)
                os.close(held)
            setattr(sys, stream, os.fdopen(number, "w" if number else "r", encoding="utf-8", errors="replace", closefd=False))


if __name__ == "__main__":
    sys.exit(main())
