"""Decides whether a sentence ties a benefit to prescriptions or orders: a condition, a return, a thank-you for them."""

from __future__ import annotations

import re

from metaagent.level2.compliance.text.wording import Sentence

_KO = re.compile(
    r"(?:처방|채택|코드\s?인|랜딩|사용량|주문량?|(?:우리|저희|당사|자사)\s?(?:약|제품|품목))[^.\n]{0,24}?(?:늘려|늘리|해|하|써|쓰|바꿔|바꾸|유지해|밀어|몰아)\s?"
    r"(?:주시기로|주기로|시기로|주신다(?:고|니|며|길래)|준다(?:고|니|며)|주신\s?덕|주셔서|주셨으니|주셨기에)|"
    r"(?:처방|채택|코드\s?인|랜딩|사용량|주문량?|구매|(?:우리|저희|당사|자사)\s?(?:약|제품|품목))[^.\n]{0,24}?"
    r"(?:주시면|주면|준다면|주신다면|시면|하면|채우면|늘면|넘으면|경우|조건|대가|대신|따라|때마다|마다|건당|만큼)|"
    r"(?:처방|채택|주문)\S{0,4}\s?(?:(?:해|늘려|유지해)\s?(?:주신|준)\s?)?(?:(?:것|데|점)\S{0,2}\s?)?(?:대한|대해|따른|"
    r"의)?\s?(?:감사|보답|사례|답례)(?!\s?(?:인사|말씀|드린다|드립))|"
    r"(?:바꿔|바꾸|전환|교체|써|밀어|몰아|늘려|늘리|유지)[^.\n]{0,8}(?:주시면|주면|주시는\s?조건|주는\s?조건|주신\s?데|"
    r"준\s?데|주는\s?대가|면)"
)
_EN = re.compile(
    r"\b(?:said|says|agreed|promised|will|would|going to|'ll)\b[^.;\n]{0,40}\b(?:prescri\w+ (?:more|our)|"
    r"switch\w* (?:to|his|her|their|all|the)|"
    r"move (?:his|her|their|all|the) \w+ (?:to|over)|use more of|start (?:all|his|her|their|more) patients)|"
    r"\b(?:if|once|when|provided|as long as|should|after)\b[^.;\n]{0,60}\b(?:prescri\w+|switch\w*|patients?|orders?|"
    r"scripts?|our (?:drug|product|brand)|formulary|adopt\w*)\b|"
    r"\b(?:so that|in return|in exchange|as (?:a )?(?:reward|thanks|thank-you)|as a thank you|to thank \w+|per|for (?:each|every|"
    r"more)|on (?:each|every))\b"
    r"[^.;\n]{0,40}\b(?:prescri\w+|switch\w*|patients?|orders?|formulary|our (?:drug|product|brand))\b",
    re.IGNORECASE,
)


def in_return(sentence: Sentence) -> bool:
    return (_KO if sentence.korean else _EN).search(sentence.text) is not None
