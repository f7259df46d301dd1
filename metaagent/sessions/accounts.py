"""Accounts with passwords, API keys and log-ins, and the entry of each change and use in the trail."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from metaagent.access.gatekeeper import Gatekeeper
from metaagent.access.rights import OPERATIONS
from metaagent.audit import AuditEvent
from metaagent.errors import AccessDenied, InputRefused, Text, Unknown
from metaagent.input_checks import admit_user
from metaagent.ports import Clock, Json, User
from metaagent.storage.credentials import CredentialStore, Record
from metaagent.storage.tables import accounts, api_keys, logins
from metaagent.values import iso, nearest

MANAGE, LOGINS = "accounts.manage", "login.manage"
CALLS = {
    "add": MANAGE,
    "listed": MANAGE,
    "remove": MANAGE,
    "set_password": MANAGE,
    "end_logins": MANAGE,
    "create_key": MANAGE,
    "keys": MANAGE,
    "revoke_key": MANAGE,
    "logins": LOGINS,
    "end_login": LOGINS,
}
"""The operation that each call needs. There is no call without one."""

KEY_PREFIX = "ma"
LONGEST_PASSWORD, SHORTEST_PASSWORD = 256, 10
LONGEST_KEY_DAYS = 366
TOUCHED_AFTER = timedelta(minutes=10)
"""A key's last use is written at most this often."""

_SHORT = Text(
    en="A password has {least} to {most} characters.",
    ko="비밀번호는 {least}자 이상 {most}자 이하여야 합니다.",
)
_TAKEN = Text(
    en="There is an account {name!r} already; `metaagent accounts password` changes its password.",
    ko="계정 {name!r}이(가) 이미 있습니다. `metaagent accounts password`로 비밀번호를 바꿀 수 있습니다.",
)
_NO_ACCOUNT = Text(en="There is no account {name!r}.", ko="계정 {name!r}이(가) 없습니다.")
_NO_KEY = Text(en="There is no API key {key!r}.", ko="API 키 {key!r}이(가) 없습니다.")
_NO_LOGIN = Text(en="There is no log-in {login!r}.", ko="로그인 {login!r}이(가) 없습니다.")
_OTHER_COMPANY = Text(
    en="Accounts and keys of {company} are managed by its own people, or by those who run the installation.",
    ko="{company}의 계정과 키는 그 회사 사람이나 설치를 운영하는 사람만 관리할 수 있습니다.",
)
_BAD_SCOPE = Text(
    en="{scope!r} is no operation that a key can be limited to{hint}.",
    ko="{scope!r}은(는) 키를 제한할 수 있는 작업이 아닙니다{hint}.",
)
_BAD_DAYS = Text(en="A key lives 1 to {most} days.", ko="키의 수명은 1일 이상 {most}일 이하입니다.")


@dataclass(frozen=True)
class LoggedIn:
    """A person at a door, and the log-in or key by which they came."""

    user: User
    by: str
    """The id of that log-in or key."""
    means: str
    """The proof that they gave: `one_time`, `password`, `oidc`, `proxy` or `key`."""


