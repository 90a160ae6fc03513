"""What is stored is sealed for its owner, and a new secret takes over without losing anything."""

import stat
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from autonomy.errors import ConfigError, StoreError
from autonomy.hr import hr_tables
from autonomy.hr.secrets.credential_store import Credentials, CredentialStore
from autonomy.hr.secrets.vault import KEYS_FILE, Vault, add_key
from tests.requirements import requirement

OLD, NEW = "the secret of last year", "the secret of this year"
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@requirement("H6")
@given(json_values, st.lists(st.text(), max_size=3))
def test_what_was_sealed_opens_for_its_owner(value: object, owner: list[str]):
    vault = Vault([OLD])
    assert vault.unseal(vault.seal(value, *owner), *owner) == value


@requirement("H6", "H11")
def test_it_opens_for_nobody_else_with_no_other_secret_and_not_when_changed():
    sealed = Vault([OLD]).seal("token", "acme", "freee")
    with pytest.raises(StoreError, match="somebody else"):
        Vault([OLD]).unseal(sealed, "other", "freee")
    with pytest.raises(StoreError, match="does not open"):
        Vault([NEW]).unseal(sealed, "acme", "freee")
    with pytest.raises(StoreError, match="does not open"):
        Vault([OLD]).unseal(sealed[:-4] + "AAA=", "acme", "freee")


@requirement("H6")
def test_rotation_reseals_everything_so_that_the_old_secret_can_go(engine: sa.Engine):
    CredentialStore(engine, Vault([OLD])).save("acme", "freee", Credentials(access_token=SecretStr("token")))
    assert CredentialStore(engine, Vault([NEW, OLD])).rotate() == 1
    found = CredentialStore(engine, Vault([NEW])).load("acme", "freee")
    assert found.access_token.get_secret_value() == "token"


def test_a_rotation_that_meets_something_it_cannot_open_changes_nothing(engine: sa.Engine):
    CredentialStore(engine, Vault([OLD])).save("acme", "freee", Credentials(access_token=SecretStr("token")))
    CredentialStore(engine, Vault(["a secret nobody has anymore"])).save(
        "zeta", "freee", Credentials(access_token=SecretStr("x"))
    )

    def stored() -> list[str]:
        with engine.connect() as connection:
            return list(connection.execute(sa.select(hr_tables.credentials.c.sealed)).scalars())

    before = stored()
    with pytest.raises(StoreError, match="left as it is"):
        CredentialStore(engine, Vault([NEW, OLD])).rotate()
    assert stored() == before


def test_without_a_setting_a_secret_is_made_that_only_its_owner_can_read(tmp_path: Path):
    sealed = Vault.open(tmp_path / "new").seal("token", "acme")
    file = tmp_path / "new" / KEYS_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Vault.open(tmp_path / "new").unseal(sealed, "acme") == "token"
    add_key(tmp_path / "new")
    assert len(file.read_text().split()) == 2
    assert Vault.open(tmp_path / "new").unseal(sealed, "acme") == "token"


def test_of_two_processes_that_make_the_first_secret_at_once_both_use_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    sealed = Vault.open(tmp_path).seal("token", "acme")
    monkeypatch.setattr(Path, "exists", lambda _: False)  # the other has looked before
    assert Vault.open(tmp_path).unseal(sealed, "acme") == "token"
    assert [file.name for file in tmp_path.iterdir()] == [KEYS_FILE]


def test_the_setting_goes_before_the_file(tmp_path: Path):
    assert Vault.open(tmp_path, f"{NEW}, {OLD}").unseal(Vault([OLD]).seal(1, "a"), "a") == 1
    assert not (tmp_path / KEYS_FILE).exists()


@pytest.mark.parametrize(("keys", "said"), [([], "no secret"), (["short"], "shorter than 16")])
def test_a_secret_that_is_none_is_refused(keys: list[str], said: str):
    with pytest.raises(ConfigError, match=said):
        Vault(keys)


def test_a_key_for_digests_is_made_once_for_each_tenant(engine: sa.Engine):
    store = CredentialStore(engine, Vault([OLD]))
    assert store.audit_key("acme") == store.audit_key("acme") != store.audit_key("other")
