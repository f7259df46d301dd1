"""`metaagent accounts` and `metaagent api-keys`: who may log in to the server, and programs that act for people."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.door import Door, Reply
from metaagent.cli.options import OFFICER, command
from metaagent.cli.startup import started, ui_language
from metaagent.errors import AccessDenied, ConfigInvalid, InputRefused, Text

if TYPE_CHECKING:
    from metaagent.sessions.accounts import AccountService

_NOT_INSTALLED = Text(
    en="Passwords need a package that is not installed ({missing}): pip install 'metaagent[web]'",
    ko="비밀번호에 필요한 패키지가 설치되어 있지 않습니다({missing}): pip install 'metaagent[web]'",
)
_NO_PASSWORD = Text(
    en="No password came: type it twice, or pipe it into the standard input.",
    ko="비밀번호가 없습니다. 두 번 같게 입력하거나 표준 입력으로 넘겨 주세요.",
)
_PASSWORD = Text(en="Password: ", ko="비밀번호: ")
_AGAIN = Text(en="Again: ", ko="한 번 더: ")
_WHOSE_ROLE = Text(
    en="--role is the role that you act in ({roles}), and it may not manage accounts. The roles of the new account are given with "
    "--with-role.",
    ko="--role은 명령을 실행하는 사람의 역할({roles})이며 계정을 관리할 수 없습니다. 새 계정의 역할은 --with-role로 적으세요.",
)
_ADDED = Text(en="{name} can log in.", ko="{name} 님이 로그인할 수 있습니다.")
_REMOVED = Text(
    en="{name} can log in no more; log-ins and keys have ended.",
    ko="{name} 님은 더 이상 로그인할 수 없습니다. 로그인과 키도 끝났습니다.",
)
_CHANGED = Text(
    en="The password of {name} is changed; log-ins with the old one have ended.",
    ko="{name} 님의 비밀번호를 바꿨습니다. 이전 비밀번호로 한 로그인은 끝났습니다.",
)
_ENDED = Text(en="{count} log-ins of {name} have ended.", ko="{name} 님의 로그인 {count}개를 끝냈습니다.")
_NOBODY = Text(en="There are no accounts.", ko="계정이 없습니다.")
_NO_KEYS = Text(en="There are no API keys.", ko="API 키가 없습니다.")
_SECRET = Text(
    en="{secret}\nThis is shown once. Send it as `Authorization: Bearer …`. It expires on {day}.",
    ko="{secret}\n지금 한 번만 보입니다. `Authorization: Bearer …`로 보내세요. {day}에 만료됩니다.",
)
_REVOKED = Text(en="Key {key} counts no more.", ko="키 {key}은(는) 더 이상 쓸 수 없습니다.")

Account = Annotated[str, typer.Argument(help="The name to log in with.")]
Person = Annotated[
    str | None, typer.Option("--user", help="Who that is; the name itself if empty.", show_default=False)
]
Owner = Annotated[str, typer.Option("--user", help="The person that the program acts for.")]
Of = Annotated[
    str | None, typer.Option("--of", help="The person's company; yours if empty.", show_default=False)
]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with-role", help="A role that they have (repeatable); employee if empty.", show_default=False
    ),
]
accounts_app = typer.Typer(no_args_is_help=True, help="Add, list and remove accounts of the server.")
keys_app = typer.Typer(
    no_args_is_help=True, help="Make, list and revoke keys of programs that use the server."
)


@asynccontextmanager
async def _accounts(door: Door) -> AsyncGenerator[AccountService]:
    """Open no more than accounts need."""
    from metaagent.sessions.accounts import AccountService
    from metaagent.sessions.clock import SystemClock
    from metaagent.sessions.opening import open_stores
    from metaagent.storage.credentials import CredentialStore

    async with open_stores(door.settings) as opened:
        clock = SystemClock()
        store = CredentialStore(opened.store, clock)
        yield AccountService(store, opened.gatekeeper, clock, opened.vault.ring.keyed_hash)


def _password() -> str:
    """Typed twice at a terminal, where nobody sees it; else the first line of the standard input."""
    try:
        import argon2  # noqa: F401  # pyright: ignore[reportUnusedImport] - asked for before anybody types
    except ModuleNotFoundError as error:
        raise ConfigInvalid(_NOT_INSTALLED, missing=error.name) from error
    started()
    if not sys.stdin.isatty():
        given = sys.stdin.readline().rstrip("\r\n")
    else:
        from getpass import getpass

        given = getpass(_PASSWORD.say(ui_language()))
        given = given if getpass(_AGAIN.say(ui_language())) == given else ""
    if not given:
        raise InputRefused(_NO_PASSWORD)
    return given


@command(accounts_app, "add", OFFICER)
async def add(door: Door, name: Account, user: Person = None, of: Of = None, with_role: With = None) -> Reply:
    """Make an account; its password is asked for, or read from the standard input."""
    from metaagent.ports import User

    roles = tuple(with_role or door.settings.web.roles)
    person = User(user or name, of or door.company_id, roles)
    password = _password()
    async with _accounts(door) as service:
        try:
            made = await service.add(name, person, password, user=door.user)
        except AccessDenied as error:
            if with_role or not door.roles:
                raise
            raise AccessDenied(_WHOSE_ROLE, roles=", ".join(door.roles)) from error
    return Reply(made, [_ADDED.say(ui_language(), name=name)])


@command(accounts_app, "list", OFFICER)
async def list_accounts(door: Door) -> Reply:
    """List the accounts: name, person, company and roles."""
    async with _accounts(door) as service:
        found = await service.listed(user=door.user)
    lines = [
        f"{each['name']}  {each['company_id']}/{each['user_id']}  {', '.join(each['roles'])}"
        for each in found
    ]
    return Reply({"accounts": found}, lines or [_NOBODY.say(ui_language())])


@command(accounts_app, "remove", OFFICER)
async def remove(door: Door, name: Account) -> Reply:
    """Remove an account; its person's log-ins and keys end at once. What they asked stays."""
    async with _accounts(door) as service:
        await service.remove(name, user=door.user)
    return Reply({"removed": name}, [_REMOVED.say(ui_language(), name=name)])


