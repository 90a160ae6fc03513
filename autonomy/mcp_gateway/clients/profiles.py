"""The profile of each gateway client, by its token or the name it was started with."""

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
    """The permissions and limits of one client. A client is known by its token or by the command that started it, never by what
    it says of itself."""

    face: Literal["all", "search"] = "all"
    """All tools by their full names, or four tools to find and call the others."""
    list_found: bool = False
    """In the search face: whether tools that a search found are listed, too, and the client is told that its list changed. One of
    2026-07-28 that listens for that has it anyway; earlier ones cannot say whether they do."""
    names: Literal["full", "own"] = "full"
    """Tools and prompts by their full names (`server_tool`), or by their servers' own where no two servers share one."""
    tools: tuple[str, ...] = ("*",)
    """Globs of the full names of tools it may use."""
    effects: tuple[Effect, ...] = tuple(Effect)
    """What its calls may do; tools of other effects are not shown."""
    read_only: bool = False
    writes: Literal["allow", "ask", "deny"] = "ask"
    """Writes that no rule of the operator speaks of."""
    exits: Literal["allow", "ask", "deny"] = "ask"
    """Reads that would take out what was read at another provider, or open an address that stands there."""
    approval_wait_s: float = Field(50.0, ge=0)
    """How long a call waits for a person where the client cannot ask its own; then it answers that approval is pending. Most
    clients give a call 60 seconds."""
    list_wait_s: float = Field(2.0, ge=0, le=60)
    """How long the first list waits for servers that are starting. It shows what they listed last time; who comes later is
    announced."""
    calls_per_minute: int = Field(600, ge=1)
    calls_at_once: int = Field(32, ge=1)
    compact: bool = False
    """Whether JSON in texts is sent without the white space between its parts."""
    jobs: tuple[str, ...] = ()
    """Names of jobs that it may run."""
    ask: bool = False
    """Whether it may hand a goal to Jiritsu."""
    token_env: str = ""
    """The variable that holds its bearer token; a profile with neither this nor `oauth_client` is for stdio alone."""
    oauth_client: str = ""
    """What the claim of its OAuth access token says (`[gateway.oauth]`)."""

    def policy(self, operator: Policy) -> Policy:
        """The operator's rules stand above the profile."""
        effects = tuple(Effect) if not self.read_only else (Effect.READ,)
        forbidden = tuple(effect for effect in Effect if effect not in effects or effect not in self.effects)
        own = (PolicyRule(name="the client's profile", decision="deny", effects=forbidden),) if forbidden else ()
        return operator.model_copy(update={"rules": (*operator.rules, *own), "free_writes": self.writes})

    def policy_for(self, policy: Policy, tool: str, carried: str) -> Policy:
        """The policy for one read that would carry something out; the operator's own rules stand before it."""
        rule = PolicyRule(name="data flow", decision=self.exits, tool=escape(tool), reason=carried)
        return policy.model_copy(update={"rules": (*policy.rules, rule)})

    def shows(self, effect: Effect) -> bool:
        """Whether tools of this effect are there for it."""
        return effect in self.effects and (effect is Effect.READ or not self.read_only)


class GatewayClients(Frozen):
    """`[gateway]` in the settings: profiles by name."""

    clients: dict[str, ClientProfile] = Field(default_factory=dict)
    oauth: GatewayOAuth | None = None
    """Whose access tokens are taken beside the tokens of `token_env`."""

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
        """The profile of that name; the default one is there without being written."""
        return self.clients.get(name) or (ClientProfile() if name == EVERYONE else None)

    def tokens(self, env: Mapping[str, str]) -> dict[str, str]:
        """Token → profile's name, of those whose variable is set. Raises `ValueError` for a token that two have."""
        found = dict[str, str]()
        for name, profile in self.clients.items():
            token = env.get(profile.token_env, "") if profile.token_env else ""
            if token in found:
                raise ValueError(f"{found[token]} and {name} have the same token: nobody would know who knocks")
            if token:
                found[token] = name
        return found

    def access_tokens(self) -> "AccessTokens | None":
        """The verifier of OAuth access tokens; None if no client uses one."""
        known = {profile.oauth_client: name for name, profile in self.clients.items() if profile.oauth_client}
        if self.oauth is None or not known:
            return None
        from autonomy.mcp_gateway.clients.access_tokens import AccessTokens

        return AccessTokens(self.oauth, known)


def client_of(token: str, tokens: Mapping[str, str]) -> str | None:
    """The client of a token; all tokens are compared, in constant time."""
    found = [name for known, name in tokens.items() if hmac.compare_digest(token.encode(), known.encode())]
    return found[0] if found else None
