"""Names of columns by which a draft tells money, numbers, signs, parts and private values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from metaagent.data.semantic.drafting.naming import MONEY_NOUNS
from metaagent.data.semantic.drafting.table import Table
from metaagent.data.semantic.drafting.words import words_of
from metaagent.language.private_words import private_kinds

if TYPE_CHECKING:
    from collections.abc import Mapping


_WORTH_KO = re.compile(r"(?<=[가-힣]{2})(?:금액|총액|대금|액|요금)$(?<!잔액)(?<!세액)")
POSTAL = re.compile(r"postal|post_?code|zip|우편번호", re.IGNORECASE)
QUANTITY = re.compile(r"(^|_)(quantity|units|count)$|(^|_)quantity_|수량")
AMOUNT = re.compile(r"amount|total|revenue|금액|매출|합계")
NOT_SALES = re.compile(
    r"discount|tax|cost|refund|return|ship|freight|fee|target|budget|balance|할인|세액|부가세|원가|환불|목표|잔액"
)
SELLING = re.compile(r"sale|order|invoice|payment|transaction|purchase|rental|매출|판매|주문|결제|구매|수납")
CODE = re.compile(r"(^|_)(id|code|number|key|uuid|guid|sequence)$|(코드|번호|아이디|순번)$")
CURRENCIES = frozenset({"cent", "krw", "usd", "eur", "gbp", "jpy", "won", "dollar", "euro", "penny", "pence"})
"""Words behind an amount that say what it is counted in."""
EARNINGS = frozenset(
    {
        "fee",
        "amount",
        "charge",
        "price",
        "fare",
        "total",
        "rent",
        "revenue",
        "금액",
        "총금액",
        "총액",
        "합계",
        "판매금액",
        "결제금액",
    }
)
_SETTLED = frozenset({"paid", "charged", "received", "billed", "collected", "due"})
LESS = re.compile(
    r"(^|_)(birth|hire|creat|updat|modif|delet|launch|expir|valid|start|end|regist|sign|join|due|ship|deliver|requir|return|cancel|bought|acquir"
    r"|commission|manufactur|built|found|establish)|등록|수정|생성|종료|만료|입사|가입|생년|출고|배송|반품|반납|환불|취소|구입|취득|도입|제조|설립|준공|납기|예정|마감|만기|기한"
)
SIGNS = {"number", "code", "plate", "registration", "serial", "tag", "vin", "sku", "번호", "코드"}
"""The last words of columns that people tell things apart by."""
PARTS = {"detail", "line", "item", "history", "log", "record", "data", "내역", "상세", "이력", "목록"}

TENANTS = ("company_id", "tenant_id", "org_id", "organization_id", "organisation_id", "account_id")


def tenant_column(tables: Mapping[str, Table]) -> str | None:
    """The column that every table has for whose row it is; views are not asked."""
    own = [table for table in tables.values() if not table.is_view]
    return next((c for c in TENANTS if own and all(c in table.types for table in own)), None)


def written_out(name: str) -> str:
    """A name as its words, short forms written out: ord_amt -> order_amount."""
    return "_".join(words_of(name))


def worth_words(column: str) -> list[str]:
    """The words of a column without its currency: total_cents is a total, and net_eur a net amount; 후원액 is an amount."""
    own = words_of(column)
    if _WORTH_KO.search(own[-1]):
        return [*own[:-1], "amount"]
    if len(own) > 1 and own[-1] in _SETTLED and own[-2] in EARNINGS:  # the amount paid is an amount
        return own[:-1]
    if len(own) < 2 or own[-1] not in CURRENCIES:
        return own
    return (
        own[:-1]
        if own[-2] in EARNINGS | MONEY_NOUNS | {"value", "balance", "budget"}
        else [*own[:-1], "amount"]
    )


def is_private(table: Table, column: str) -> bool:
    """Hidden for its name or for its values."""
    return column in table.personal or bool(private_kinds(column) or private_kinds(written_out(column)))
