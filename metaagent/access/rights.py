"""Rights by role. Pure: roles and policies go in, a decision comes out. What no policy names is denied."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from metaagent.config import Access, Policy
from metaagent.errors import AccessDenied, ConfigInvalid, Text
from metaagent.input_checks import admit_user
from metaagent.plugin import AgentSpec
from metaagent.ports import User
from metaagent.values import nearest

INSTALLATION_RIGHT = "installation.manage"
"""Calls that concern every company: only people of the installation's own company can have it, whatever roles others have."""

OWNED = (
    "session.ask",
    "session.resume",
    "session.approve",
    "session.read",
    "session.control",
    "session.delete",
    "session.share",
    "artifact.read",
    "memory.read",
    "memory.change",
    "stored.read",
    "stored.undo",
    "document.read",
    "document.write",
    "document.approve",
    "document.release",
    "erase",
    "login.manage",
)
"""Calls on something that belongs to a person. `:any` extends them to others of the same company."""

OF_OTHERS = ("compliance.override",)
"""Calls on something of another person, never on one's own. They must be named: `*` is not enough."""

OPERATIONS = (
    *OWNED,
    *OF_OTHERS,
    "accounts.manage",
    "agents.switch",
    "rules.waive",
    "knowledge.read",
    "knowledge.change",
    "knowledge.publish",
    "index.manage",
    "audit.read",
    "audit.reveal",
    "audit.verify",
    "audit.export",
    "keys.read",
    "keys.manage",
    "holds.manage",
    "retention.apply",
    "logs.read",
    INSTALLATION_RIGHT,
)
ALL = "*"
DEFAULT_ROLE = "employee"
NOT_THE_OWNER = "~"
"""Ends the name of a person who is called like the owner of the installation and is somebody else."""
UNKNOWN_ROLE = "unknown"
"""Stands for a role that no policy describes: its name is anybody's text."""

_EVERYTHING: dict[str, Any] = {
    "agents": [ALL],
    "capabilities": [ALL],
    "data": [ALL],
    "artifacts": [ALL],
    "ports": [ALL],
    "collections": [ALL],
}
OPEN_LABELS = ["public", "internal"]
"""Labels of documents that everybody of a company may search unless a policy says otherwise."""
_SESSIONS = [f"session.{name}" for name in ("ask", "resume", "approve", "read", "control", "delete", "share")]
_PERSONAL = [
    *("artifact.read", "memory.read", "memory.change", "stored.read"),
    *("document.read", "document.write", "knowledge.read", "knowledge.change", "login.manage"),
]
BUILT_IN: Mapping[str, Policy] = {
    # Not `session.read:any`: nobody reads what others asked unless a policy says so in so many words.
    "owner": Policy.model_validate({"operations": [ALL, "erase:any"], **_EVERYTHING}),
    "employee": Policy.model_validate(
        {
            **_EVERYTHING,
            "operations": [*_SESSIONS, *_PERSONAL],
            "data": [],
            "collections": OPEN_LABELS,
        }
    ),
    # Adds and removes the company's documents of every label, and sees them.
    "librarian": Policy(
        operations=["knowledge.read", "knowledge.change", "knowledge.publish", "index.manage"],
        collections=[ALL],
    ),
    # Decides on plans and documents of others and on undoing what was stored, and sees nothing else of them.
    "approver": Policy(
        operations=[
            *("session.approve:any", "stored.undo:any"),
            *("document.read:any", "document.approve:any", "document.release:any"),
        ]
    ),
    # Sees what a check found, and decides whether it may pass all the same.
    "compliance_officer": Policy(
        operations=["compliance.override", "rules.waive", "document.read:any", "document.release:any"]
    ),
    "reviewer": Policy(
        operations=["audit.read", "audit.reveal", "audit.verify", "audit.export", "keys.read"]
    ),
    "security_officer": Policy(
        operations=[
            "erase:any",
            "accounts.manage",
            "agents.switch",
            "audit.verify",
            "keys.read",
            "keys.manage",
            "holds.manage",
            "retention.apply",
            "logs.read",
            INSTALLATION_RIGHT,
        ]
    ),
}

