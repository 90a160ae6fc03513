"""Stores OAuth tokens of remote servers, in memory or encrypted in the database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio.to_thread
from mcp.shared.auth import OAuthClientInformationFull, OAuthMetadata, OAuthToken, ProtectedResourceMetadata
from pydantic import SecretStr, ValidationError
from sqlalchemy import Engine, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from discovery.catalog import Frozen
from discovery.ciphers import cipher_for
from discovery.discovery_tables import sign_ins as table
from discovery.timing.clock import Clock

_POLL_S = 0.1


class SignIn(Frozen):
    """Everything that is needed to stay signed in to one server."""

    tokens: OAuthToken | None = None
    expires_at: float | None = None
    """Seconds since the epoch; None if the server did not tell."""
    client: OAuthClientInformationFull | None = None
    metadata: OAuthMetadata | None = None
    resource: ProtectedResourceMetadata | None = None
    challenge: str = ""
    """The server's `WWW-Authenticate` header when it last demanded more scopes and nobody could be asked."""


class SignInStore:
    """The sign-ins by server address."""

    def __init__(self, engine: Engine | None, key: SecretStr | None, clock: Clock) -> None:
        """`key` holds one or more secrets, separated by commas, newest first; without one, nothing is stored on disk."""
        self._engine = engine if key else None
        self._fernet = cipher_for("jiritsu discovery sign-ins", _parts(key)) if key else None
        self._clock = clock
        self._known: dict[str, SignIn] = {}

    async def read(self, url: str) -> SignIn:
        """Return what is stored; an empty sign-in if there is none or no key decrypts it. Raises the database's errors."""
        if self._engine is not None:
            sealed = await anyio.to_thread.run_sync(_read, self._engine, url)
            if sealed:
                self._known[url] = self._unsealed(sealed)
        return self._known.get(url, SignIn())

    async def write(self, url: str, sign_in: SignIn) -> None:
        """Store a sign-in; it is on disk when this returns. Raises the database's errors."""
        if self._engine is not None and self._fernet is not None:
            sealed = self._fernet.encrypt(sign_in.model_dump_json().encode())
            await anyio.to_thread.run_sync(_write, self._engine, url, sealed)
        self._known[url] = sign_in

    @asynccontextmanager
    async def lease(self, url: str, seconds: float) -> AsyncIterator[None]:
        """Ensure that no other process renews this sign-in meanwhile; the lease of a dead process ends after `seconds`, also
        where the clock was set back since."""
        if self._engine is None:
            yield
            return
        met_until, met_at = 0.0, self._clock.monotonic()
        while True:
            dead = met_until if self._clock.monotonic() - met_at > seconds else 0.0
            until, is_ours = await anyio.to_thread.run_sync(_locked, self._engine, url, self._clock.now(), seconds, dead)
            if is_ours:
                break
            if until != met_until:
                met_until, met_at = until, self._clock.monotonic()
            await self._clock.sleep(_POLL_S)
        try:
            yield
        finally:
            with anyio.CancelScope(shield=True), suppress(SQLAlchemyError):  # then it ends by itself
                await anyio.to_thread.run_sync(_unlock, self._engine, url, until)

    def _unsealed(self, sealed: bytes) -> SignIn:
        if self._fernet is None:
            return SignIn()
        from cryptography.fernet import InvalidToken

        try:
            return SignIn.model_validate_json(self._fernet.decrypt(sealed))
        except (InvalidToken, ValidationError):
            return SignIn()


def _parts(key: SecretStr) -> list[str]:
    return [part.strip() for part in key.get_secret_value().split(",") if part.strip()]


def _read(engine: Engine, url: str) -> bytes:
    with engine.connect() as connection:
        return connection.execute(select(table.c.sealed).where(table.c.server_url == url)).scalar() or b""


def _write(engine: Engine, url: str, sealed: bytes) -> None:
    changed = update(table).where(table.c.server_url == url).values(sealed=sealed)
    with engine.begin() as connection:
        if connection.execute(changed).rowcount == 0:
            connection.execute(insert(table).values(server_url=url, sealed=sealed, locked_until=0.0))


def _locked(engine: Engine, url: str, now: float, seconds: float, dead: float) -> tuple[float, bool]:
    """Take the lease, unless another process has it; returns until when somebody has it, and whether it is ours.

    `dead`: the end of a lease that nobody has any more, whatever the clock says.
    """
    until = now + seconds
    free = (table.c.server_url == url) & ((table.c.locked_until < now) | (table.c.locked_until == dead))
    try:
        with engine.begin() as connection:
            if connection.execute(update(table).where(free).values(locked_until=until)).rowcount:
                return until, True
            held_until = connection.execute(select(table.c.locked_until).where(table.c.server_url == url)).scalar()
            if held_until is not None:
                return held_until, False
            connection.execute(insert(table).values(server_url=url, sealed=b"", locked_until=until))
            return until, True
    except IntegrityError:  # another process made the row at the same moment
        return 0.0, False


def _unlock(engine: Engine, url: str, until: float) -> None:
    """Give back our own lease: one that has ended may be another process's by now."""
    ours = (table.c.server_url == url) & (table.c.locked_until == until)
    with engine.begin() as connection:
        connection.execute(update(table).where(ours).values(locked_until=0.0))
