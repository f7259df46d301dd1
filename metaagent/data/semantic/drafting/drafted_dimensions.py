"""The dimensions of a drafted model: things with a name, and their attributes."""

from __future__ import annotations

import re
from typing import Any

from metaagent.data.semantic.drafting.codes import state_words, value_words
from metaagent.data.semantic.drafting.column_words import CODE, POSTAL, SIGNS, is_private, written_out
from metaagent.data.semantic.drafting.dictionary import PEOPLE
from metaagent.data.semantic.drafting.drafted_caveats import Caveats
from metaagent.data.semantic.drafting.flags import flag_values
from metaagent.data.semantic.drafting.naming import count_words, qualified, thing_words
from metaagent.data.semantic.drafting.role_words import role_words
from metaagent.data.semantic.drafting.table import Table
from metaagent.data.semantic.drafting.words import english, hangul, korean, parts_of, role_of, words_of

_NUMBERED = re.compile(r"(^|_)(id|number|key|uuid|guid|sequence)$|(번호|아이디|순번)$")

_SHOWN = {"integer": "number", "number": "number", "datetime": "date", "date": "date", "boolean": "boolean"}

_NAMED = re.compile(r"(?<=[가-힣]{2})명$(?<!설명)(?<!증명)")
"""약품명 is the 약품."""

_FREE_TEXT = {"remark", "note", "memo", "comment", "description", "비고", "메모", "설명", "내용"}

_LANGUAGE = re.compile(r"_?(?:en|eng|english|ko|kor|kr|korean|영문|국문)$", re.IGNORECASE)
_KOREAN_TOO = re.compile(r"_?(?:ko|kor|kr|korean|국문)$", re.IGNORECASE)

_MOST_KINDS = 30
"""Names in a list of kinds, such as categories."""

_GRADES = {"grade", "tier", "level", "rank", "class", "등급", "급수", "학년"}
_MOST_GRADES = 9

_KINDS = frozenset({"type", "kind", "category", "status", "reason", "method", "class"})
"""Nouns that are said alone of whatever is spoken of: claims by type. Where several columns end in one, the reader takes that of
the rows themselves, or asks."""

_SORTED = frozenset({"type", "kind", "category", "segment", "group", "class", "유형", "구분", "종류", "분류"})

_WORK = {
    "직급",
    "직위",
    "job",
    "position",
    "title",
    "role",
    "duty",
    "occupation",
    "profession",
    "직무",
    "직책",
    "직종",
    "직업",
}
_PLAIN_NAMES = {
    "name",
    "title",
    "label",
    "description",
    "text",
    "id",
    "number",
    "code",
    "key",
    "이름",
    "성명",
    "명칭",
    "제목",
    "번호",
}

_GOING = {"status", "state", "stage", "condition", "상태", "단계"}

_RESERVED = {"year", "quarter", "month", "week", "day", "weekday", "weekend"}


def _plainly(said: list[str], kind: str) -> list[str]:
    """The words of a property without those that only say how it is written: drug_name is the drug, status_code its status."""
    own = said[:-1] if len(said) > 1 and said[-1] in ("name", "code") else said
    own = [*own[:-1], _NAMED.sub("", own[-1])]
    coded = own in (["payment"], ["payment", "type"]) and kind == "string"
    return ["payment", "method"] if coded else own  # pay_cd


