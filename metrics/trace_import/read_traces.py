"""Reads runs from files and folders of other agents' traces, in any known format."""

import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from metrics.trace_import.evaluation_logs import inspect_run, inspect_runs, livemcpbench_run, mcpmark_run
from metrics.trace_import.imported_run import BadTrace, ImportedRun
from metrics.trace_import.logged_requests import LoggedRequests
from metrics.trace_import.message_logs import Conversation, conversation_of, seconds_of, text_of
from metrics.trace_import.span_logs import SpanRuns, is_span, spans_in

LONGEST_DOCUMENT = 512 * 1024 * 1024
"""Bytes of one JSON document, which is held in memory as a whole, unlike a file of lines."""
PIECE = 1024 * 1024
"""Characters of a document that are read at once."""
LONGEST_LINE = 64 * 1024 * 1024
"""Characters of one line. A packed file of a megabyte may contain a line of a gigabyte."""

_NO_UTF8 = re.compile("[\udc80-\udcff]")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

SUFFIXES = {".json", ".jsonl", ".ndjson", ".eval", ".gz"}

_UNREADABLE = (OSError, UnicodeDecodeError, zipfile.BadZipFile, EOFError, zlib.error, RuntimeError)
"""Of a file that is damaged, encrypted or packed in an unknown way."""
_MISSHAPEN = (AttributeError, LookupError, TypeError, ArithmeticError, ValueError)
"""Of a value that is of another kind than its format says."""

_NOTES = frozenset({"summary", "file-history-snapshot"})
"""Lines of a Claude Code transcript that are no part of its conversation."""

OnBad = Callable[[BadTrace], None]


def read_traces(paths: Sequence[Path], on_bad: OnBad) -> Iterator[ImportedRun]:
    """Yield every run of these files and folders. What cannot be read is reported to `on_bad` and skipped."""
    for path in paths:
        for file in _files(path, on_bad):
            try:
                with _as_bad(file, 0):
                    yield from _read_file(file, on_bad)
            except BadTrace as bad:
                on_bad(bad)
            except _UNREADABLE as error:
                on_bad(BadTrace(str(file), 0, f"cannot be read: {error}"))


@contextmanager
def _as_bad(file: Path, line: int) -> Iterator[None]:
    """Raise `BadTrace` for what is misshapen."""
    try:
        yield
    except (BadTrace, UnicodeDecodeError):
        raise
    except _MISSHAPEN as error:
        raise BadTrace(str(file), line, f"is not of the form that its keys say: {error}") from error


def _files(path: Path, on_bad: OnBad) -> list[Path]:
    if path.is_dir():
        found = [
            file
            for file in path.rglob("*")
            if file.suffix in SUFFIXES
            # read together with the meta.json beside it, if there is one
            and not (file.name == "messages.json" and (file.parent / "meta.json").exists())
        ]
        for file in found:
            if not file.is_file():  # reading a pipe might never end
                on_bad(BadTrace(str(file), 0, "is no regular file"))
        if not found:
            on_bad(BadTrace(str(path), 0, f"holds no file of traces ({', '.join(sorted(SUFFIXES))})"))
        return sorted(file for file in found if file.is_file())
    if not path.exists():
        on_bad(BadTrace(str(path), 0, "there is no such file"))
        return []
    return [path]


def _read_file(file: Path, on_bad: OnBad) -> Iterator[ImportedRun]:
    if file.suffix == ".eval":
        yield from _read_eval(file)
    elif file.name == "meta.json" and (file.parent / "messages.json").exists():
        messages = _document(file.parent / "messages.json")
        yield mcpmark_run(_table(_document(file), file), messages if isinstance(messages, list) else [], file.parent.name)
    elif file.name.endswith((".jsonl", ".ndjson")) or (file.suffix == ".gz" and not file.name.endswith(".json.gz")):
        yield from _read_lines(file, on_bad)
    else:
        yield from _read_document(file, on_bad)


