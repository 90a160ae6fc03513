"""A process that wants a token again and again, all at once with others."""

from multiprocessing.connection import Connection

import anyio
from pydantic import SecretStr

from autonomy.database import open_engine
from autonomy.hr.secrets.credential_store import CredentialStore
from autonomy.hr.secrets.oauth_tokens import FreeeTokenManager, OAuthApp
from autonomy.hr.secrets.vault import Vault


def race_for_tokens(url: str, token_url: str, key: str, rounds: int, pipe: Connection) -> None:
    """Say that it is ready, wait for the start, and tell the tokens it got."""
    engine = open_engine(url)
    store = CredentialStore(engine, Vault([key]))
    app = OAuthApp(client_id="client-id", client_secret=SecretStr("client-secret"), token_url=token_url)

    async def race() -> list[str]:
        manager = FreeeTokenManager(store, app)
        got = []
        for _ in range(rounds):
            token = await manager.get_access_token("acme")
            got.append(await manager.refresh("acme", stale=token))
        return got

    pipe.send("ready")
    pipe.recv()
    pipe.send(anyio.run(race))