_UNKNOWN = Text(
    en="Role {role!r} names the operation {value!r}, which does not exist{hint}.",
    ko="역할 {role!r}에 없는 작업 {value!r}이(가) 있습니다{hint}.",
)
_DENIED = Text(
    en="You ({roles}) may not do this: {operation}. Someone who may change access.policies can allow it.",
    ko="권한이 없습니다({roles}): {operation}. access.policies를 바꿀 수 있는 사람이 허용할 수 있습니다.",
)
_NO_SUCH_ROLE = Text(
    en="There is no role {roles} here, so it does not allow this: {operation}. Check its spelling; access.policies and the "
    "built-in roles say which there are.",
    ko="{roles} 역할은 여기에 없어 아무것도 허용하지 않습니다: {operation}. 철자를 확인하세요(access.policies와 기본 역할).",
)


def denied(operation: str, roles: Sequence[str], known: Sequence[str] = ()) -> AccessDenied:
    """The refusal of an operation to somebody with these roles; `known` are those of them that a policy describes."""
    from metaagent.audit.right_words import right_said, right_words

    said, right = right_said(operation), right_words(operation)
    unknown = [role for role, found in zip(roles, known, strict=False) if found == UNKNOWN_ROLE]
    if unknown and len(unknown) == len(roles):
        named = ", ".join(repr(role) for role in unknown)
        return AccessDenied(_NO_SUCH_ROLE, operation=said, right=right, roles=named)
    return AccessDenied(_DENIED, operation=said, right=right, roles=", ".join(roles) or "-")


OF_THE_INSTALLATION = Text(
    en="This concerns every company of the installation: only people of its own company ({company}) may do it.",
    ko="설치 전체의 모든 회사에 영향을 주는 작업입니다: 설치를 운영하는 회사({company})의 사람만 할 수 있습니다.",
)
DENIED_AGENT = Text(
    en="You may not use {agent}: {what} is not open to your roles ({roles}).",
    ko="{agent}을(를) 쓸 권한이 없습니다. {what}은(는) 내 역할({roles})로 쓸 수 없습니다.",
)
_LACKED = {
    "agent": Text(en="this agent", ko="이 에이전트"),
    "capability": Text(en="this kind of work", ko="이 종류의 작업"),
    "data": Text(en="the data '{name}'", ko="'{name}' 데이터"),
}


def lacked(lacking: str) -> Text:
    """Say in words what `Rights.lacks` names: `data:salary_bands` is the data 'salary bands'."""
    kind, _, name = lacking.partition(":")
    return _LACKED[kind].fixed(name=name.replace("_", " "))


_BEHIND = {"memory": ("memory.read", "memory.change")}
"""Operations of calls that do the same as an agent with this port."""


