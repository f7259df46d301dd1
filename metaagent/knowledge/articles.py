"""References to articles as one value: 제47조의2 제1항 제3호, Article 47-2(1), § 47-2 and 47-2 are the same place.

`find` reads the references in a sentence; `Reader` follows the headings and marks of a law or a policy and says which article,
paragraph (항), item (호) and subitem (목) a line belongs to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from metaagent.language.patterns import regex

CIRCLED = {chr(0x2460 + number): number + 1 for number in range(20)}
"""①, ②, … ⑳: the marks of paragraphs (항)."""


@dataclass(frozen=True)
class Article:
    """A place in a law or a policy. Zero and the empty string mean that this level is not named."""

    number: int
    branch: int = 0
    paragraph: int = 0
    item: int = 0
    item_branch: int = 0
    subitem: str = ""
    law: str = ""
    supplement: bool = False
    """True in the supplementary provisions (부칙), which number their articles anew."""

    def korean(self) -> str:
        """`제47조의2제1항제3호의2가목`, as Korean laws write it; without the name of the law."""
        parts = [
            "부칙 " if self.supplement else "",
            f"제{self.number}조",
            f"의{self.branch}" if self.branch else "",
        ]
        parts += [f"제{self.paragraph}항" if self.paragraph else "", f"제{self.item}호" if self.item else ""]
        parts += [
            f"의{self.item_branch}" if self.item_branch else "",
            f"{self.subitem}목" if self.subitem else "",
        ]
        return "".join(parts)

    def english(self) -> str:
        """`Article 47-2(1)(3-2)`. English has no name for a subitem (목)."""
        part = f"({self.paragraph})" if self.paragraph else ""
        item = (
            f"({self.item}-{self.item_branch})" if self.item_branch else f"({self.item})" if self.item else ""
        )
        return f"{'Addenda ' if self.supplement else ''}Article {self.short()}{part or ('(0)' if item else '')}{item}"

    def written(self, language: str) -> str:
        """The form of a language, which `parse` reads back."""
        return self.english() if language == "en" else self.korean()

    def short(self) -> str:
        """`47-2`."""
        return f"{self.number}-{self.branch}" if self.branch else f"{self.number}"

    def base(self) -> Article:
        """The article itself, without paragraph and item."""
        return Article(self.number, self.branch, law=self.law, supplement=self.supplement)

    def covers(self, other: Article) -> bool:
        """Say whether the other place is this one or lies within it. A law that is not named is any law."""
        if self.law and other.law and self.law != other.law:
            return False
        if (self.number, self.branch, self.supplement) != (other.number, other.branch, other.supplement):
            return False
        levels = (
            (self.paragraph, other.paragraph),
            (self.item, other.item),
            (self.item_branch, other.item_branch),
        )
        return all(not mine or mine == theirs for mine, theirs in (*levels, (self.subitem, other.subitem)))

    def aliases(self) -> tuple[str, ...]:
        """Other ways in which people write this article. A supplementary article goes by its full name only."""
        base = self.base()
        if self.supplement:
            return (base.korean(),)
        named = (f"{self.law} {base.korean()}",) if self.law else ()
        short = (base.short(),) if self.branch else ()  # a bare 47 is a number like any other
        return (*named, base.korean(), *short, base.english())


@dataclass(frozen=True)
class Reference:
    """An article that a text names, and where."""

    article: Article
    start: int
    end: int


_DEEPER = (
    r"(?:\s?제?\s?(?P<paragraph>\d{1,3})\s?항)?(?:\s?제?\s?(?P<item>\d{1,3})\s?호(?:\s?의\s?(?P<item_branch>\d{1,3}))?)?"
    r"(?:\s?(?P<subitem>[가나다라마바사아자차카타파하])\s?목)?"
)
_LAW_NAME = r"[가-힣]{0,20}(?:법률|법|시행령|시행규칙|규칙|규정|규약|지침|조례)(?:\s시행(?:령|규칙))?"
_KOREAN = regex(
    rf"(?:(?:「(?P<quoted>[^」\n]{{2,60}})」|(?<![가-힣])(?P<law>{_LAW_NAME}))\s?)?"
    rf"(?P<supplement>부칙\s?)?(?P<mark>제)?\s?(?<!\d)(?P<number>\d{{1,4}})\s?조(?:\s?의\s?(?P<branch>\d{{1,3}})(?!\d))?{_DEEPER}"
)
_ENGLISH_LAW = (
    r"(?:[A-Z][A-Za-z'-]*\s(?:of\s|and\s|on\s|for\s)?){1,8}(?:Act|Code|Law|Rules?|Regulations?|Decree|Policy)"
)
_ENGLISH = regex(
    rf"(?:(?P<before>{_ENGLISH_LAW}),?\s)?(?P<supplement>Addenda\s)?(?:\b(?:[Aa]rticles?|ARTICLE|[Aa]rt\.|[Ss]ection|[Ss]ec\.)|§{{1,2}})\s?"
    r"(?P<number>\d{1,4})(?:-(?P<branch>\d{1,3}))?(?![\d.]*\d)"
    r"(?:,?\s?(?:\((?P<paragraph>\d{1,3})\)|paragraph\s(?P<spelled>\d{1,3})))?"
    r"(?:,?\s?(?:\((?P<item>\d{1,3})(?:-(?P<item_branch>\d{1,3}))?\)|(?:subparagraph|item)\s(?P<spelled_item>\d{1,3})))?"
    rf"(?:,?\sof\s(?:the\s)?(?P<after>{_ENGLISH_LAW}))?"
)
_BARE = regex(r"\s*(\d{1,3})-(\d{1,3})\s*")
_NOT_A_LAW = frozenset({"이 법", "같은 법", "법", "규정", "규칙", "방법", "이 규정", "지침", "법률"})


def find(text: str) -> list[Reference]:
    """Every article that a text names, in order. `3조 5천억` is an amount: without 제, 조 needs 의, 항, 호 or a law before it."""
    found = [_from_korean(match) for match in _KOREAN.finditer(text)]
    found += [_from_english(match) for match in _ENGLISH.finditer(text)]
    return sorted((reference for reference in found if reference), key=lambda reference: reference.start)


def parse(text: str) -> Article | None:
    """The one article that a text is: `제47조의2`, `약사법 제47조의2 제1항`, `Article 47-2(1)` or `47-2`."""
    if bare := _BARE.fullmatch(text):
        return Article(int(bare[1]), int(bare[2]))
    stripped = text.strip()
    whole = [found for found in find(stripped) if found.start == 0 and found.end == len(stripped)]
    return whole[0].article if whole else None


def _from_korean(match: re.Match[str]) -> Reference | None:
    law = (match["quoted"] or match["law"] or "").strip()
    if not (match["mark"] or match["branch"] or match["paragraph"] or match["item"] or law):
        return None
    article = Article(
        number=int(match["number"]),
        branch=_number(match["branch"]),
        paragraph=_number(match["paragraph"]),
        item=_number(match["item"]),
        item_branch=_number(match["item_branch"]),
        subitem=match["subitem"] or "",
        law="" if law in _NOT_A_LAW else law,
        supplement=bool(match["supplement"]),
    )
    return Reference(article, match.start(), match.end())


def _from_english(match: re.Match[str]) -> Reference:
    article = Article(
        number=int(match["number"]),
        branch=_number(match["branch"]),
        paragraph=_number(match["paragraph"] or match["spelled"]),
        item=_number(match["item"] or match["spelled_item"]),
        item_branch=_number(match["item_branch"]),
        supplement=bool(match["supplement"]),
        law=(match["before"] or match["after"] or "").removeprefix("The ").strip(),
    )
    return Reference(article, match.start(), match.end())


def _number(digits: str | None) -> int:
    return int(digits) if digits else 0


_HEAD = regex(
    r"(?:제\s?(?P<number>\d{1,4})\s?조(?:\s?의\s?(?P<branch>\d{1,3}))?|(?:Article|ARTICLE|§)\s?(?P<english>\d{1,4})(?:-(?P<sub>\d{1,3}))?)"
    r"(?P<rest>\s?[(【\[〔:.]|\s?삭제|\s*$|\s+(?=[A-Z가-힣]))"
)
_WORDS = regex(r"(?:[가-힣·ㆍ]{1,20}\s){1,8}")
_SUPPLEMENT = regex(r"(?:부\s?칙|Addenda|ADDENDA)(?=\s|\(|<|〈|$)")
_PARAGRAPH = regex(
    r"\s*(?:(?P<circled>[①-⑳])|\((?P<bracketed>\d{1,2})\)(?=\s)|제(?P<spelled>\d{1,2})항(?=\s))"
)
_ITEM = regex(r"\s*(?P<item>\d{1,3})(?:의\s?(?P<branch>\d{1,2}))?\.(?=\s)")
_SUBITEM = regex(r"\s*(?P<subitem>[가나다라마바사아자차카타파하])\.(?=\s)")
_CONTINUES = regex(
    r"제\s?\d{1,4}\s?조(?:\s?의\s?\d{1,3})?\s+[가-힣]*(?:에|의|을|를|과|와|은|는|이|가|및|또는|중)(?=\s|$)"
)


class Reader:
    """Follows the lines of a document and knows the article in which the present line stands.

    A branch article whose heading lost its suffix stands as a second 제47조 right after the first: it is 제47조의2. The same
    holds for items. An article that begins anew with a lower number belongs to another part and is taken as it is.
    """

    def __init__(self) -> None:
        self.article: Article | None = None
        self._last: Article | None = None
        self._supplement = False

    def line(self, text: str, *, heading: bool) -> bool:
        """Take one line. Says whether it begins an article or the supplementary provisions."""
        if _SUPPLEMENT.match(text) and len(text) < 200:
            self._supplement = True
            self.article = self._last = None
            return True
        if heading and self._named(text):
            return True
        head = _HEAD.match(text)
        if head and (heading or not head["rest"].isspace()) and not _CONTINUES.match(text):
            self._begin(_number(head["number"] or head["english"]), _number(head["branch"] or head["sub"]))
            # Take a paragraph mark that stands behind the title: `제9조 (약사의 조제) ① 제23조에도 …`.
            rest = text[head.end() :]
            after = rest.split(")", 1)[-1]
            if self.article and (mark := _PARAGRAPH.match(after)) and mark["circled"]:
                self.article = replace(self.article, paragraph=CIRCLED[mark["circled"]])
            return True
        if self.article:
            self.article = advanced(self.article, text)
        return False

    def _named(self, title: str) -> bool:
        """Take a title that names its place in full: `약사법 제47조의2 (지출보고서)` or `제47조제2항 (금지)`."""
        named = next(iter(find(title[:200])), None)
        if named is None or title[named.end : named.end + 1] not in ("", " ", "(", ":", ",", "·"):
            return False
        found = named.article
        if named.start:  # the name of the law has several words
            words = _WORDS.fullmatch(title[: named.start])
            if words is None or not found.law:
                return False
            found = replace(found, law=words[0] + found.law)
        if not (found.law or found.paragraph or found.branch):
            return False
        self.article = self._last = replace(found, supplement=found.supplement or self._supplement)
        return True

    def corrected(self, title: str) -> str:
        """A title that begins with 제47조, with the number of the article in which the reader stands."""
        found = re.match(r"제\s?\d{1,4}\s?조(?!\s?의\s?\d)", title)
        if found is None or self.article is None or not self.article.branch:
            return title
        return replace(self.article.base(), supplement=False).korean() + title[found.end() :]

    def leave(self) -> None:
        """Leave the article: a heading that is above articles was met. A chapter may go on with a branch of the last one."""
        if self._last and self._last.number == 1:
            self._last = None
        self.article = None

    def _begin(self, number: int, branch: int) -> None:
        before = self._last
        if before and not branch and before.number == number:
            branch = before.branch + 1 if before.branch else 2
        self.article = self._last = Article(number, branch, supplement=self._supplement)


def advanced(article: Article, line: str) -> Article:
    """The place of a line, given the place of the line before it in the same article."""
    if mark := _PARAGRAPH.match(line):
        number = CIRCLED[mark["circled"]] if mark["circled"] else int(mark["bracketed"] or mark["spelled"])
        return replace(article.base(), paragraph=number)
    if mark := _ITEM.match(line):
        number, branch = int(mark["item"]), _number(mark["branch"])
        if not branch and number == article.item:
            branch = article.item_branch + 1 if article.item_branch else 2
        return replace(article, item=number, item_branch=branch, subitem="")
    if (mark := _SUBITEM.match(line)) and article.item:
        return replace(article, subitem=mark["subitem"])
    return article


def is_marked(line: str) -> bool:
    """Say whether a line begins with the mark of a paragraph, an item or a subitem."""
    return any(mark.match(line) for mark in (_PARAGRAPH, _ITEM, _SUBITEM))
