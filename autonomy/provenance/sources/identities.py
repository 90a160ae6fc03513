"""Learns from results which id and which names belong together."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from autonomy.provenance.sources.leaves import LISTS, MOST_LEAVES, NESTED, SCALAR_TYPES, leaves, parsed
from autonomy.provenance.sources.tabular.mailbox_lists import lists_people
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.word_data import load_words
from discovery.text.near_names import snake_case
from metrics.text.phrases import lazy_pattern

LONGEST_NAME = 80
LONGEST_PART = 8
"""Characters of a given or family name in Japanese."""
SHORTEST_HANDLE = 3
MOST_LISTED = 200
MOST_KEYS = 200
"""Of one object under which its names are looked for."""
MOST_REMEMBERED = 10_000
"""Ids and names of which is kept who bears them."""
_NAMED = (str, int)
_PAIRS = (
    ("user_id", "user_name"),
    ("channel_id", "channel_name"),
    ("author_id", "author_name"),
    ("employee_id", "employee_name"),
)


_MAIL_KEYS = ("address", "email", "mail", "emailAddress")
_FULL_NAME = (("firstName", "first_name", "firstname", "given_name"), ("lastName", "last_name", "lastname", "family_name"))
_ID_KEYS = tuple(pair[0] for pair in _PAIRS)
_OF_ITSELF = frozenset({"name", "real_name", "display_name", "full_name", "nickname"})
"""Names that can only be those of the object that they stand in."""


def asked_and_shown(result: Any, arguments: Any) -> Iterator[tuple[str, str]]:
    """Pairs of what a call asked for and the one id that everything it brought back bears under the same key.

    `user_id: haruka` asked, and every message says `user_id: U07HARUKA`: the tool itself took the one for the other.
    Two different ids, or an answer that does not say, give no pair.
    """
    for key in _ID_KEYS:
        argument = arguments.get(key) if isinstance(arguments, dict) else None
        if isinstance(argument, str) and argument:
            shown = {str(leaf.value) for leaf in leaves(result) if leaf.key == key}
            if len(shown) == 1 and (only := shown.pop()) != argument:
                yield argument, only


@lru_cache(maxsize=5_000)
def _is_name_key(key: str) -> bool:
    """Whether what stands under a key is a name: `displayName`."""
    return snake_case(key) in load_words("result_keys")["name"]


def _parts_of(name: str) -> Iterator[str]:
    """A name, its words, and the beginnings and ends of one that no blank parts."""
    yield name
    yield from name.split()
    if not name.isascii():
        for at in range(2, min(len(name), LONGEST_PART + 1)):
            yield from (name[:at], name[-at:])


class Captions:
    """The titles of things (pages, issues, events), as any result shows them beside their ids."""

    def __init__(self) -> None:
        self._things: dict[str, set[frozenset[str]]] = defaultdict(set)
        """Folded title → the folded ids of each thing that bears it."""
        self._captions: dict[str, set[tuple[str, str]]] = defaultdict(set)
        """Id → its folded titles, each with the tool whose structured result shows it."""
        self._by_word: dict[str, set[frozenset[str]]] = defaultdict(set)
        """Each word that tells a title from others → the things whose titles hold it."""
        self._shown_by_word: dict[str, set[str]] = defaultdict(set)
        """The tools whose structured results show such titles."""
        self._ids = set[str]()

    def learn(self, thing: dict[str, Any], tells: "_Tells", by: str = "") -> None:
        """Take the titles and ids of one object. `by`: the tool that shows it, empty where a text tells it."""
        ids = [thing[key] for key in tells.things if isinstance(thing[key], _NAMED)] or [*_first_id(thing, tells)]
        for caption in _captions_in(thing, tells) if ids else ():
            self._pair(ids, caption, by)
        for key in tells.codes if ids else ():
            self._pair(ids, thing[key], by, is_code=True)

    def _pair(self, ids: list[Any], caption: Any, by: str, *, is_code: bool = False) -> None:
        if not isinstance(caption, str) or len(caption) > LONGEST_NAME or len(self._captions) >= MOST_REMEMBERED:
            return
        thing = frozenset([fold(str(one)).strip() for one in ids])
        folded = caption if is_code else fold(caption).strip()  # the letters of a code are as they are
        long_enough = " " in folded or (not folded.isascii() and len(folded) >= SHORTEST_CAPTION)
        self._ids |= thing
        if thing and not is_code:
            for word in telling_words(caption):
                self._by_word[word].add(thing)
                self._shown_by_word[word] |= {by} - {""}
        if thing and (_CODE.fullmatch(folded) if is_code else long_enough):
            self._things[folded].add(thing)
            for identifier in thing if by else ():
                self._captions[identifier].add((folded, by))

    def of(self, identifier: str, among: Collection[str] | None = None) -> frozenset[str]:
        """The folded titles of more than one word, and codes, that the thing with this id bears, and no other. `among`: the
        tools whose word counts; None for all."""
        key = fold(identifier).strip()
        shown = {caption for caption, by in self._captions.get(key, ()) if among is None or by in among}
        return frozenset(caption for caption in shown if all(key in thing for thing in self._things[caption]))

    def is_only_one_called_by(
        self, words: Collection[str], identifier: str, text: str, among: Collection[str] | None = None
    ) -> bool:
        """Whether these words of a text stand in a title of the thing with this id, and none of them in that of another thing.

        Not so where the text names another thing outright, by its title, code or id: whoever titles his page "Please" would else
        be meant by each polite request.
        """
        things = set[frozenset[str]]().union(*(self._by_word.get(word, ()) for word in words))
        key = fold(identifier).strip()
        tools = set[str]().union(*(self._shown_by_word.get(word, ()) for word in words))
        is_shown = bool(tools if among is None else tools.intersection(among))
        return is_shown and all(key in thing for thing in things) and not self._names_another(text, key)

    def may_be_another(self, words: Collection[str], identifier: str) -> bool:
        """Whether whatever of these words stands in the titles of the thing with this id stands in that of another thing, too."""
        key = fold(identifier).strip()
        things_by_word = (self._by_word.get(word, set()) for word in words)
        bearing = [things for things in things_by_word if any(key in thing for thing in things)]
        return bool(bearing) and any(key not in thing for thing in set[frozenset[str]].intersection(*bearing))

    def _names_another(self, text: str, key: str) -> bool:
        folded, own = fold(text), {caption for caption, _ in self._captions.get(key, ())}
        titled = (things for caption, things in self._things.items() if caption in folded or caption in text)
        if any(key not in thing for things in titled for thing in things):
            return True
        tokens = {token.rstrip("-") for token in _TOKEN.findall(text)}
        others = self._ids - set[str]().union(*(thing for caption in own for thing in self._things[caption]), {key})
        return any((_CODE.fullmatch(token) and token not in own) or fold(token) in others for token in tokens)


def _first_id(thing: dict[str, Any], tells: "_Tells") -> Iterator[Any]:
    """What an object without `id` is known by: its first field, if that is called so (`room_id`, `appId`)."""
    if tells.first_id and isinstance(thing[tells.first_id], _NAMED):
        yield thing[tells.first_id]


_FIRST_ID = lazy_pattern(
    r"^(?:account|app|board|calendar|card|channel|chat|company|database|document|employee|event|folder|form|group|issue|item|list"
    r"|member|page|person|project|room|sheet|space|table|task|team|template|ticket|user|workspace)(?:_id|Id|ID)$"
)
"""Of what bears the names and titles beside it itself: those beside a `message_id` are its writer's, and whoever fills in a
record may choose its `external_id`."""


def telling_words(text: str) -> frozenset[str]:
    """The words by which a title is known again: those of four letters or three signs with a figure; of writing without blanks
    each three signs in a row without hiragana, which spell how words hang together and what is done (追記して)."""
    grams = (run[at : at + 3] for run in _UNPARTED.findall(normalize(text)) for at in range(len(run) - 2))
    return frozenset({*_TELLING.findall(fold(text)), *(gram for gram in grams if not _HIRAGANA.search(gram))})


def _captions_in(thing: dict[str, Any], tells: "_Tells") -> Iterator[Any]:
    """The titles of a thing, also where it keeps them among its properties (`dealname`, a list of pieces under `title`)."""
    yield from map(thing.get, tells.captions)
    for held in thing.values():  # `settings: {title: …}` is no thing of its own
        if isinstance(held, dict) and not any(key in held for key in _THING_KEYS):
            yield from map(held.get, _CAPTION_KEYS)
    properties = thing.get("properties")
    for key, held in list(properties.items())[:_MOST_PROPERTIES] if isinstance(properties, dict) else ():
        if isinstance(held, str) and key.lower().endswith(_CAPTION_KEYS):
            yield held
        elif isinstance(held, dict) and isinstance(held.get("title"), list):
            yield "".join(str(piece.get("plain_text", "")) for piece in held["title"] if isinstance(piece, dict))


_MOST_PROPERTIES = 200
_TELLING = lazy_pattern(r"(?<![a-z0-9-])(?:[a-z]{4,40}|(?=[a-z]{0,40}\d)[a-z0-9]{3,40})(?![a-z0-9]|-\d)")
_UNPARTED, _HIRAGANA = lazy_pattern(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]{3,80}"), lazy_pattern(r"[\u3041-\u309f]")
_TOKEN = lazy_pattern(r"[A-Za-z0-9][A-Za-z0-9_#-]*")
_THING_KEYS = ("id", "number", "key")
_CODE_KEYS = ("identifier", "key", "code", "slug", "ref")
_CODE = lazy_pattern(r"(?=.{0,40}[A-Za-z])(?=.{0,40}\d)[A-Za-z0-9]{1,20}(?:[-_#][A-Za-z0-9]{1,20}){1,3}")
"""What people call a thing by that has another id beside it: ENG-12."""
_CAPTION_KEYS = ("title", "summary", "subject", "name", "件名", "題名")
SHORTEST_CAPTION = 4
"""Characters of a title in Japanese; in English it has two words, since one is easily said of something else."""


class _Tells(NamedTuple):
    """What an object with certain keys may tell of a name, a mailbox or a title, each by the keys that it stands under."""

    pairs: tuple[tuple[str, str], ...]
    listed: tuple[str, ...]
    """Under which ids of whoever reacted or was invited are listed."""
    mails: tuple[str, ...]
    full_name: tuple[tuple[str, ...], ...]
    """The keys of the given and of the family name, where there are both."""
    first_id: str
    """The first field, where it is what the object is known by; else empty."""
    things: tuple[str, ...]
    captions: tuple[str, ...]
    codes: tuple[str, ...]


@lru_cache(maxsize=2_000)
def _tells(keys: tuple[object, ...]) -> _Tells | None:
    """What an object with these keys may tell; None for nothing, as of most in long lists."""
    first = keys[0] if keys and isinstance(keys[0], str) and "id" not in keys and _FIRST_ID.search(keys[0]) else ""
    full_name = tuple(tuple(key for key in either if key in keys) for either in _FULL_NAME)
    told = _Tells(
        pairs=tuple(pair for pair in _PAIRS if pair[0] in keys and pair[1] in keys),
        listed=tuple(listed for identifier in _ID_KEYS if (listed := f"{identifier}s") in keys),
        mails=tuple(key for key in _MAIL_KEYS if key in keys),
        full_name=full_name if all(full_name) else (),
        first_id=first,
        things=tuple(key for key in _THING_KEYS if key in keys),
        captions=tuple(key for key in _CAPTION_KEYS if key in keys),
        codes=tuple(key for key in _CODE_KEYS if key in keys),
    )
    return told if told.pairs or told.listed or told.mails or told.first_id or told.things else None


@lru_cache(maxsize=2_000)
def _name_keys(keys: tuple[object, ...]) -> tuple[str, ...]:
    """Those of the keys of an object under which names stand."""
    return tuple(key for key in keys if isinstance(key, str) and _is_name_key(key))


class Identities:
    """Pairs of id and display name, as any result shows them.

    Two ids that share a name stay two: a stranger who takes somebody's display name does not become that person. A pair that is
    told, by a table in a text or a read that a text steered, makes a name ambiguous and nobody its bearer.
    """

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = defaultdict(set)
        self._nameless = set[str]()
        """Ids in lists of whoever reacted or was invited."""
        self._ids: dict[str, set[str]] = defaultdict(set)
        self._ids_of_parts: dict[str, set[str]] = defaultdict(set)
        self._mailboxes: dict[str, set[str]] = defaultdict(set)
        self._shown: dict[tuple[str, str], set[str]] = defaultdict(set)
        """Pairs of id and name → the tools whose structured results show them."""
        self._known: dict[str, frozenset[str]] = {}
        self._captions = Captions()
        self._uncaptioned: list[tuple[dict[str, Any], _Tells, str]] = []
        """Objects whose titles were not read yet, with what they tell and the tool that shows them."""

    @property
    def captions(self) -> Captions:
        """The titles of things. They are read when they are asked for, as only for a write's arguments."""
        for thing, tells, by in self._uncaptioned:
            self._captions.learn(thing, tells, by)
        self._uncaptioned.clear()
        return self._captions

    def learn(self, result: Any, by: str = "") -> None:
        """Take the pairs of one result. `by`: the tool that shows them, empty where a text tells them."""
        stack = [(parsed(result), False)]
        for _ in range(MOST_LEAVES):
            if not stack:
                return
            value, is_known = stack.pop()
            if isinstance(value, dict):
                tells = _tells(tuple(value))
                has_id = is_known or bool(tells and (tells.things or tells.first_id or tells.pairs))
                if not SCALAR_TYPES.issuperset(map(type, value.values())):
                    stack += [(item, has_id) for item in value.values() if isinstance(item, NESTED)]
                if tells:
                    self._learn_object(value, tells, by, has_id=has_id)
                    if tells.things or tells.first_id:
                        self._uncaptioned.append((value, tells, by))
            elif isinstance(value, LISTS):
                stack += [(item, is_known) for item in value[:MOST_LEAVES]]

    def _learn_object(self, value: dict[str, Any], tells: _Tells, by: str, *, has_id: bool) -> None:
        """`has_id`: it, or what it stands in, bears another id than a mailbox."""
        for id_key, name_key in tells.pairs:
            self._pair(value[id_key], value[name_key], by)
        for key in tells.listed:
            listed = value[key]
            for identifier in listed[:MOST_LISTED] if isinstance(listed, list) else ():
                if (folded_id := fold(str(identifier)).strip()) not in self._nameless:
                    self._known.clear()
                    self._nameless.add(folded_id)
        if tells.mails:
            self._learn_mailbox(value, tells, by, is_only_id=not has_id)
        if tells.first_id or "id" in tells.things:
            self._learn_names(value, tells, by)

    def _learn_mailbox(self, value: dict[str, Any], tells: _Tells, by: str, *, is_only_id: bool) -> None:
        mailbox = next((value[key] for key in tells.mails if isinstance(value[key], str) and "@" in value[key]), "")
        for name in _name_keys(tuple(value)) if mailbox and len(self._mailboxes) < MOST_REMEMBERED else ():
            called = value[name]
            if isinstance(called, str) and len(called) <= LONGEST_NAME:
                for part in {fold(called).strip(), *_parts_of(fold(called).strip())}:
                    self._mailboxes[part].add(fold(mailbox).strip())
                if is_only_id and (not by or lists_people(by)):  # whoever writes a mail chooses the name beside its sender
                    self._pair(mailbox, called, by)

    def _learn_names(self, value: dict[str, Any], tells: _Tells, by: str) -> None:
        if "id" in tells.things:
            parts = [next((value[key] for key in keys if isinstance(value[key], str)), "") for keys in tells.full_name]
            if parts and all(parts):
                self._pair(value["id"], " ".join(parts), by)
            profile = value.get("profile")
            named = {**profile, **value} if isinstance(profile, dict) else value
            for name in _name_keys(tuple(islice(named, MOST_KEYS))):
                self._pair(value["id"], named[name], by)
        for identifier in _first_id(value, tells):  # `channel_name` beside a `user_id` is not the user's
            for name in _OF_ITSELF & value.keys():
                self._pair(identifier, value[name], by)

    def _pair(self, identifier: Any, name: Any, by: str) -> None:
        if isinstance(identifier, _NAMED) and isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and "\n" not in name:
            folded_id, folded_name = fold(str(identifier)).strip(), fold(name).strip()
            shown = self._shown.get((folded_id, folded_name), ())
            if folded_id and folded_name and folded_id != folded_name and (not by or by not in shown):
                self._known.clear()
                if by:
                    self._shown[folded_id, folded_name].add(by)
                self._names[folded_id].add(folded_name)
                self._ids[folded_name].add(folded_id)
                for part in _parts_of(folded_name):
                    self._ids_of_parts[part].add(folded_id)
                if " " in folded_name and not folded_name.isascii():  # 佐藤 遥 is written 佐藤遥, too
                    self._ids[folded_name.replace(" ", "")].add(folded_id)

    def same(self, name: str, identifier: str, by: str = "") -> None:
        """Take that a name and an id stand for one: a read that asked for the one brought back the other."""
        self._pair(identifier, name, by)

    def shows(self, one: str, other: str, among: Collection[str] | None = None) -> bool:
        """Whether more than a text says that two names or ids stand for one. `among`: the tools whose word counts."""

        def is_shown(identifier: str, name: str) -> bool:
            tools = self._shown.get((identifier, name), set())
            return bool(tools if among is None else tools.intersection(among))

        keys = fold(one).strip(), fold(other).strip()
        ids = {*keys, *self._ids.get(keys[0], ()), *self._ids.get(keys[1], ())} & self._names.keys()
        joining = [each for each in ids if all(key == each or key in self._names[each] for key in keys)]
        if not joining:  # by a handle: then by all that is known of the id
            return not ids or any(is_shown(each, name) for each in ids for name in self._names[each])
        return any(all(key == each or is_shown(each, key) for key in keys) for each in joining)

    def names_of(self, person: str) -> frozenset[str]:
        """Every folded id and name of whoever an id or name stands for, itself included; two persons of one name give both."""
        key = fold(person).strip()
        if key not in self._known:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            ids = self._ids.get(key, set()) | ({key} if key in self._names else set())
            ids = ids or self._bearing(key)
            self._known[key] = frozenset({key, *ids}.union(*(self._names.get(identifier, ()) for identifier in ids)))
        return self._known[key]

    def shown_names_of(self, person: str, among: Collection[str] | None = None) -> list[str]:
        """Those of them that structured results of these tools give; None: of any."""
        return [name for name in self.names_of(person) if self.shows(person, name, among)]

    def names_of_all(self, persons: Iterable[str]) -> frozenset[str]:
        """Every folded id and name of all these."""
        return frozenset(name for person in persons for name in self.names_of(person))

    def named_in_part(self, name: str) -> frozenset[str]:
        """Every folded id and name of whoever this names: in full, or as the only one with this given or family name."""
        key = fold(name).strip()
        if key in self._ids or key in self._names:
            return self.names_of(key)
        whole = {identifier for full, ids in self._ids.items() if key in full.split() for identifier in ids}
        return self.names_of(whole.pop()) if len(whole) == 1 else self.names_of(key)

    def bearers_of_part(self, name: str) -> frozenset[str]:
        """The folded ids that bear a name, in full or as a part of it: a given or family name, also where no blank parts them."""
        return frozenset(self._ids_of_parts.get(fold(name).strip(), ()))

    def bearers(self, name: str) -> frozenset[str]:
        """The folded ids that bear a name in full."""
        return frozenset(self._ids.get(fold(name).strip(), ()))

    def names_at(self, mailbox: str) -> Mapping[str, int]:
        """What whoever reads a mailbox is called, in full and in part, each with the number of mailboxes that are called so."""
        key = fold(mailbox).strip()
        return {part: len(bearers) for part, bearers in self._mailboxes.items() if key in bearers} if "@" in key else {}

    def _bearing(self, handle: str) -> set[str]:
        """The only id that ends with a handle behind a figure or a mark (`U07HARUKA`), where no result shows the pair itself."""
        if len(handle) < SHORTEST_HANDLE or not handle.isascii():
            return set()
        found = {
            identifier
            for identifier in {*self._names, *self._nameless}
            if identifier.endswith(handle) and not identifier[-len(handle) - 1 : -len(handle)].isalpha()
        }
        return found if len(found) == 1 else set()