class AccountService:
    """Names and secrets are looked up by keyed hash; who may change them is the gatekeeper's."""

    def __init__(
        self,
        store: CredentialStore,
        gatekeeper: Gatekeeper,
        clock: Clock,
        keyed_hash: Callable[[bytes], str],
    ) -> None:
        self._store = store
        self._gatekeeper = gatekeeper
        self._clock = clock
        self._keyed_hash = keyed_hash

    # --- accounts ---------------------------------------------------------------------------------------

    async def add(self, name: str, person: User, password: str, *, user: User) -> Json:
        """Make an account by which this person logs in."""
        await self._admit("add", user, person.company_id)
        admit_user(person)
        admit_user(User(name, person.company_id))
        made = await self._hashed(password)
        if not await self._store.add(
            accounts, self._name_hash(name), person, {}, {"name": name, "password": made}
        ):
            raise InputRefused(_TAKEN, name=name)
        await self._note(
            person, "account.added", {"roles": list(self._gatekeeper.rights(person).roles)}, by=user
        )
        return _account(name, person, self._store.now)

    async def listed(self, *, user: User) -> list[Json]:
        """Accounts of one's company; of every company for those who run the installation."""
        company = await self._admit("listed", user)
        found = await self._store.listed(accounts, company)
        return [_account(each.body["name"], each.user, each.facts["created_at"]) for each in found]

    async def remove(self, name: str, *, user: User) -> None:
        """Remove an account; its person's log-ins and keys end at once."""
        found = await self._account(name, "remove", user)
        await self._store.remove_id(accounts, found.id)
        ended = await self._store.end_all(found.user)
        await self._note(found.user, "account.removed", {"ended": ended}, by=user)

    async def set_password(self, name: str, password: str, *, user: User) -> None:
        """Change a password; whoever is logged in with the old one is logged out."""
        found = await self._account(name, "set_password", user)
        body = {**found.body, "password": await self._hashed(password)}
        facts = {"created_at": found.facts["created_at"]}
        await self._store.replace(accounts, found.id, found.user, facts, body)
        await self._end_logins(found.user)
        await self._note(found.user, "account.password_changed", {}, by=user)

    async def end_logins(self, name: str, *, user: User) -> int:
        """End every log-in of an account's person; how many that were."""
        found = await self._account(name, "end_logins", user)
        ended = await self._end_logins(found.user)
        await self._note(found.user, "login.ended", {"count": ended}, by=user)
        return ended

    async def check_password(self, name: str, password: str) -> User | None:
        """The person of this account if the password is theirs. A name that nobody has takes as long."""
        found = await self._store.by_id(accounts, self._name_hash(name)) if len(name) <= 200 else None
        right = await self._verified(found.body["password"] if found else None, password)
        if found is None:
            await self._note(None, "login.refused", {"by": "password", "reason": "unknown"})
            return None
        if not right:
            await self._note(found.user, "login.refused", {"by": "password", "reason": "password"})
            return None
        return found.user

    # --- log-ins ----------------------------------------------------------------------------------------

    async def log_in(
        self, person: User, by: str, hours: float, *, client: str = "", account: str = ""
    ) -> str:
        """Begin a log-in; its secret, which is the cookie's value. One of an `account` lasts as long as that."""
        await self._store.remove(logins, logins.c.expires_at <= self._store.now)
        secret, login_id = secrets.token_urlsafe(32), f"l{secrets.token_hex(8)}"
        expires = iso(self._clock.now() + timedelta(hours=hours))
        facts = {"secret": _digest(secret), "expires_at": expires}
        body = {
            "by": by,
            "client": client[:200],
            "account": self._name_hash(account) if account else None,
        }
        await self._store.add(logins, login_id, admit_user(person), facts, body)
        await self._note(person, "login.begun", {"by": by, "login": login_id})
        return secret

    async def logged_in(self, secret: str) -> LoggedIn | None:
        """The person of a log-in that has not ended; of an account, with the roles that it has now."""
        found = await self._store.by_secret(logins, _digest(secret))
        if found is None or found.facts["expires_at"] <= self._store.now:
            return None
        if found.body["account"] is None:
            return LoggedIn(found.user, found.id, found.body["by"])
        account = await self._store.by_id(accounts, found.body["account"])
        return None if account is None else LoggedIn(account.user, found.id, found.body["by"])

    async def log_out(self, secret: str) -> None:
        found = await self._store.by_secret(logins, _digest(secret))
        if found is not None:
            await self._store.remove_id(logins, found.id)
            await self._note(found.user, "login.ended", {"login": found.id})

    async def logins(self, *, user: User) -> list[Json]:
        """Log-ins of this person that have not ended."""
        await self._gatekeeper.require(admit_user(user), CALLS["logins"])
        found = await self._store.listed(logins, user.company_id, user)
        now = self._store.now
        return [
            {
                "login_id": each.id,
                "by": each.body["by"],
                "client": each.body["client"],
                "created_at": each.facts["created_at"],
                "expires_at": each.facts["expires_at"],
            }
            for each in found
            if each.facts["expires_at"] > now
        ]

    async def end_login(self, login_id: str, *, user: User) -> None:
        """End one of this person's log-ins."""
        await self._gatekeeper.require(admit_user(user), CALLS["end_login"])
        mine = await self._store.listed(logins, user.company_id, user)
        if login_id not in {each.id for each in mine}:
            raise Unknown(_NO_LOGIN, login=login_id[:80])
        await self._store.remove_id(logins, login_id)
        await self._note(user, "login.ended", {"login": login_id})

    async def _end_logins(self, person: User) -> int:
        found = await self._store.listed(logins, person.company_id, person)
        return sum([await self._store.remove_id(logins, each.id) for each in found])

    # --- API keys ---------------------------------------------------------------------------------------

    async def create_key(
        self, name: str, person: User, *, scopes: Sequence[str] = (), days: int = 90, user: User
    ) -> Json:
        """Make a key for a program that acts for this person, within these operations (all that their roles allow if
        empty). Its secret is in the reply and nowhere else."""
        await self._admit("create_key", user, person.company_id)
        admit_user(person)
        admit_user(User(name, person.company_id))
        if not 1 <= days <= LONGEST_KEY_DAYS:
            raise InputRefused(_BAD_DAYS, most=LONGEST_KEY_DAYS)
        key_id, secret = f"k{secrets.token_hex(8)}", secrets.token_urlsafe(32)
        expires = iso(self._clock.now() + timedelta(days=days))
        wanted = [_scope(each) for each in scopes] or None
        facts = {"secret": _digest(secret), "expires_at": expires}
        await self._store.add(api_keys, key_id, person, facts, {"name": name, "scopes": wanted})
        await self._note(person, "key.created", {"key": key_id, "scopes": wanted, "days": days}, by=user)
        made = await self._store.by_id(api_keys, key_id)
        assert made is not None, "the key that was just stored"
        return {**_key(made), "secret": f"{KEY_PREFIX}_{key_id}_{secret}"}

    async def keys(self, *, user: User) -> list[Json]:
        company = await self._admit("keys", user)
        return [_key(each) for each in await self._store.listed(api_keys, company)]

    async def revoke_key(self, key_id: str, *, user: User) -> None:
        company = await self._admit("revoke_key", user)
        found = await self._store.by_id(api_keys, key_id)
        if found is None or company not in (None, found.user.company_id):
            raise Unknown(_NO_KEY, key=key_id[:80])
        await self._store.remove_id(api_keys, key_id)
        await self._note(found.user, "key.revoked", {"key": key_id}, by=user)

    async def by_key(self, text: str) -> LoggedIn | None:
        """The person that a key acts for, within its scopes; None if it is unknown, wrong or has expired."""
        prefix, _, rest = text.partition("_")
        key_id, _, secret = rest.partition("_")
        found = await self._store.by_id(api_keys, key_id) if prefix == KEY_PREFIX else None
        if found is None:
            await self._note(None, "key.refused", {"reason": "unknown"})
            return None
        now = self._clock.now()
        expired = found.facts["expires_at"] <= iso(now)
        if expired or not secrets.compare_digest(found.facts["secret"], _digest(secret)):
            told = {"key": key_id, "reason": "expired" if expired else "secret"}
            await self._note(found.user, "key.refused", told)
            return None
        used = found.facts["used_at"]
        if used is None or used <= iso(now - TOUCHED_AFTER):
            await self._store.touch(api_keys, key_id, used_at=iso(now))
            await self._note(found.user, "key.used", {"key": key_id})
        scopes = found.body["scopes"]
        person = found.user if scopes is None else replace(found.user, scopes=tuple(scopes))
        return LoggedIn(person, key_id, "key")

    # --- inside -----------------------------------------------------------------------------------------

    def mark(self, text: str) -> str:
        """A mark that only this installation can make of this text."""
        return self._keyed_hash(text.encode("utf-8", "replace"))

    async def refused(self, reason: str, by: str) -> None:
        """Put a log-in on record that failed before anybody was known."""
        await self._note(None, "login.refused", {"by": by, "reason": reason})

    async def _admit(self, call: str, user: User, company_id: str | None = None) -> str | None:
        """The company that this person may manage; None for all of them."""
        rights = await self._gatekeeper.require(admit_user(user), CALLS[call])
        if self._gatekeeper.runs_installation(user, rights):
            return None
        if company_id is not None and company_id != user.company_id:
            await self._gatekeeper.refused(user, CALLS[call], reason="company")
            raise AccessDenied(_OTHER_COMPANY, company=company_id)
        return user.company_id

    async def _account(self, name: str, call: str, user: User) -> Record:
        company = await self._admit(call, user)
        found = await self._store.by_id(accounts, self._name_hash(name))
        if found is None or company not in (None, found.user.company_id):
            raise Unknown(_NO_ACCOUNT, name=name[:80])
        return found

    async def _note(
        self, person: User | None, event: str, data: dict[str, Any], by: User | None = None
    ) -> None:
        """Record it in the trail of the person's company; somebody who is unknown, in the installation's own."""
        tenant = (person or User()).tenant
        who = by if by is not None and by.tenant == tenant else person
        subject = {"person": person.user_id} if person is not None and by is not None else {}
        outcome = "refused" if event.endswith(".refused") else "done"
        await self._gatekeeper.record(
            AuditEvent(
                tenant=tenant,
                event=event,
                person=who.user_id if who is not None else None,
                outcome=outcome,
                data=data,
                private=subject,
            )
        )

    def _name_hash(self, name: str) -> str:
        return self._keyed_hash(b"account\0" + name.casefold().encode("utf-8", "replace"))[:40]

    async def _hashed(self, password: str) -> str:
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise InputRefused(_SHORT, least=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)
        from argon2 import PasswordHasher

        async with self._store.hashing:
            return await asyncio.to_thread(PasswordHasher().hash, password)

    async def _verified(self, known: str | None, password: str) -> bool:
        """Check a password in the time that it takes, also where there is nothing to check it against."""
        from argon2 import PasswordHasher
        from argon2.exceptions import InvalidHashError, VerificationError

        def verify() -> bool:
            try:
                return PasswordHasher().verify(known or _nobodys(), password[: LONGEST_PASSWORD + 1])
            except (VerificationError, InvalidHashError):
                return False

        async with self._store.hashing:
            return await asyncio.to_thread(verify) and known is not None