def _read_document(file: Path, on_bad: OnBad) -> Iterator[ImportedRun]:
    """Read one JSON document; if the file has one object per line, read it as lines whatever its name says."""
    try:
        document = _document(file)
    except BadTrace as bad:
        if bad.line > 1:  # the first line by itself is valid JSON
            yield from _read_lines(file, on_bad)
            return
        raise
    if isinstance(document, list) and document and all(isinstance(one, Mapping) and _is_run(one) for one in document):
        records: Sequence[Any] = document
    elif isinstance(document, list):
        yield _with_replies(conversation_of(document, file.stem, "messages"), file, 1)
        return
    else:
        records = [document]
    spans, requests = SpanRuns(), LoggedRequests()
    for number, record in enumerate(records, 1):
        name = f"{file.stem}-{number}" if len(records) > 1 else file.stem
        yield from _runs_of(_table(record, file), name, file, number, spans, requests)
    yield from requests.rest()
    yield from spans.runs("spans")


def _read_lines(file: Path, on_bad: OnBad) -> Iterator[ImportedRun]:
    spans, talks, requests, found = SpanRuns(), dict[str, Conversation](), LoggedRequests(), False
    for number, line in enumerate(_lines(file), 1):
        if not line.strip():
            continue
        try:
            record = _table(_parse(line.strip(), file, number), file, number)  # what breaks off at its end is of this line
            if record.get("type") in _NOTES and "message" not in record:
                continue
            if (session := record.get("sessionId")) is not None or "role" in record:
                talk = talks.setdefault(
                    str(session or file.stem), Conversation(str(session or file.stem), "claude-code" if session else "messages")
                )
                message = record.get("message", record)
                if isinstance(message, Mapping) and not record.get("isSidechain"):  # another agent's conversation
                    at = seconds_of(record.get("timestamp"))
                    if record.get("isApiErrorMessage"):  # Claude Code's own words in place of a reply
                        talk.break_off(text_of(message.get("content")), at)
                    else:
                        talk.take(message, at)
                found = True
                continue
            with _as_bad(file, number):
                runs = list(_runs_of(record, f"{file.stem}-{number}", file, number, spans, requests))
            found = found or bool(runs)
            yield from runs
        except BadTrace as bad:
            on_bad(bad)
    for run in requests.rest():
        found = True
        yield run
    yield from (talk.run for talk in talks.values() if talk.run.replies or talk.run.calls or talk.run.error)
    for run in spans.runs("spans"):
        found = True
        yield run
    if not found:
        raise BadTrace(str(file), 0, "holds no run of a known format")


def _is_run(record: Mapping[str, Any]) -> bool:
    return bool({"messages", "calls", "input", "samples", "resourceSpans", "request"} & record.keys()) or is_span(record)


def _runs_of(
    record: Mapping[str, Any], name: str, file: Path, number: int, spans: SpanRuns, requests: LoggedRequests
) -> Iterator[ImportedRun]:
    """Yield the runs of one JSON object, whose keys tell the format. Spans are only collected in `spans`, and requests of a
    proxy's log in `requests`, because those of one run may be scattered over a file."""
    request, response = record.get("request"), record.get("response")
    if isinstance(request, Mapping) and request.keys() & {"messages", "input"}:  # as proxies log a call
        record = {**request, **record}
    if any(_is_chunk(one) for one in (record, response, *(response if isinstance(response, list) else ())[:1])):
        raise BadTrace(str(file), number, "is a piece of a streamed reply; log whole replies")
    if is_span(record):
        for span in spans_in(record):
            spans.take(span)
    elif isinstance(record.get("samples"), list):
        yield from inspect_runs(record, name)
    elif "task_id" in record and isinstance(record.get("calls"), list):
        yield livemcpbench_run(record)
    elif (messages := _messages_of(record)) is not None:
        run = conversation_of([*messages, *_reply_beside_request(record)], str(record.get("id") or name), "messages")
        run.model = run.model or str(record.get("model") or "")
        run = _with_replies(run, file, number)
        yield from requests.take(messages, run) if isinstance(response, Mapping) else [run]
    else:
        raise BadTrace(str(file), number, f"is no run of a known format; its keys are {', '.join(sorted(record)[:8])}")


def _messages_of(record: Mapping[str, Any]) -> list[Any] | None:
    """The messages, or the items of the Responses API: what was asked, and what came; None where there are none."""
    if isinstance(messages := record.get("messages"), list):
        return messages
    asked, came = record.get("input"), record.get("output")
    if not isinstance(came, list) and not (isinstance(asked, list) or isinstance(record.get("response"), Mapping)):
        return None
    items = asked if isinstance(asked, list) else [{"role": "user", "content": asked}] if isinstance(asked, str) else []
    return [*items, *(came if isinstance(came, list) else ())]


