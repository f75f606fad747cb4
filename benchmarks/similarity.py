"""Whom the report calls unusually alike in classes of which all is known: answers that were written apart, and copies that were made on purpose.

    python benchmarks/similarity.py [--classes 20] [--seed 1] > benchmarks/similarity.txt

The answers are those that the course keeps, right and wrong. Each student takes one of an exercise's ways: a few are common and many are rare
(the n-th most common has a weight of 1/n), a student's ability decides between right and wrong, and each has names of one's own. So many students
have the same answer, as in real classes. A copy is a whole lesson of another student's in which everything was changed that these rules change.

Nobody has the same names by chance there, so a copy that keeps its names stands out by them. The table of copies therefore has the same classes once
more with the other extreme: everybody who takes a way takes its names, too. Real classes lie between.
"""

from __future__ import annotations

import argparse
import ast
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from authoring.answer_files import find_answers
from authoring.lessons import Lesson, find_lessons
from nbjudge import similar_answers

WORDS = ("alpha", "row", "mat", "val", "tmp", "acc", "left", "right", "inner", "outer", "part", "piece", "result", "total", "first", "other", "step")
FEWEST_WAYS = 3  # of an exercise that is drawn


class _Rename(ast.NodeTransformer):
    """Gives other names to what an answer binds inside of its functions."""

    def __init__(self, tree: ast.AST, draw: Random):
        kept = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} - kept
        inside = {node.id for top in ast.walk(tree) if isinstance(top, ast.FunctionDef) for node in ast.walk(top) if isinstance(node, ast.Name)}
        outside = {node.id for top in getattr(tree, "body", []) if not hasattr(top, "body") for node in ast.walk(top) if isinstance(node, ast.Name)}
        self.names = {name: f"{draw.choice(WORDS)}_{draw.choice(WORDS)}{number}" for number, name in enumerate(sorted(own & inside - outside))}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


class _Turn(ast.NodeTransformer):
    """Changes the order of operands that may stand in any."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        self.generic_visit(node)
        return ast.BinOp(node.right, node.op, node.left) if isinstance(node.op, ast.Mult | ast.Add) else node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        return ast.Call(node.func, node.args, node.keywords[::-1])


class _Loops(ast.NodeTransformer):
    """Counts with `while` in place of `for`."""

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        counts = (
            isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range" and len(node.iter.args) == 1
        )
        if not counts or not isinstance(node.target, ast.Name) or any(isinstance(one, ast.Continue) for one in ast.walk(node)):
            return node
        begin, step = ast.parse(f"{node.target.id} = 0\n{node.target.id} += 1").body
        test = ast.Compare(ast.Name(node.target.id, ast.Load()), [ast.Lt()], [node.iter.args[0]])
        return [begin, ast.While(test, [*node.body, step], [])]


class _Helper(ast.NodeTransformer):
    """Moves what a function returns into a function of its own."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        last = node.body[-1]
        if not isinstance(last, ast.Return) or last.value is None or not isinstance(last.value, ast.BinOp | ast.Call):
            return node
        helper = ast.parse("def finish():\n    return 0").body[0]
        assert isinstance(helper, ast.FunctionDef)
        helper.body = [ast.Return(last.value)]
        node.body = [*node.body[:-1], helper, ast.Return(ast.Call(ast.Name("finish", ast.Load()), [], []))]
        return node


def _reordered(source: str, draw: Random) -> str:
    """Neighbouring statements that have nothing to do with each other change places."""
    tree = ast.parse(source)
    for block in [node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list)]:
        for place in range(len(block) - 1):
            one, other = _names(block[place]), _names(block[place + 1])
            simple = isinstance(block[place], ast.Assign) and isinstance(block[place + 1], ast.Assign)
            if simple and not (one[0] & (other[0] | other[1]) or other[0] & one[1]):
                block[place], block[place + 1] = block[place + 1], block[place]
    return ast.unparse(ast.fix_missing_locations(tree))


def _names(node: ast.AST) -> tuple[set[str], set[str]]:
    names = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
    return {one.id for one in names if isinstance(one.ctx, ast.Store)}, {one.id for one in names if isinstance(one.ctx, ast.Load)}


def _changed(make: Callable[[ast.AST, Random], ast.NodeTransformer]) -> Callable[[str, Random], str]:
    def change(source: str, draw: Random) -> str:
        tree = ast.parse(source)
        return ast.unparse(ast.fix_missing_locations(make(tree, draw).visit(tree)))

    return change


def _commented(source: str, draw: Random) -> str:
    lines = ast.unparse(ast.parse(source)).split("\n")
    return "\n".join(f"{line}  # {draw.choice(WORDS)} {draw.choice(WORDS)} {draw.choice(WORDS)}" for line in lines)


renamed = _changed(_Rename)
CHANGES: dict[str, Callable[[str, Random], str]] = {
    "word for word": lambda source, draw: source,
    "reformatted, other comments": _commented,
    "renamed": renamed,
    "statements reordered": _reordered,
    "operands and keywords turned": _changed(lambda tree, draw: _Turn()),
    "for as while": _changed(lambda tree, draw: _Loops()),
    "helper extracted": _changed(lambda tree, draw: _Helper()),
}