_NOBODYS: list[str] = []


def _nobodys() -> str:
    """The hash of a password that nobody knows."""
    if not _NOBODYS:
        from argon2 import PasswordHasher

        _NOBODYS.append(PasswordHasher().hash(secrets.token_urlsafe(32)))
    return _NOBODYS[0]


def _scope(name: str) -> str:
    if name.removesuffix(":any") in OPERATIONS:
        return name.removesuffix(":any")
    near = nearest(name, OPERATIONS)
    raise InputRefused(_BAD_SCOPE, scope=name[:80], hint=f": {near}?" if near else "")


def _account(name: str, person: User, created_at: str) -> Json:
    return {
        "name": name,
        "user_id": person.user_id,
        "company_id": person.company_id,
        "roles": list(person.roles),
        "created_at": created_at,
    }


def _key(found: Record) -> Json:
    return {
        "key_id": found.id,
        "name": found.body["name"],
        "user_id": found.user.user_id,
        "company_id": found.user.company_id,
        "roles": list(found.user.roles),
        "scopes": found.body["scopes"],
        "created_at": found.facts["created_at"],
        "expires_at": found.facts["expires_at"],
        "used_at": found.facts["used_at"],
    }


def _digest(secret: str) -> str:
    """Secrets are random and long: nobody can try out what has this hash."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def roles_at_door(
    users: dict[str, list[str]], user_id: str, company_id: str, default: Iterable[str]
) -> tuple[str, ...]:
    """Configured roles of somebody who comes through a door: nobody is the owner by their name."""
    for name in (f"{company_id}/{user_id}", user_id):
        if name in users:
            return tuple(users[name])
    return tuple(default)
