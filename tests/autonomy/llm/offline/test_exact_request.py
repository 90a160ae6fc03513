"""Goals that hold paths, addresses, time zones and the like, put to the tools of public MCP servers as those describe them."""

from typing import Any

import pytest

from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import Task
from autonomy.llm.offline.planner import OfflinePlanner
from autonomy.llm.offline.tool_use.argument_kinds import kind_of
from autonomy.llm.offline.tool_use.exact_values import values_in
from tests.autonomy.llm.offline.conversation import Conversation, Refused, Run, Tool, converse
from tests.bench.sample_workspace import NOW
from tests.requirements import requirement
from tests.support.sampling import rows_in_part

TEXT: dict[str, Any] = {"type": "string"}
ZONE = {"type": "string", "description": "IANA timezone name (e.g., 'America/New_York', 'Europe/London')."}


def echoed(arguments: dict[str, Any]) -> str:
    return f"told of {sorted(arguments.items())}"


def tool(
    name: str, description: str, run: Run = echoed, *, effect: str = "read", optional: tuple[str, ...] = (), **form: Any
) -> Tool:
    return Tool(name, description, form, run, tuple(one for one in form if one not in optional), effect)


TIME = [
    tool("get_current_time", "Get current time in a specific timezone", timezone=ZONE),
    tool(
        "convert_time",
        "Convert time between timezones",
        source_timezone=ZONE,
        time=TEXT | {"description": "Time to convert in 24-hour format (HH:MM)"},
        target_timezone=ZONE,
    ),
]
GIT = [
    tool("git_status", "Shows the working tree status", repo_path=TEXT),
    tool("git_diff_unstaged", "Shows changes in the working directory that are not yet staged", repo_path=TEXT),
    tool("git_diff_staged", "Shows changes that are staged for commit", repo_path=TEXT),
    tool(
        "git_log", "Shows the commit logs", repo_path=TEXT, max_count={"type": "integer", "default": 10}, optional=("max_count",)
    ),
    tool(
        "git_branch",
        "List Git branches",
        repo_path=TEXT,
        branch_type=TEXT
        | {"description": "Whether to list local branches ('local'), remote branches ('remote') or all ('all')."},
    ),
    tool("git_commit", "Records changes to the repository", effect="outward", repo_path=TEXT, message=TEXT),
]
LINES = {"type": "number", "description": "If provided, returns only the first N lines of the file"}
FILES = [
    tool("read_file", "Read the complete contents of a file as text. DEPRECATED.", path=TEXT, head=LINES, optional=("head",)),
    tool("read_text_file", "Read the complete contents of a file from the file system as text. Handles encodings.", path=TEXT),
    tool("list_directory", "Get a detailed listing of all files and directories in a specified path. Results", path=TEXT),
    tool("search_files", "Recursively search for files and directories matching a pattern.", path=TEXT, pattern=TEXT),
    tool("list_allowed_directories", "Returns the list of directories that this server is allowed to access."),
    tool("write_file", "Create a new file or completely overwrite an existing file", effect="outward", path=TEXT, content=TEXT),
]
OTHERS = [
    tool("read_query", "Execute a SELECT query on the database", query=TEXT | {"description": "SELECT SQL query to execute"}),
    tool("list_tables", "List all tables in the database"),
    tool("get-env", "Returns all environment variables, helpful for debugging."),
    tool("calculate", "Calculates/evaluates the given expression.", expression=TEXT),
    tool("get-sum", "Returns the sum of two numbers", a={"type": "number"}, b={"type": "number"}),
    tool("fetch", "Fetches a URL from the internet and optionally extracts its contents.", url=TEXT | {"format": "uri"}),
]


async def asked(goal: str, tools: list[Tool]) -> Conversation:
    language = "en" if goal.isascii() else "ja"
    return await converse(OfflinePlanner(today=NOW.date), Task(goal=goal, language=language), tools)


def refused(said: Conversation) -> bool:
    last = said.messages[-1]
    return isinstance(last, AssistantMessage) and last.stop_reason == "refusal"


