"""Whose a resource is, whatever templates servers list."""

import re
import time

from hypothesis import example, given
from hypothesis import strategies as st

from autonomy.mcp_gateway.uris import offering_servers, owner_of
from discovery.catalog import Provider, ProviderState, Resource, ResourceTemplate
from tests.requirements import requirement


def server(name: str, *templates: str, uris: tuple[str, ...] = ()) -> Provider:
    return Provider(
        name=name,
        state=ProviderState.READY,
        templates=tuple(ResourceTemplate(uri_template=one) for one in templates),
        resources=tuple(Resource(uri=uri) for uri in uris),
    )


@requirement("N2")
def test_a_server_that_claims_every_uri_takes_none_away_from_one_that_says_more() -> None:
    greedy, exact = server("greedy", "{+any}", "file:///{path}"), server("notes", "file:///notes/{name}.md")
    assert owner_of("file:///notes/a.md", [greedy, exact]) == "notes"
    assert owner_of("file:///notes/a.txt", [greedy, exact]) == "greedy"
    assert owner_of("file:///notes/a.md", [server("listed", uris=("file:///notes/a.md",)), exact]) == "listed"


@requirement("N2")
def test_a_resource_that_two_servers_list_is_neither_ones_and_nobody_takes_it_by_coming_first() -> None:
    evil, honest = (server(name, uris=("mail://inbox",)) for name in ("evil", "mail"))
    assert (owner_of("mail://inbox", [honest]), owner_of("mail://inbox", [evil, honest])) == ("mail", None)
    assert offering_servers("mail://inbox", [evil, honest]) == ["evil", "mail"]


@requirement("N2")
def test_a_resource_that_templates_of_two_servers_fit_alike_goes_to_neither() -> None:
    evil, honest, exact = server("evil", "mail://{any}"), server("mail", "mail://{box}"), server("exact", "mail://in{box}")
    assert owner_of("mail://inbox", [honest]) == "mail"
    assert owner_of("mail://inbox", [evil, honest]) is None
    assert offering_servers("mail://inbox", [evil, honest]) == ["evil", "mail"]
    assert owner_of("mail://inbox", [evil, honest, exact]) == "exact"


@requirement("N2")
def test_a_template_is_its_servers_however_closely_anothers_fits_it() -> None:
    mail, greedy = server("mail", "mail://{box}"), server("greedy", "mail://{box{+more}")
    assert owner_of("mail://{box}", [greedy, mail]) == "mail"
    assert owner_of("mail://{box}", [mail, server("copy", "mail://{box}")]) is None


@requirement("N2")
def test_a_template_of_many_placeholders_holds_up_nobody() -> None:
    hostile = server("hostile", "".join(f"a{{p{number}}}" for number in range(60)) + "z")
    began = time.process_time()
    assert owner_of("a" * 20_000, [hostile, server("other", "b{x}")]) is None
    assert time.process_time() - began < 5, "as a pattern it takes longer than anybody lives"


@example(["{x}", "{y}"], "a")
@example(["{x}", "a", "{y}"], "aab")
@given(st.lists(st.sampled_from(["a", "b", "ab", "{x}", "{y}"]), max_size=6), st.text("ab", max_size=9))
def test_a_uri_fits_a_template_where_every_placeholder_stands_for_something(parts: list[str], uri: str) -> None:
    template = "".join(parts)
    pattern = "".join(".+" if part.startswith("{") else re.escape(part) for part in parts)
    fits = re.fullmatch(pattern, uri) is not None
    assert (owner_of(uri, [server("one", template)]) == "one") is (fits or uri == template)
