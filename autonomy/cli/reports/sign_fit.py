"""`jiritsu report signs`: fits the ranking "worth a look" to the thumbs of this installation's people."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from pydantic import ValidationError

from autonomy.errors import ConfigError
from autonomy.settings import Settings, parse_settings, read_small_file
from metrics.intervals import SMALL, Estimate
from metrics.reporting.fitted_signs import AIM, FOLDS, MARGIN, MOST_LIKED, FittedSigns, SignFit

FILE = "worth-a-look.toml"


def file_of_fit(settings: Settings) -> Path:
    """The file of a fit, in the data directory."""
    return settings.home / FILE


def read_fit(settings: Settings, *, tenant: str) -> FittedSigns | None:
    """The fit in force for a tenant; None where the ranking is the one that is shipped, as it is for all tenants but that of the
    settings: one's thumbs do not rank another's runs. Raises `ConfigError` naming file, key and value."""
    file = file_of_fit(settings)
    if tenant != settings.tenant or not file.exists():
        return None
    try:
        return FittedSigns.model_validate(parse_settings(file, read_small_file(file)))
    except ValidationError as error:
        raise ConfigError.of(file, error, model=FittedSigns) from error


def write_fit(settings: Settings, fit: SignFit, *, on: date) -> None:
    """Make a fit the ranking of this installation. Raises `OSError`."""
    from discovery.durable_files import replace_file  # a report that only reads a fit need not know of servers

    bound = f"doubtful_from = {fit.doubtful_from}\n" if fit.doubtful_from is not None else ""
    points = "".join(f"{sign} = {points}\n" for sign, points in fit.points.items())
    head = "# What ranks the runs worth a look here; `jiritsu report signs --remove` goes back to the shipped ranking.\n"
    replace_file(file_of_fit(settings), f"{head}votes = {fit.voted}\nfitted_on = {on}\n{bound}\n[points]\n{points}")


def fit_in_lines(fit: SignFit) -> Iterator[str]:
    """A fit for people: a line for each sign, then the rules that made the points, and what they find."""
    yield f"{fit.voted} runs have a vote, {fit.voted - fit.disliked} liked and {fit.disliked} disliked"
    yield f"{'sign':<22} {'runs':>5} {'disliked':>8}  {'precision (95 %)':<22} {'shipped':>7} {'fitted':>6}"
    for one in fit.signs:
        yield f"{one.sign:<22} {one.runs:>5} {one.disliked:>8}  {_share(one.precision):<22} {one.shipped:>7.2f} {one.points:>6}"
    yield "shipped: what the sign costs such a run of its score, on average, from 0 to 1"
    yield (
        f"fitted: 0 points, unless {SMALL} runs show it and the lower end of the interval is {100 * MARGIN:.0f} percentage points above the {_base(fit):.1%} disliked anyway; "
        f"2 if {AIM:.0%} were disliked as well, else 1"
    )
    yield _doubtful(fit)


def _doubtful(fit: SignFit) -> str:
    """The bound of *doubtful*, or why there is none."""
    aim = f"{AIM:.0%} precision at {MOST_LIKED:.0%} of the liked runs"
    if fit.chosen is None:
        return f"doubtful: never; no number of points keeps {aim}"
    found, liked = fit.checked, fit.voted - fit.disliked
    tested = (
        f"on each of {FOLDS} parts, chosen on the others: {found.disliked}/{fit.disliked} disliked and {found.liked}/{liked} "
        f"liked runs found, precision {_share(found.precision)}"
    )
    if fit.doubtful_from is None:
        return f"doubtful: never; at {fit.chosen} points, {aim} are kept only where they were chosen; {tested}"
    return f"doubtful: at {fit.chosen} points or more; {tested}"


def _base(fit: SignFit) -> float:
    return fit.disliked / fit.voted if fit.voted else 0.0


def _share(found: Estimate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "n/a"
    return f"{found.value:.1%} ({found.low:.1%}–{found.high:.1%})"
