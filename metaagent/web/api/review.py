"""Calls of reviewers and security officers: the audit trail, holds, erasure; accounts, keys and log-ins."""

from __future__ import annotations

import io
from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from metaagent.audit.store import Where
from metaagent.ports import User
from metaagent.web.api.base import (
    Caller,
    Cursor,
    Done,
    Id,
    Language,
    Limit,
    Loose,
    OneLine,
    Page,
    doors_of,
    page,
    page_of_all,
    place_of,
    router,
)
from metaagent.web.api.files import attachment

routes = router("review")

Filter = Annotated[str | None, Query(max_length=200)]
Seq = Annotated[int, Path(ge=1, lt=2**53)]


class Entry(Loose):
    """An entry of the audit trail."""

    seq: int
    ts: str
    event: str


class Report(BaseModel):
    lines: list[str]


class Finding(Loose):
    text: str


class Verified(BaseModel):
    verified: bool
    entries: int
    first: int
    last: int
    signed: int = Field(description="The newest entry that a signature covers.")
    findings: list[Finding]


class Hold(BaseModel):
    id: str
    reason: str
    subject: str | None


class NewHold(BaseModel):
    id: Annotated[str, Field(min_length=1, max_length=64, examples=["case-7"])]
    reason: OneLine
    person: str | None = Field(None, min_length=1, max_length=200)


class Why(BaseModel):
    reason: OneLine


class Person(BaseModel):
    person: Annotated[str, Field(min_length=1, max_length=200)]


class Login(BaseModel):
    login_id: str
    by: str
    client: str
    created_at: str
    expires_at: str


class Me(BaseModel):
    user_id: str
    company_id: str
    roles: list[str]
    scopes: list[str] | None = Field(description="Operations that the API key is limited to.")


class Key(BaseModel):
    key_id: str
    name: str
    user_id: str
    company_id: str
    roles: list[str]
    scopes: list[str] | None
    created_at: str
    expires_at: str
    used_at: str | None


class NewKey(BaseModel):
    name: Annotated[str, Field(min_length=1, max_length=200, examples=["nightly report"])]
    user_id: Annotated[str, Field(min_length=1, max_length=200)]
    roles: list[Annotated[str, Field(max_length=100)]] = Field(max_length=50)
    scopes: list[Annotated[str, Field(max_length=100)]] = Field(
        default_factory=list[str],
        max_length=100,
        description="Operations; all that the roles allow if empty.",
    )
    days: int = Field(90, ge=1, le=366)


class MadeKey(Key):
    secret: str = Field(description="Sent as `Authorization: Bearer …`. It is shown once.")


# --- the audit trail --------------------------------------------------------------------------------------


