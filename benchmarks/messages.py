"""What the visible checks say to wrong answers that were invented by readers of the cards alone, who saw no check and no test.

    python benchmarks/messages.py [LESSON ...] [--all] > benchmarks/messages.txt

Each answer meets its exercise's check in a process of its own. A message names a cause, or says that it does not know why. Whether a cause that
is named is the true one, a reader has to say: `--all` prints every message below what is wrong with its answer.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import resource
import sys
import warnings
from collections import Counter
from multiprocessing.queues import Queue
from pathlib import Path
from types import ModuleType

import nbformat
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from attnlab import check
from attnlab.check.undefined import missing
from authoring.answer_files import Answer
from authoring.answers import Namespace, fill_in, solution_sources
from authoring.invented import invented_answers
from authoring.lessons import Lesson, find_lessons

SECONDS, BYTES = 60, 10 * 2**30


def _ask(lesson: Lesson, answer: Answer, said: Queue[tuple[str, str]]) -> None:
    torch.set_num_threads(1)
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    released = nbformat.read(lesson.released, as_version=4)
    notebook = fill_in(released, solution_sources(nbformat.read(lesson.solution, as_version=4)))
    with warnings.catch_warnings(action="ignore"), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        held = Namespace(notebook, answer)
        try:
            if answer.exercise not in held:
                raise missing(answer.exercise, {name: value for name, value in held.items() if not isinstance(value, ModuleType)}, [answer.source])
            getattr(check, answer.exercise)(held[answer.exercise])
        except check.CheckFailed as error:
            said.put((str(error), "names a cause or a pattern" if error.diagnosis.cause.is_established else "does not know"))
        except Exception as error:
            said.put((f"{type(error).__name__}: {error}", "raw"))
        else:
            said.put(("", "seen by hidden tests only"))


def message(lesson: Lesson, answer: Answer) -> tuple[str, str]:
    """What the check says, and how that is counted: "raw" where an exception comes through, "lost" where the process does not come to an end."""
    said: Queue[tuple[str, str]] = multiprocessing.Queue()
    process = multiprocessing.Process(target=_ask, args=(lesson, answer, said))
    process.start()
    process.join(SECONDS)
    lost = process.is_alive() or process.exitcode != 0
    process.kill()
    return ("", "lost") if lost else said.get()


if __name__ == "__main__":
    wanted, everything = [word for word in sys.argv[1:] if word != "--all"], "--all" in sys.argv
    for one in find_lessons():
        if wanted and one.assignment not in wanted:
            continue
        counts: Counter[str] = Counter()
        for given, remarks in invented_answers(one):
            told, kind = message(one, given)
            counts[kind] += 1
            if everything:
                print(f"\n=== {given.exercise}: {given.name}\n  what: {remarks.get('what', '')}\n  ideal: {remarks.get('ideal', '')}\n{told}")
        print(f"{one.assignment}: {counts.total()} answers: {', '.join(f'{kind} {count}' for kind, count in counts.most_common())}", flush=True)
