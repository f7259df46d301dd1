"""CPU of analysing one question, warm, on a lexicon of the demonstration company's size.

    python -m benchmarks.understanding [--rounds 5]

Also says what the first question costs (imports, configuration, the phrasebook) in a fresh process.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from metaagent.evaluation import understanding as evaluation
from metaagent.level1.query_analyzer import AnalysisContext, Lexicon, analyze
from metaagent.level1.query_analyzer.domain import Name

_ROOT = Path(__file__).resolve().parent.parent
LIMIT_MS = 5.0
_COLD = """
import time, sys
from pathlib import Path
started = time.process_time()
from metaagent.evaluation import understanding as evaluation
from metaagent.level1.query_analyzer import analyze
imported = time.process_time()
suite = evaluation.load_suite(Path("evals/understanding.yaml"), Path("configs/domains"))
loaded = time.process_time()
analyze("지난달 서울 매출을 분석해줘", suite.context)
print(f"{(imported - started) * 1000:.0f} {(loaded - imported) * 1000:.0f} {(time.process_time() - loaded) * 1000:.0f}")
"""


def crowd(context: AnalysisContext) -> AnalysisContext:
    """The world of the questions with 200 more hospitals, 60 more people and 25 more products."""
    rng = random.Random(7)
    syllables = "가나다라마바사아자차카타파하성민수영진호정현지우서연하윤재빛솔별강산들봄"

    def word(size: int) -> str:
        return "".join(rng.choice(syllables) for _ in range(size))

    more = [
        Name("organisation", f"x{n}", word(3) + rng.choice(("병원", "의원", "종합병원"))) for n in range(200)
    ]
    more += [Name("person", f"y{n}", rng.choice("김이박최정") + word(2)) for n in range(60)]
    more += [Name("product", f"z{n}", word(3) + "정") for n in range(25)]
    return replace(context, lexicon=Lexicon((*context.lexicon.names, *more)))


def measure(rounds: int) -> list[float]:
    """Milliseconds of CPU for each question of each round, after one round to warm up."""
    suite = evaluation.load_suite(_ROOT / "evals" / "understanding.yaml", _ROOT / "configs" / "domains")
    context = crowd(suite.context)
    questions = [case["q"] for case in suite.cases]
    for question in questions:
        analyze(question, context)
    spent: list[float] = []
    for _ in range(rounds):
        for question in questions:
            started = time.process_time_ns()
            analyze(question, context)
            spent.append((time.process_time_ns() - started) / 1e6)
    return spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    spent = sorted(measure(parser.parse_args().rounds))
    mean, p99 = statistics.fmean(spent), spent[int(len(spent) * 0.99)]
    print(
        f"CPU per question, warm: mean {mean:.2f} ms, median {statistics.median(spent):.2f} ms, p99 {p99:.2f} ms"
    )
    cold = subprocess.run(
        [sys.executable, "-c", _COLD], cwd=_ROOT, capture_output=True, text=True, check=True
    )
    imports, loading, first = cold.stdout.split()
    print(f"cold: imports {imports} ms, questions and configuration {loading} ms, first question {first} ms")
    print(f"limit {LIMIT_MS} ms: {'met' if mean <= LIMIT_MS else 'NOT met'}")
    return 0 if mean <= LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(main())