class Dimensions(Caveats):
    """Adds dimensions to the draft."""

    def _attributes(self, table: Table) -> None:
        if self._only_by_role(table):
            return
        named = [] if table.is_view else self._name(table) or self._numbered(table)
        if named:
            self._entity(table, named)
        elif self._has_numbers(table):
            self._numbers_of_rows(table)
        for column, kind in table.types.items():
            if column in named or self._skipped(table, column):
                continue
            if column in table.given:
                if table.referring is None:
                    self.dimensions["_".join([table.slug, column])] = self._settlement(table, column)
                continue
            if column in table.after or column in table.below:
                if table.referring is None:
                    make = self._punctuality if column in table.after else self._sufficiency
                    self.dimensions["_".join([table.slug, column])] = make(table, column)
                continue
            self._attribute(table, column, kind)

    def _has_numbers(self, table: Table) -> bool:
        """Tell whether people may name single rows: others refer to them, or they have numbers that are no mere ids."""
        if len(table.key) != 1 or table.is_view or table.referring is not None:
            return False
        signed = self._sign_of_row(table) is not None or table.types[table.key[0]] == "string"
        return self._referred(table) or (signed and self._own_date(table) is not None)

    def _numbers_of_rows(self, table: Table) -> None:
        """Add the numbers of events, by which those are told that lack others: orders without a payment."""
        words = [*table.words, "number"]
        label, _ = thing_words(words)
        place = f"{table.name}.{table.key[0]}"
        shown = f"{table.name}.{self._sign_of_row(table) or table.key[0]}"
        self.dimensions.setdefault(
            "_".join(words),
            {"label": label, "column": [shown], "key": place, "synonyms": {"ko": [], "en": []}},
        )

    @staticmethod
    def _sign_of_row(table: Table) -> str | None:
        """The number that people know a row by, where its key is one of the database alone: job_no beside job_id."""
        if table.types[table.key[0]] != "integer" or words_of(table.key[0])[-1] not in ("id", "key"):
            return None
        texts = [
            c for c, kind in table.types.items() if kind == "string" and c not in {*table.few, *table.links}
        ]
        own = [c for c in texts if words_of(c)[-1] in SIGNS and not is_private(table, c)]
        return own[0] if len(own) == 1 else None

    def _skipped(self, table: Table, column: str) -> bool:
        private = is_private(table, column) or POSTAL.search(column) or column == self.tenant
        # One of several columns of a key may be what people ask by: grades of a student, a day and a subject.
        number = len(table.key) == 1 or table.types[column] == "integer" or CODE.search(written_out(column))
        if self._in_other_language(table, column):
            return True
        return bool(private) or (column in table.key and bool(number)) or column in table.links

    @staticmethod
    def _in_other_language(table: Table, column: str) -> bool:
        """Tell whether a column says in another language what one beside it says: status_name_en."""
        bare = _LANGUAGE.sub("", column)
        beside = {_LANGUAGE.sub("", other) for other in table.types if other != column}
        english_too = bare != column and not _KOREAN_TOO.search(column)
        return english_too and bare in beside

    def _entity(self, table: Table, columns: list[str]) -> None:
        bare = table.words[len(table.role) :]
        asked = table.referring is not None and self._only_by_role(self._plain(table))
        label, synonyms = thing_words(table.words, *([bare] if asked else []))
        synonyms["ko"] = list(dict.fromkeys([*korean(table.words), *synonyms["ko"]]))
        synonyms["en"].append(f"{' '.join([*table.role, bare[-1]])} name")
        if table.role:
            more = role_words(table.role, bare, self._jobs(table))
            synonyms = {language: [*words, *more[language]] for language, words in synonyms.items()}
        for role in self._roles(table):
            called = [f"{role}자", role] if hangul(role) and len(role) == 2 else []
            more = role_words([role], bare, self._jobs(table))
            synonyms["ko"] += [*called, *more["ko"]]
            synonyms["en"] += more["en"]
        for words in self._named_by(table, columns):
            synonyms["en"] += english(words)
            synonyms["ko"] += korean(words)
        more_words = [*self._called_so(table)[1:], *self._of_which_kinds(table)]
        for words in more_words if not table.role else ():
            last, more = thing_words(words)
            synonyms["en"] += [words[-1], last["en"].lower(), *more["en"]]
            synonyms["ko"] += [last["ko"], *korean(words), *more["ko"]]
        # 팀장 are those of the people whose rank is 팀장, not all of them.
        ranks = {job for job in self._jobs(table) if hangul(job)} - {*korean(bare), *bare}
        synonyms = {
            language: [word for word in words if word not in ranks] for language, words in synonyms.items()
        }
        made: dict[str, Any] = {"label": label, "column": [f"{table.name}.{column}" for column in columns]}
        if len(table.key) == 1:
            made["key"] = f"{table.name}.{table.key[0]}"
        made |= {"searchable": True, "kind": "person" if len(columns) == 2 else "text", **self._via(table)}
        states = self._states(table, columns[0]) if len(columns) == 1 else {}
        if states and self._lists_states(table):
            made["values"] = value_words(states)
            made.pop("key", None)
        elif states and len(table.few[columns[0]]) <= _MOST_KINDS:
            made["values"] = value_words(states)
            self._drop_nouns(made["values"])
        taken = table.slug in _RESERVED or table.slug in self.metrics
        self.dimensions.setdefault(
            f"{table.slug}_name" if taken else table.slug, {**made, "synonyms": synonyms}
        )

    def _roles(self, table: Table) -> list[str]:
        """The role that every key which leads to people is called by: 담당, of 담당사번; sales, of sls_emp_no."""
        people = bool(self._jobs(table)) or table.words[-1] in (*PEOPLE, "직원", "사원")
        if not people or table.role:
            return []
        own = [one for one in self.tables.values() if one.referring is None]
        keys = [(c, to) for one in own for c, (there, to) in one.links.items() if there == table.name]
        roles = {tuple(role_of(c, table.words, to)) for c, to in keys}
        return [role[0] for role in roles if len(roles) == len(role) == 1]

    @staticmethod
    def _jobs(table: Table) -> list[str]:
        """The words that people are called by their work: driver, 과장."""
        work = [column for column in table.few if words_of(column)[-1] in _WORK]
        return [value.lower() for column in work for value in table.few[column] if len(value.split()) == 1]

    def _named_by(self, table: Table, columns: list[str]) -> list[list[str]]:
        """The words of a name that is no mere name: the 상호 of a broker, of which no other table has one."""
        own = words_of(columns[0])
        if (
            table.role
            or len(columns) > 1
            or own[-1] in _PLAIN_NAMES
            or own[-1].endswith("명")
            or own == table.words
        ):
            return []
        same = [
            c
            for one in self.tables.values()
            for c in one.types
            if one.physical != table.physical and words_of(c) == own
        ]
        return [[*table.words, *own], *([] if same else [own])]

    def _attribute(self, table: Table, column: str, kind: str) -> None:
        said = words_of(column)
        own = _plainly(said, kind)
        if self._is_flag(table, column) or column in table.shares:
            own = self._words(table, column)
        full = [*table.words, *own] if table.is_view else qualified(table.words, own)
        short = "_".join(own)
        taken = short in self.dimensions or short in self.metrics or short in _RESERVED or table.is_view
        plain = kind in {"string", "boolean"} and not taken
        words = own if plain else full
        name = "_".join(words)
        if name in self.dimensions or name in self.metrics or name in _RESERVED:
            return
        more = [full] if plain and full != own else []
        more += self._also_said(table, column, own) if kind in {"string", "boolean"} else []
        label, synonyms = thing_words(words, *more, *([said] if plain and said[-1] == "code" else []))
        if self._is_measure(table, column) and not self._averaged(table, own):
            # Its plain words mean the sum; this is for limits on single rows.
            label = {"ko": f"건별 {label['ko']}", "en": f"{label['en']} of one row"}
            synonyms = {"ko": [], "en": []}
        made: dict[str, Any] = {"label": label, "column": f"{table.name}.{column}"}
        if column in table.values:
            made["values"] = value_words(table.values[column])
        elif self._is_flag(table, column):
            made["values"] = flag_values(table.physical_columns[column], table.few[column])
        elif kind in _SHOWN:
            made |= {"kind": _SHOWN[kind], **self._happening(table, column)}
        elif self._has_names(table, column):
            made["searchable"] = True
            states = self._states(table, column)
            if states or self._graded(table, column, own):
                made["values"] = {**value_words(states), **self._graded(table, column, own)}
        self.dimensions[name] = {**made, **self._via(table), "synonyms": synonyms}
        self._drop_nouns(made.get("values") or {})
        self._being_done(own, made.get("values") or {})
        if made.get("searchable"):
            self._kinds(table, column, words)

    def _states(self, table: Table, column: str) -> dict[str, str]:
        """The values that are common words for states, which people of either language say otherwise too."""
        return {value: value for value in table.few.get(column, ()) if any(state_words(value).values())}

    def _also_said(self, table: Table, column: str, own: list[str]) -> list[list[str]]:
        """The other words of a property: the type alone, the owner's town."""
        if table.is_view:
            return []
        named = [[*words, *own] for words in self._called_so(table)[1:3] if not {*own} & {*words}]
        return [*self._bare(table, column, own), *named, *self._of_kinds(table, column, own)]

    def _of_kinds(self, table: Table, column: str, own: list[str]) -> list[list[str]]:
        """The customer type, for the only column of customers that sorts them into kinds, whatever it is called."""
        kinds = [c for c in table.few if words_of(c)[-1] in _SORTED and c not in table.links]
        named = [c for c in table.few if self._names_a_kind(table, c)]
        if (kinds or named) != [column] or table.referring is not None:
            return []
        return [[*table.words, word] for word in ("type", "category", "kind", "group") if word != own[-1]]

    def _graded(self, table: Table, column: str, own: list[str]) -> dict[str, Any]:
        """The marks of a grade, which are said with its name: A등급, 특등급, grade A."""
        values = table.few.get(column, [])
        short = [value for value in values if 0 < len(value) <= 2 and not value.isdigit()]
        if not _GRADES & {own[-1], own[-1][-2:]} or len(short) != len(values) or len(values) > _MOST_GRADES:
            return {}
        ko, en = korean(own[-1:]) or [own[-1][-2:]], english(own[-1:])[:1]
        return {
            value: {
                "label": value,
                "ko": [
                    f"{value}{space}{noun}"
                    for noun in dict.fromkeys((*ko, "등급", "급"))
                    for space in ("", " ")
                ],
                "en": [
                    said for noun in en for said in (f"{noun} {value}", f"{value} {noun}", f"{value}-{noun}")
                ],
            }
            for value in short
        }

    def _bare(self, table: Table, column: str, own: list[str]) -> list[list[str]]:
        """The type, for the movement type of movements, where no other table has a type."""
        rest = own[len(table.words) :] if own[: len(table.words)] == table.words else []
        if len(own) == 1 and len(parts_of(own[0])) > 1:  # the result, for 점검결과
            rest = [parts_of(own[0])[-1]]
        others = [
            c
            for one in self.tables.values()
            for c in one.types
            if one.physical != table.physical or c != column
        ]
        same = (
            [
                c
                for c in others
                if words_of(c)[-len(rest) :] == rest or (hangul(rest[-1]) and c.endswith(rest[-1]))
            ]
            if rest
            else []
        )
        shared = [own[-1:]] if len(own) > 1 and own[-1] in _KINDS else []
        return [rest] if rest and not same else shared

    @staticmethod
    def _being_done(own: list[str], values: dict[str, Any]) -> None:
        """Add to states that something is being done: what is in repair is 수리 중인, though 수리 alone may be the repairs."""
        for value, said in values.items() if own[-1] in _GOING else ():
            nouns = [word for word in korean(words_of(value)) if " " not in word and len(word) == 2]
            said["ko"] = [*said.get("ko", ()), *(f"{noun} 중{tail}" for noun in nouns for tail in ("", "인"))]

    def _drop_nouns(self, values: dict[str, Any]) -> None:
        """A word that a table is called by means its rows, and no state: 예약 are reservations, rather than what is booked."""
        nouns = {
            word
            for table in self.tables.values()
            for words in self._called_so(table)
            for word in korean(words)
        }
        plain = {
            word for one in self.tables.values() for words in self._called_so(one) for word in english(words)
        }
        for said in values.values():
            if "ko" in said:
                said["ko"] = [word for word in said["ko"] if word not in nouns]
            said["en"] = [word for word in said.get("en", ()) if word not in plain]

    def _has_names(self, table: Table, column: str) -> bool:
        """Tell whether the values are words that questions may contain: a status code of few kinds, but no number of an order."""
        if words_of(column)[-1] in _FREE_TEXT or _NUMBERED.search(written_out(column)):
            return False
        return column in table.few or not CODE.search(written_out(column))

    def _kinds(self, table: Table, column: str, words: list[str]) -> None:
        """Count the different ones: countries, composers."""
        label, synonyms = count_words(words, named=True)
        many = english(words)[-1] if len(english(words)) < 2 else english(words)[1]
        synonyms["en"] += [
            f"{how} {many}" for how in ("number of different", "number of distinct", "distinct", "unique")
        ]
        name = f"{'_'.join(words)}_count"
        self._add(
            name, type="count_distinct", column=f"{table.name}.{column}", label=label, synonyms=synonyms
        )
