"""`jiritsu demo`: shows three promises on the sample, with real processes, and says what is scripted."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from autonomy.cli.decorators import pass_config
from autonomy.cli.sample import SAMPLE, sample_flags
from autonomy.cli.terminal import say
from autonomy.cli.words.terminal_words import set_terminal_language

if TYPE_CHECKING:
    from autonomy.settings import Config

DEMOS = ("crash", "injection", "fabrication")


@click.command()
@click.argument("which", type=click.Choice(DEMOS))
@SAMPLE
@click.option(
    "--picture",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also draw the output as an animated SVG in this file.",
)
@pass_config(calls_tools=True)
async def demo(config: "Config", which: str, file: Path | None) -> int:
    """Demonstrate a promise; nothing outside a temporary folder is touched.

    \b
    crash        an answer is lost and the worker killed: still one post, one receipt
    injection    a message orders the agent to send data away: denied, with the sentence it came from
    fabrication  a model claims and invents: caught, sentence by sentence
    """
    import tempfile

    from autonomy.cli.demo.crash import show_crash
    from autonomy.cli.demo.dishonest import show_fabrication, show_injection
    from autonomy.cli.demo.pictures import drawn
    from autonomy.cli.entry import EXIT_FAILED
    from autonomy.settings import load

    language = config.settings.language
    set_terminal_language(language)  # that of the sample it plays on
    shows = {"crash": show_crash, "injection": show_injection, "fabrication": show_fabrication}
    with tempfile.TemporaryDirectory(prefix="jiritsu-demo-", ignore_cleanup_errors=True) as folder:
        on_sample = load({"home": folder, **sample_flags(language, None)}, env={}, cwd=Path(folder))
        with drawn(file, f"jiritsu demo {which}", home=Path(folder)):
            is_kept = await shows[which](on_sample)
            say("The promise was kept." if is_kept else "THE PROMISE WAS NOT KEPT: please report this.", bold=True)
    return 0 if is_kept else EXIT_FAILED