@requirement("V9")
@pytest.mark.parametrize(
    ("goal", "tools", "name", "arguments"),
    rows_in_part(
        [
            ("What time is it in Europe/Berlin?", TIME, "get_current_time", {"timezone": "Europe/Berlin"}),
            ("What time is it in Tokyo?", TIME, "get_current_time", {"timezone": "Asia/Tokyo"}),
            ("Asia/Kolkataは今何時ですか？", TIME, "get_current_time", {"timezone": "Asia/Kolkata"}),
            (
                "18:30をAsia/TokyoからAmerica/Los_Angelesに変換して",
                TIME,
                "convert_time",
                {"time": "18:30", "source_timezone": "Asia/Tokyo", "target_timezone": "America/Los_Angeles"},
            ),
            (
                "What is 9:00 UTC in Europe/Paris?",
                TIME,
                "convert_time",
                {"time": "9:00", "source_timezone": "UTC", "target_timezone": "Europe/Paris"},
            ),
            ("What are the last 3 commits in /srv/repo?", GIT, "git_log", {"repo_path": "/srv/repo", "max_count": 3}),
            ("Which local branches are there in ~/repo?", GIT, "git_branch", {"repo_path": "~/repo", "branch_type": "local"}),
            ("/srv/repo のローカルブランチの一覧は？", GIT, "git_branch", {"repo_path": "/srv/repo", "branch_type": "local"}),
            ("List the files in /srv/files.", FILES, "list_directory", {"path": "/srv/files"}),
            ("List files and directories in /srv/files", FILES, "list_directory", {"path": "/srv/files"}),
            ("/srv/files にはどんなファイルがある？", FILES, "list_directory", {"path": "/srv/files"}),
            ("Open the file /srv/a.txt", [tool("open_file", "Open a file", file=TEXT)], "open_file", {"file": "/srv/a.txt"}),
            ("Read /srv/msgs.txt", FILES, "read_file", {"path": "/srv/msgs.txt"}),
            ("Show the first 5 lines of notes.txt", FILES, "read_file", {"path": "notes.txt", "head": 5.0}),
            ("/srv/files の中から *.md のファイルを探して", FILES, "search_files", {"path": "/srv/files", "pattern": "*.md"}),
            ('Run the query "SELECT title FROM books"', OTHERS, "read_query", {"query": "SELECT title FROM books"}),
            ("テーブルの一覧を見せて", OTHERS, "list_tables", {}),
            ("Which environment variables are there?", OTHERS, "get-env", {}),
            ("(3+4)*2を計算して", OTHERS, "calculate", {"expression": "(3+4)*2"}),
            ("What is the sum of 4 and 38?", OTHERS, "get-sum", {"a": 4.0, "b": 38.0}),
            ("http://localhost:8000/page.html の内容を教えて", OTHERS, "fetch", {"url": "http://localhost:8000/page.html"}),
        ],
        every=3,
        alike=lambda goal, tools, name, _: name,
    ),
)
async def test_a_value_of_a_fixed_form_reaches_the_argument_for_it_whole(
    goal: str, tools: list[Tool], name: str, arguments: dict[str, Any]
) -> None:
    said = await asked(goal, tools)
    assert said.calls[-1] == (name, arguments), said.text
    assert "told of" in said.text