def _is_chunk(value: Any) -> bool:
    return isinstance(value, Mapping) and value.get("object") == "chat.completion.chunk"


def _reply_beside_request(record: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the reply of a log that holds it beside the messages of the request, with what the log tells of it."""
    response = record.get("response")
    beside = response if isinstance(response, Mapping) else record
    told = {name: beside[name] for name in ("usage", "model") if name in beside}
    for choice in beside.get("choices") or ():
        if isinstance(choice, Mapping) and isinstance(choice.get("message"), Mapping):
            yield {"stop_reason": choice.get("finish_reason"), **told, **choice["message"]}
    if beside is response and beside.get("role") == "assistant":  # Anthropic's
        yield beside
    elif beside is response and isinstance(items := beside.get("output"), list):
        first = next((at for at, one in enumerate(items) if isinstance(one, Mapping) and one.get("role") == "assistant"), -1)
        yield from ({**told, **item} if at == first else item for at, item in enumerate(items))


def _with_replies(run: ImportedRun, file: Path, number: int) -> ImportedRun:
    if not run.replies and not run.calls:
        raise BadTrace(str(file), number, "holds messages, but no reply and no call of an agent")
    return run


def _read_eval(file: Path) -> Iterator[ImportedRun]:
    """Read a zipped inspect log: `header.json` and `samples/*.json`."""
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()

        def unpacked(name: str) -> Any:
            if archive.getinfo(name).file_size > LONGEST_DOCUMENT:
                raise BadTrace(str(file), 0, f"{name} is larger than {LONGEST_DOCUMENT} bytes")
            return _parse(archive.read(name).decode(), file, 0)

        header = unpacked("header.json") if "header.json" in names else {}
        evaluation = header.get("eval") if isinstance(header, Mapping) else {}
        for name in sorted(name for name in names if name.startswith("samples/") and name.endswith(".json")):
            yield inspect_run(_table(unpacked(name), file), evaluation or {}, file.stem)


def _opened(file: Path, errors: str = "strict") -> TextIO:
    if file.suffix != ".gz":
        return file.open(encoding="utf-8-sig", errors=errors)
    import gzip

    return gzip.open(file, "rt", encoding="utf-8-sig", errors=errors)


def _lines(file: Path) -> Iterator[str]:
    with _opened(file, "surrogateescape") as text:  # a line that is no UTF-8 costs itself alone
        for number, line in enumerate(iter(partial(text.readline, LONGEST_LINE + 1), ""), 1):
            if len(line) > LONGEST_LINE:
                raise BadTrace(str(file), number, f"has more than {LONGEST_LINE} characters in one line")
            yield line


def _document(file: Path) -> Any:
    if file.name == "messages.json" and not file.is_file():  # read beside a meta.json, so `_files` did not check it
        raise BadTrace(str(file), 0, "is no regular file")
    text = _whole(file) if file.stat().st_size <= LONGEST_DOCUMENT else None
    if text is None:
        raise BadTrace(str(file), 0, f"is larger than {LONGEST_DOCUMENT} bytes; give it as lines (.jsonl)")
    return _parse(text, file, 1)


def _whole(file: Path) -> str | None:
    """All of a file's text; None if it is too long. A read of so many characters at once would ask for as much memory first."""
    pieces, size = list[str](), 0
    with _opened(file) as opened:
        while size <= LONGEST_DOCUMENT and (piece := opened.read(PIECE)):
            pieces.append(piece)
            size += len(piece)
    return "".join(pieces) if size <= LONGEST_DOCUMENT else None


def _parse(text: str, file: Path, line: int) -> Any:
    if not text.isascii() and _NO_UTF8.search(text):
        raise BadTrace(str(file), line, "is no UTF-8")
    try:
        value = json.loads(text)
        # half of a surrogate pair could not be encoded for any output
        return json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace")) if _SURROGATE.search(text) else value
    except json.JSONDecodeError as error:
        if not text.strip():
            raise BadTrace(str(file), 0, "is empty") from error
        raise BadTrace(str(file), line + error.lineno - 1 if line else 0, f"is no JSON: {error.msg}") from error
    except (RecursionError, ValueError) as error:
        raise BadTrace(str(file), line, f"is no JSON that can be read: {error}") from error


def _table(value: Any, file: Path, line: int = 1) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadTrace(str(file), line, f"is a {type(value).__name__}, not an object")
    return value