def all_of_them(source: str, draw: Random) -> str:
    """Every change at once."""
    for change in CHANGES.values():
        source = change(source, draw)
    return source


def tried(change: Callable[[str, Random], str], source: str, draw: Random) -> str:
    """The changed answer; as it is where it is no Python."""
    try:
        return change(source, draw)
    except SyntaxError:
        return source


@dataclass
class Drawn:
    """A class: by exercise, each student's answer, and who lost points."""

    answers: dict[str, dict[str, str]] = field(default_factory=dict)
    lost: dict[str, frozenset[str]] = field(default_factory=dict)


def draw_class(lesson: Lesson, students: int, seed: int, own_names: bool = True) -> Drawn:
    """Students who wrote apart, with names of their own or with those of the kept answers."""
    drawn, ways = Drawn(), {}
    for answer in find_answers(lesson):
        if answer.name != "not_written":
            ways.setdefault(answer.exercise, {True: [], False: []})[answer.right].append(answer.source)
    abilities = {f"s{number:05}": Random(f"{seed} {number}").gauss(0.8, 1) for number in range(students)}
    for exercise, kept in ways.items():
        if len(kept[True]) < FEWEST_WAYS:
            continue
        order = Random(f"{seed} {exercise}")
        shuffled = {kind: order.sample(some, len(some)) for kind, some in kept.items()}
        own, lost = {}, set()
        for student, ability in abilities.items():
            draw = Random(f"{seed} {exercise} {student}")
            right = draw.gauss(0, 1) < ability or not shuffled[False]
            some = shuffled[right]
            [source] = draw.choices(some, [1 / place for place in range(1, len(some) + 1)])
            own[student] = tried(renamed, source, draw) if own_names else source
            if not right:
                lost.add(student)
        drawn.answers[exercise], drawn.lost[exercise] = own, frozenset(lost)
    return drawn


def plant(drawn: Drawn, change: Callable[[str, Random], str], seed: int) -> frozenset[str]:
    """One student hands in another's answers, changed; returns the two."""
    first, second = Random(f"{seed} plant").sample(sorted({student for own in drawn.answers.values() for student in own}), 2)
    for exercise, own in drawn.answers.items():
        own[second] = tried(change, own[first], Random(f"{seed} {exercise}"))
        drawn.lost[exercise] = drawn.lost[exercise] - {second} | ({second} if first in drawn.lost[exercise] else set())
    return frozenset((first, second))


def flagged(drawn: Drawn) -> set[frozenset[str]]:
    """The pairs that the report would list."""
    return {frozenset((one.first, one.second)) for one in similar_answers(drawn.answers, lost=drawn.lost)}


def main() -> None:
    """Print both tables."""
    chosen = argparse.ArgumentParser(description=__doc__)
    chosen.add_argument("--classes", type=int, default=20)
    chosen.add_argument("--seed", type=int, default=1)
    asked = chosen.parse_args()
    lessons = [lesson for lesson in find_lessons() if len(draw_class(lesson, 2, 1).answers) >= 2]
    print(f"{asked.classes} classes of each size and lesson, from seed {asked.seed}. Pairs listed among students who wrote apart:\n")
    print(f"{'lesson':24} {'exercises':>9} {'30 students':>12} {'300 students':>13} {'s for 300':>10}")
    seeds = range(asked.seed, asked.seed + asked.classes)
    for lesson in lessons:
        small = [len(flagged(draw_class(lesson, 30, seed))) for seed in seeds]
        begin = time.perf_counter()
        large = [len(flagged(draw_class(lesson, 300, seed))) for seed in list(seeds)[: max(1, asked.classes // 4)]]
        seconds = (time.perf_counter() - begin) / len(large)
        exercises = len(draw_class(lesson, 2, 1).answers)
        print(f"{lesson.name:24} {exercises:9} {sum(small):5} of {len(small):3} {sum(large):6} of {len(large):3} {seconds:10.1f}", flush=True)
    print("\nCopies of a whole lesson that were found, and other pairs listed beside, in classes of 60:\n")
    print(f"{'changed':32} {'own names':>12} {'others':>8} {'kept names':>12} {'others':>8}")
    for name, change in [*CHANGES.items(), ("all of these", all_of_them)]:
        cells = ""
        for own_names in (True, False):
            found = others = count = 0
            for lesson in lessons:
                for seed in list(seeds)[: max(1, asked.classes // 4)]:
                    drawn = draw_class(lesson, 60, seed, own_names)
                    planted = plant(drawn, change, seed)
                    listed = flagged(drawn)
                    count, found, others = count + 1, found + (planted in listed), others + len(listed - {planted})
            cells += f" {found:5} of {count:3} {others:8}"
        print(f"{name:32}{cells}", flush=True)


if __name__ == "__main__":
    main()