@routes.get("/audit")
async def list_entries(
    who: Caller,
    session: Filter = None,
    turn: Filter = None,
    actor: Filter = None,
    event: Filter = None,
    since: Filter = None,
    until: Filter = None,
    agent: Filter = None,
    outcome: Filter = None,
    person: Filter = None,
    rule: Filter = None,
    q: Annotated[str | None, Query(max_length=1_000)] = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Page[Entry]:
    """Entries of your company, the newest first. `agent`, `outcome` and `q` are looked for in the entry. `person` by name and
    `rule` (that found something) look behind aliases and seals and need `audit.reveal`. Looking is on record, too."""
    where = Where(session, turn, actor, event, since, until, before=place_of(cursor, int))
    holding = {"agent": agent or "", "outcome": outcome or ""}
    found = await who.governance.audit_list(
        where, text=q, holding=holding, person=person, rule=rule, limit=limit + 1
    )
    return page(map(Entry.model_validate, reversed(found)), limit, lambda each: each.seq)


@routes.get("/audit/{seq}")
async def show_entry(seq: Seq, who: Caller, reveal: bool = False) -> Entry:
    """One entry, whole; `reveal` opens what is sealed for a person, where it can be."""
    return Entry.model_validate(await who.governance.audit_show(seq, reveal=reveal))


@routes.get("/sessions/{session_id}/report")
async def report_session(session_id: Id, who: Caller, language: Language, reveal: bool = False) -> Report:
    """Tell what happened in a session: who asked what, what was done, by which rule, with which data."""
    return Report(lines=await who.governance.audit_report(session_id, reveal=reveal, language=language))


@routes.post("/audit/verify")
async def verify_trail(who: Caller, language: Language) -> Verified:
    """Check every entry and signature."""
    found = await who.governance.audit_verify()
    return Verified(
        verified=found.ok,
        entries=found.entries,
        first=found.first,
        last=found.last,
        signed=found.signed,
        findings=[Finding(text=each.say(language), **each._asdict()) for each in found.findings],
    )


@routes.post("/audit/export", response_class=Response)
async def export_trail(who: Caller, form: Literal["jsonl", "csv"] = "jsonl") -> Response:
    """The whole trail as a file: jsonl can be verified, csv read."""
    text, raw = io.StringIO(newline=""), io.BytesIO()
    await who.governance.audit_export(text if form == "csv" else raw, form=form)
    media = "text/csv; charset=utf-8" if form == "csv" else "application/jsonl"
    return attachment(text.getvalue().encode() or raw.getvalue(), f"audit.{form}", media)


# --- holds and erasure ------------------------------------------------------------------------------------


@routes.get("/holds")
async def list_holds(who: Caller) -> list[Hold]:
    """Holds that are in force."""
    return [Hold.model_validate(each._asdict()) for each in await who.governance.hold_list()]


@routes.post("/holds", status_code=201)
async def place_hold(hold: NewHold, who: Caller) -> Done:
    """Erase and drop nothing of the company (or person) until the hold is released."""
    await who.governance.hold_place(hold.id, reason=hold.reason, person=hold.person)
    return Done(done=True)


@routes.post("/holds/{hold_id}/release")
async def release_hold(hold_id: Id, why: Why, who: Caller) -> Done:
    await who.governance.hold_release(hold_id, reason=why.reason)
    return Done(done=True)


@routes.post("/erasures")
async def erase_person(person: Person, who: Caller) -> dict[str, Any]:
    """Destroy a person's key and remove what is theirs; a signed receipt."""
    return await who.governance.erase(person.person)


@routes.post("/readmissions")
async def readmit_person(person: Person, who: Caller) -> Done:
    """Let an erased person begin anew."""
    await who.governance.readmit(person.person)
    return Done(done=True)


# --- oneself ----------------------------------------------------------------------------------------------


@routes.get("/me")
async def show_me(who: Caller) -> Me:
    """The person that you are here."""
    user = who.user
    scopes = None if user.scopes is None else list(user.scopes)
    return Me(user_id=user.user_id, company_id=user.company_id, roles=list(user.roles), scopes=scopes)


@routes.get("/me/logins")
async def list_logins(who: Caller, request: Request) -> list[Login]:
    """Your log-ins that have not ended."""
    found = await doors_of(request).meta.accounts.logins(user=who.user)
    return [Login.model_validate(each) for each in found]


@routes.delete("/me/logins/{login_id}")
async def end_login(login_id: Id, who: Caller, request: Request) -> Done:
    """End one of your log-ins: its cookie counts no more."""
    await doors_of(request).meta.accounts.end_login(login_id, user=who.user)
    return Done(done=True)


# --- API keys ---------------------------------------------------------------------------------------------


@routes.get("/api-keys")
async def list_keys(who: Caller, request: Request, limit: Limit = 100, cursor: Cursor = None) -> Page[Key]:
    """API keys of your company."""
    found = await doors_of(request).meta.accounts.keys(user=who.user)
    return page_of_all([Key.model_validate(each) for each in found], limit, cursor)


@routes.post("/api-keys", status_code=201)
async def create_key(key: NewKey, who: Caller, request: Request) -> MadeKey:
    """Make a key for a program that acts for a person of your company."""
    person = User(key.user_id, who.user.company_id, tuple(key.roles))
    made = await doors_of(request).meta.accounts.create_key(
        key.name, person, scopes=key.scopes, days=key.days, user=who.user
    )
    return MadeKey.model_validate(made)


@routes.delete("/api-keys/{key_id}")
async def revoke_key(key_id: Id, who: Caller, request: Request) -> Done:
    await doors_of(request).meta.accounts.revoke_key(key_id, user=who.user)
    return Done(done=True)