@requirement("V9")
@pytest.mark.parametrize(
    ("goal", "tools"),
    rows_in_part(
        [
            ("Is it night in Europe/Berlin?", TIME),
            ("What time was it in Europe/Berlin yesterday?", TIME),
            ("What time will it be in Asia/Tokyo in 3 hours?", TIME),
            ("What is the time difference between Europe/London and Asia/Tokyo?", TIME),
            ("Asia/Tokyoは何曜日？", TIME),
            ("Commit my changes in /srv/repo", GIT),
            ("/srv/repo の変更をコミットして", GIT),
            ("/srv/repo の変更者は？", GIT),
            ("/srv/repo のコミットを全部見せて", GIT),
            ("Show the first 2 commits in /srv/repo", GIT),
            ("Show staged and unstaged changes in /srv/repo", GIT),
            ("/srv/repo の最新のコミットを見せて", GIT),
            ("Who wrote the last commit in /srv/repo?", GIT),
            ("How many files are in /srv/files?", FILES),
            ("What is the number of files in /srv/files?", FILES),
            ("Does /srv/files contain files?", FILES),
            ("Read lines 3 to 5 of /srv/notes.txt", FILES),
            ("What is wrong in /srv/notes.txt?", FILES),
            ("List the files in /srv/files and delete notes.txt", FILES),
            ('Run "DELETE FROM books"', OTHERS),
            ("Run SELECT title FROM books; DROP TABLE books", OTHERS),
            ("Select the best book", OTHERS),
            ("What's my file?", FILES),
            ("What does http://localhost:8000/tea cost?", OTHERS),
            ("What is the sum of 4, 5 and 6?", OTHERS),
        ],
        every=3,
        alike=lambda goal, tools: id(tools),
    ),
)
async def test_what_a_result_as_a_whole_does_not_tell_is_refused_and_nothing_is_called(goal: str, tools: list[Tool]) -> None:
    said = await asked(goal, tools)
    assert refused(said), said.text
    assert not said.calls


@requirement("V9")
@pytest.mark.parametrize(
    ("goal", "tools", "named"),
    [
        ("What time is it?", TIME, "`timezone` of the tool get_current_time, such as America/New_York"),
        ("/srv/repo のブランチの一覧は？", GIT, "`branch_type`"),
        ("Search /srv/files for files", FILES, "`pattern`"),
    ],
)
async def test_an_argument_without_a_value_is_named_with_an_example(goal: str, tools: list[Tool], named: str) -> None:
    assert named in (await asked(goal, tools)).text


@requirement("V9")
async def test_a_long_result_is_cut_and_one_of_python_is_told_by_lines() -> None:
    long = tool("read_file", "Read the contents of a file.", lambda _: "\n".join(map(str, range(100))), path=TEXT)
    told = (await asked("Read /srv/a.txt", [long])).text
    assert "30" in told.splitlines()
    assert "… (cut here)" in told
    rows = tool(
        "read_query", "Execute a query", lambda _: "[{'name': 'Ann'}, {'name': 'Ben'}]", query=TEXT | {"description": "SQL"}
    )
    assert (await asked("SELECT name FROM customers", [rows])).text.startswith("- Ann\n- Ben\n")


@requirement("V9")
async def test_a_tool_that_fails_is_not_followed_by_another() -> None:
    def fails(_: dict[str, Any]) -> str:
        raise Refused("EACCES: permission denied")

    said = await asked("Read /etc/shadow", [tool("read_file", "Read the contents of a file.", fails, path=TEXT), *FILES[1:]])
    assert refused(said)
    assert "EACCES" in said.text
    assert len(said.calls) == 1


@requirement("V9")
@pytest.mark.parametrize(
    ("name", "schema", "kind"),
    [
        ("repo_path", TEXT, "path"),
        ("paths", {"type": "array", "items": TEXT}, "path"),
        ("timezone", TEXT, "zone"),
        ("sourceUrl", TEXT, "url"),
        ("target", TEXT | {"format": "email"}, "email"),
        ("query", TEXT, ""),
        ("profile", TEXT, ""),
        ("folder", TEXT, ""),
        ("path", TEXT | {"enum": ["a", "b"]}, ""),
    ],
)
def test_an_arguments_kind_is_told_by_its_name_its_format_or_its_description(
    name: str, schema: dict[str, Any], kind: str
) -> None:
    assert kind_of(name, schema) == kind


@requirement("V9")
def test_the_mark_that_ends_a_sentence_is_no_part_of_a_value() -> None:
    values, rest = values_in("Read ~/a.txt, then see https://example.com/b?c=1.", {"path", "url"})
    assert [one.value for one in values] == ["~/a.txt", "https://example.com/b?c=1"]
    assert rest.replace(" ", "") == "Read|,thensee|."


async def test_a_fraction_is_no_number_of_a_thing() -> None:
    """It ended the run with a ValueError."""
    said = await asked("Get the post with 0.2", [tool("get_post", "Get a post by its number", number={"type": "integer"})])
    assert said.calls == []
    assert said.messages[-1].stop_reason == "refusal"  # type: ignore[union-attr]  # a model's reply