@dataclass(frozen=True)
class Rights:
    """Everything that one person's roles allow together."""

    roles: tuple[str, ...]
    operations: frozenset[str]
    agents: frozenset[str]
    capabilities: frozenset[str]
    data: frozenset[str]
    artifacts: frozenset[str]
    ports: frozenset[str]
    collections: frozenset[str] = frozenset()
    scopes: frozenset[str] | None = None
    """Operations that the person's API key is limited to; None if it is not, or there is none."""

    def may(self, operation: str, *, own: bool = True) -> bool:
        if self.scopes is not None and operation not in self.scopes:
            return False
        if operation in OF_OTHERS:
            return not own and operation in self.operations
        if f"{operation}:any" in self.operations:
            return True
        return own and bool({operation, ALL} & self.operations)

    def may_use(self, agent: str) -> bool:
        return _in(agent, self.agents)

    def may_ask(self, capability: str) -> bool:
        return _in(capability, self.capabilities)

    def sees(self, kind: str) -> bool:
        return _in(kind, self.artifacts)

    def port(self, name: str) -> bool:
        """A program that asks gets at what a person keeps with the scopes alone that calls on it need."""
        behind = frozenset(_BEHIND.get(name, ()))
        return _in(name, self.ports) and (self.scopes is None or behind <= self.scopes)

    def searches(self, name: str, label: str) -> bool:
        """Tells whether documents of the company's collection of this name and label may be searched and read."""
        return _in(label, self.collections) or f"name:{name}" in self.collections

    def covers(self, other: Rights) -> bool:
        """Tell if all data, documents and artifacts that the other may see are open to these roles, too."""
        pairs = (
            (self.data, other.data),
            (self.collections, other.collections),
            (self.artifacts, other.artifacts),
        )
        return all(ALL in mine or theirs <= mine for mine, theirs in pairs)

    @property
    def granted(self) -> frozenset[str] | None:
        """The data scopes, as a plan is judged against them; None grants all."""
        return None if ALL in self.data else self.data

    def lacks(self, spec: AgentSpec, capability: str | None = None) -> str | None:
        """Name what is missing to use this agent (for this capability, or for any of its own); None if nothing is."""
        if not self.may_use(spec.name):
            return f"agent:{spec.name}"
        own = [each.name for each in spec.capabilities]
        wanted = own if capability is None else [capability]
        if not any(name in own and self.may_ask(name) for name in wanted):
            return f"capability:{capability or own[0]}"
        missing = [scope for scope in spec.permissions if not _in(scope, self.data)]
        return f"data:{missing[0]}" if missing else None


def rights_of(policies: Mapping[str, Policy], user: User) -> Rights:
    """A role that no policy describes adds nothing."""
    known = [policies[role] for role in user.roles if role in policies]

    def all_of(name: str) -> frozenset[str]:
        return frozenset(item for policy in known for item in getattr(policy, name))

    return Rights(
        tuple(role if role in policies else UNKNOWN_ROLE for role in user.roles),
        all_of("operations"),
        agents=all_of("agents"),
        capabilities=all_of("capabilities"),
        data=all_of("data"),
        artifacts=all_of("artifacts"),
        ports=all_of("ports"),
        collections=all_of("collections"),
        scopes=None if user.scopes is None else frozenset(user.scopes),
    )


def policies_of(access: Access) -> dict[str, Policy]:
    """The built-in roles and the configured ones, which win. A misspelt operation is refused, not ignored."""
    policies = {**BUILT_IN, **access.policies}
    for role, policy in policies.items():
        for value in policy.operations:
            if value not in _SPELLINGS:
                near = nearest(value, _SPELLINGS)
                hint = f": {near}?" if near else ""
                raise ConfigInvalid(_UNKNOWN, role=role, value=value, hint=hint)
    return policies


def roles_of(access: Access, user_id: str, company_id: str, named: Iterable[str] = ()) -> tuple[str, ...]:
    """Roles of a person at the command line: the ones that were named, else configured, else those of anyone."""
    given = tuple(named)
    if given:
        return given
    if (user_id, company_id) == (User().user_id, User().company_id):
        return User().roles
    for name in (f"{company_id}/{user_id}", user_id):
        if name in access.users:
            return tuple(access.users[name])
    return (DEFAULT_ROLE,)


def visitor(user: User) -> User:
    """The person as a door lets them in: neither the owner of the installation nor mistaken for them, whatever an account
    or a claim says. Whoever is called like the owner is told apart by a mark, so that the two share nothing."""
    owner, name = User(), admit_user(user).user_id
    if user.company_id == owner.company_id and name.rstrip(NOT_THE_OWNER) == owner.user_id:
        name += NOT_THE_OWNER  # to every such name, marked or not: no two people become one
    roles = tuple(role for role in user.roles if role not in owner.roles)
    return admit_user(replace(user, user_id=name, roles=roles, visiting=True))


def _in(name: str, allowed: Collection[str]) -> bool:
    return ALL in allowed or name in allowed


_SPELLINGS = (ALL, *OPERATIONS, *(f"{name}:any" for name in OWNED))