@command(accounts_app, "password", OFFICER)
async def password(door: Door, name: Account) -> Reply:
    """Change a password; whoever is logged in with the old one is logged out."""
    given = _password()
    async with _accounts(door) as service:
        await service.set_password(name, given, user=door.user)
    return Reply({"changed": name}, [_CHANGED.say(ui_language(), name=name)])


@command(accounts_app, "logout", OFFICER)
async def logout(door: Door, name: Account) -> Reply:
    """End every log-in of an account; its person can log in again."""
    async with _accounts(door) as service:
        ended = await service.end_logins(name, user=door.user)
    return Reply({"ended": ended}, [_ENDED.say(ui_language(), name=name, count=ended)])


@command(keys_app, "create", OFFICER)
async def create(
    door: Door,
    name: Annotated[str, typer.Argument(help="What the key is for.")],
    user: Owner,
    of: Of = None,
    with_role: With = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--scope",
            help="Only this operation (repeatable), e.g. session.ask; all that the roles allow if empty.",
        ),
    ] = None,
    days: Annotated[int, typer.Option("--days", help="How long it lasts.")] = 90,
) -> Reply:
    """Make a key for a program that acts for a person. Its secret is shown once."""
    from metaagent.ports import User

    person = User(user, of or door.company_id, tuple(with_role or door.settings.web.roles))
    async with _accounts(door) as service:
        made = await service.create_key(name, person, scopes=scope or (), days=days, user=door.user)
    told = _SECRET.say(ui_language(), secret=made["secret"], day=made["expires_at"][:10])
    return Reply(made, [told])


@command(keys_app, "list", OFFICER)
async def list_keys(door: Door) -> Reply:
    """List the keys: what each is for, for whom, with which roles and scopes, until when, and when it was last used."""
    async with _accounts(door) as service:
        found = await service.keys(user=door.user)
    return Reply({"keys": found}, [_line(each, door) for each in found] or [_NO_KEYS.say(ui_language())])


def _line(key: dict[str, Any], door: Door) -> str:
    from metaagent.values import local_minute

    scopes = ", ".join(key["scopes"]) if key["scopes"] is not None else "*"
    person = f"{key['company_id']}/{key['user_id']}"
    used = local_minute(key["used_at"], door.settings.zone) if key["used_at"] else "-"
    return f"{key['key_id']}  {key['name']}  {person}  {', '.join(key['roles'])}  [{scopes}]  {key['expires_at'][:10]}  {used}"


@command(keys_app, "revoke", OFFICER)
async def revoke(
    door: Door, key: Annotated[str, typer.Argument(help="The key's id, as `list` shows it.")]
) -> Reply:
    """End a key: it counts no more."""
    async with _accounts(door) as service:
        await service.revoke_key(key, user=door.user)
    return Reply({"revoked": key}, [_REVOKED.say(ui_language(), key=key)])
