"""The questions of one step, in a fixed order: those answered before are answered the same way again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metaagent.plugin import NeedsInput


class Dialog:
    def __init__(self, answers: Sequence[Any], language: str) -> None:
        self._answers = [str(answer).strip() for answer in answers]
        self.language = language

    def choose(self, question: str, options: Sequence[str], *, in_words: bool = False) -> int:
        """The place of the option that was chosen, by its words or, unless these matter, its number. Asks again after
        anything else."""
        folded = [option.casefold() for option in options]
        while self._answers:
            answer = self._answers.pop(0).casefold()
            if answer in folded:
                return folded.index(answer)
            if not in_words and answer.isdigit() and 1 <= int(answer) <= len(options):
                return int(answer) - 1
        raise NeedsInput(question, options=list(options))

    def fill(self, question: str) -> str:
        if self._answers:
            return self._answers.pop(0)
        raise NeedsInput(question)
