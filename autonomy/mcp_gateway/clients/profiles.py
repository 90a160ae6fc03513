"""Defines what each client of the gateway may do, and identifies clients by token or name."""

import hmac
from collections.abc import Mapping
from glob import escape
from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from autonomy.mcp_gateway.clients.oauth_settings import GatewayOAuth
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from discovery.catalog import Effect, Frozen

if TYPE_CHECKING:
    from autonomy.mcp_gateway.clients.access_tokens import AccessTokens

EVERYONE = "default"
"""The profile of a client over stdio that names none."""


class ClientProfile(Frozen):
    """The permissions and limits of one client. A client is identified by its token or by the command that started it, never by
    what it claims."""

    face: Literal["all", "search"] = "all"
    """All tools by their full names, or four tools with which to find and call the others."""
    list_found: bool = False
    """In the search face: whether tools that were found are listed as well, and the client is notified. A client of 2026-07-28
    that subscribes to changes of the list gets this anyway; earlier ones cannot subscribe."""
    names: Literal["full", "own"] = "full"
    """Tools and prompts by their full names (`server_tool`), or by their servers' own names where these are unique."""
    tools: tuple[str, ...] = ("*",)
    """Globs of the full names of tools that it may use."""
    effects: tuple[Effect, ...] = tuple(Effect)
    """The effects that its calls may have. Tools of other effects are not shown."""
    read_only: bool = False
    """Whether it may use only tools that read."""
    writes: Literal["allow", "ask", "deny"] = "ask"
    """For writes to which no rule of the operator applies."""
    exits: Literal["allow", "ask", "deny"] = "ask"
    """For reads that would send out data which was read from another provider, or open an address found there."""
    approval_wait_s: float = Field(50.0, ge=0)
    """How long a call waits for an approval by the operator, if the client cannot ask its person. After that it answers that the
    approval is pending. Most clients wait 60 seconds for a call."""
    list_wait_s: float = Field(2.0, ge=0, le=60)
    """How long the first list waits for starting servers. After that it shows what they listed last time, and changes are
    announced."""
    calls_per_minute: int = Field(600, ge=1)
    """Further ones are refused."""
    calls_at_once: int = Field(32, ge=1)
    """Further ones wait."""
    compact: bool = False
    """Whether white space is removed from JSON texts."""
    jobs: tuple[str, ...] = ()
    """Names of jobs that it may run."""
    ask: bool = False
    """Whether it may give Jiritsu a goal."""
    token_env: str = ""
    """The variable that holds its bearer token. A profile with neither this nor `oauth_client` works over stdio only."""
    oauth_client: str = ""
    """The value of the claim in its OAuth access token (`[gateway.oauth]`)."""

    def policy(self, operator: Policy) -> Policy:
        """Return the operator's policy, with this profile's rules after those of the operator."""
        effects = tuple(Effect) if not self.read_only else (Effect.READ,)
        forbidden = tuple(effect for effect in Effect if effect not in effects or effect not in self.effects)
        own = (PolicyRule(name="the client's profile", decision="deny", effects=forbidden),) if forbidden else ()
        return operator.model_copy(update={"rules": (*operator.rules, *own), "free_writes": self.writes})

    def policy_for(self, policy: Policy, tool: str, carried: str) -> Policy:
        """Return the policy for one read that would send data out, with the operator's rules first. `carried`: which data."""
        rule = PolicyRule(name="data flow", decision=self.exits, tool=escape(tool), reason=carried)
        return policy.model_copy(update={"rules": (*policy.rules, rule)})

    def shows(self, effect: Effect) -> bool:
        """Whether the client sees tools of this effect."""
        return effect in self.effects and (effect is Effect.READ or not self.read_only)


class GatewayClients(Frozen):
    """`[gateway]` in the settings: profiles by name."""

    clients: dict[str, ClientProfile] = Field(default_factory=dict)
    """The profile of each client: `[gateway.clients.NAME]`."""
    oauth: GatewayOAuth | None = None
    """Which access tokens are accepted besides the tokens of `token_env`."""

    @model_validator(mode="after")
    def _one_client_each(self) -> "GatewayClients":
        for field in ("token_env", "oauth_client"):
            owners = dict[str, str]()
            for name, profile in self.clients.items():
                value = getattr(profile, field)
                if value and value in owners:
                    raise ValueError(f"{owners[value]} and {name} have the same {field} {value!r}: nobody would know who knocks")
                owners[value] = name
        return self

    def named(self, name: str) -> ClientProfile | None:
        """Return the profile of that name. The default profile exists without being configured."""
        return self.clients.get(name) or (ClientProfile() if name == EVERYONE else None)

    def tokens(self, env: Mapping[str, str]) -> dict[str, str]:
        """Return token → name of the profile, for each variable that is set. Raises `ValueError` for a token that two have."""
        found = dict[str, str]()
        for name, profile in self.clients.items():
            token = env.get(profile.token_env, "") if profile.token_env else ""
            if token in found:
                raise ValueError(f"{found[token]} and {name} have the same token: nobody would know who knocks")
            if token:
                found[token] = name
        return found

    def access_tokens(self) -> "AccessTokens | None":
        """Return the verifier of OAuth access tokens; None if no client uses one."""
        known = {profile.oauth_client: name for name, profile in self.clients.items() if profile.oauth_client}
        if self.oauth is None or not known:
            return None
        from autonomy.mcp_gateway.clients.access_tokens import AccessTokens

        return AccessTokens(self.oauth, known)


def client_of(token: str, tokens: Mapping[str, str]) -> str | None:
    """Return the client of a token, or None. Always compares all tokens, so that the time tells nothing."""
    found = [name for known, name in tokens.items() if hmac.compare_digest(token.encode(), known.encode())]
    return found[0] if found else None
