"""Who is asked why an answer is wrong, in which order, and who gives way: the first of `POLICY` that establishes something decides."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from attnlab.diagnosis.cause import Cause, Certainty, Diagnosis, unknown
from attnlab.diagnosis.evidence import Evidence, is_expected
from attnlab.diagnosis.exercise import Probe, Test
from attnlab.diagnosis.limits import explaining
from attnlab.diagnosis.memory.made import explain_cut_off, explain_float_made, explain_float_type_made, explain_whole_numbers_made
from attnlab.diagnosis.memory.memory import (
    changes_its_input,
    differs_again,
    explain_kept,
    gives_the_same_array,
    right_as_decimals,
    right_in_order,
    right_with_more_digits,
)
from attnlab.diagnosis.memory.writes import explain_write, explain_written_over
from attnlab.diagnosis.probes.unused import explain_unused
from attnlab.diagnosis.relations.broadcast import explain_broadcast
from attnlab.diagnosis.relations.inputs import NEXT, explain_cut, explain_inputs, explain_parts
from attnlab.diagnosis.relations.relations import (
    explain_large_numbers,
    explain_part_at_zero,
    explain_relation,
    explain_the_same,
    explain_where,
    explain_whole_numbers,
)
from attnlab.diagnosis.results.form import explain_replaced, same_value
from attnlab.diagnosis.results.ranges import explain_too_large
from attnlab.diagnosis.slips.repairs import explain_repair, explain_squeeze
from attnlab.diagnosis.slips.slips import explain_known, explain_slip, is_contradicted
from attnlab.diagnosis.text.facts import UNUSED, explain_counted, explain_keys, explain_text
from attnlab.diagnosis.text.source import explain_fixed, mend_first
from attnlab.reference import Case


class Trouble(Enum):
    """What is wrong with an answer, as far as one sees it without asking why."""

    RAISES = "a call raises an exception"
    VERDICTS = "a test of functions says yes or no where it should not: too few numbers to be sure of anything by them"
    NONE = "a call gives None"
    TYPE = "a call gives another kind of thing"
    NUMBERS = "a call gives another shape or other numbers"
    NAMED = "a call gives wrong numbers, and what all right results have in common names the cause"
    EDGE = "several calls do not go together"


RAISES, VERDICTS, NONE, TYPE, NUMBERS, NAMED, EDGE = Trouble


class Way(Enum):
    """What becomes of a cause that a diagnoser gives."""

    DECIDES = "it is the cause, where nobody before has given one"
    IN_FRONT = "it is told in front of the cause that somebody before has given"
    LAST = "it is the cause, where nobody before has given one and what was seen names none"


@dataclass(frozen=True)
class Question:
    """What is asked about: the result for a case, or a test of several calls.

    Attributes:
        found: the cause as far as what was seen names one.
        test: makes the several calls.
    """

    evidence: Evidence
    case: Case
    found: Cause
    test: Test | None = None

    @cached_property
    def text(self) -> Cause | None:
        """What the answer's own text shows."""
        return explain_text(self.evidence.answer)


@dataclass(frozen=True)
class Diagnoser:
    """Somebody who may know the cause.

    Attributes:
        ask: gives the cause; None where it is not established.
        troubles: what it is asked about.
        way: what becomes of what it gives.
        besides: where this one decides, something else that is told behind its words, with a next step that comes first.
    """

    ask: Callable[[Question], Cause | None]
    troubles: tuple[Trouble, ...]
    way: Way = Way.DECIDES
    besides: Callable[[Question], Cause | None] | None = None


def explain(evidence: Evidence, case: Case, trouble: Trouble, found: Diagnosis, test: Test | None = None) -> Diagnosis:
    """What was found, with the cause where one is established.

    Args:
        evidence: what the answer gives for every input.
        case: the input at which something is wrong.
        trouble: what is wrong.
        found: the same in words, with the cause as far as what was seen names one.
        test: for several calls, what makes them.
    """
    with explaining(found):
        return _explain(evidence, case, trouble, found, test)


def _explain(evidence: Evidence, case: Case, trouble: Trouble, found: Diagnosis, test: Test | None = None) -> Diagnosis:
    question, cause, more = Question(evidence, case, found.cause, test), None, None
    for diagnoser in POLICY:
        if trouble not in diagnoser.troubles or (cause is None) is (diagnoser.way is Way.IN_FRONT):
            continue
        if diagnoser.way is Way.LAST and found.cause.is_established:
            continue
        if (given := diagnoser.ask(question)) is None:
            continue
        if cause:
            cause = given if cause.id in SEEN_ONLY else cause.after(given)
        elif diagnoser.besides and (more := diagnoser.besides(question)):
            cause = replace(given, words=f"{given.words}; besides, {more.words}", next=more.next)
        else:
            cause = given
    if ((cause or found.cause).id in SEEN_ONLY or (cause and not cause.fits_lines)) and not more:
        with explaining(found.with_cause(cause)):  # should the time be up, that is told
            repair = _repair(question)
        if repair and not repair.id.startswith(SEVERAL):
            cause = repair
        elif trouble is NUMBERS and (unused := _unused(question)):
            cause = unused
    return found.with_cause(cause)


def reason(evidence: Evidence, case: Case, trouble: Trouble) -> Cause | None:
    """The cause by itself; None where none is established."""
    cause = _explain(evidence, case, trouble, Diagnosis("", "", unknown("policy.nothing", ""))).cause
    return cause if cause.is_established else None


def _careful(probe: Probe | None, question: Question) -> Cause | None:
    """What a probe establishes; nothing where a call of its own raises: that says nothing about the input that was asked about."""
    try:
        return probe(question.evidence, question.case) if probe else None
    except Exception:
        return None


def _kept(question: Question) -> Cause | None:
    evidence, case, test = question.evidence, question.case, question.test
    if test:
        return explain_kept(evidence.answer, lambda: test(evidence) is None, lambda one, other: one is other, False)
    return explain_kept(evidence.answer, lambda: evidence.ask(case), lambda one, other: same_value(one, other, case), evidence.result(case))


def _fixed(question: Question) -> Cause | None:
    evidence = question.evidence
    return explain_fixed(evidence.answer, evidence.cases[0], question.case, evidence.exercise.uses)


def _known(question: Question) -> Cause | None:
    known, helper = explain_known(question.evidence, question.case), question.evidence.broken_helper
    if known and helper:
        return replace(known, next=f"{known.next}; your `{helper}` does not pass its own check either: begin there")
    return known or _helper(question)


def _helper(question: Question) -> Cause | None:
    helper = question.evidence.broken_helper
    return mend_first(helper) if helper else None


def _text(question: Question) -> Cause | None:
    return question.text if question.text and question.text.is_established else None


def _unfinished(question: Question) -> Cause | None:
    """What the text of an answer shows that may not be finished, in front of what was seen."""
    text = explain_text(question.evidence.answer, is_finished=False)
    return question.found.after(text) if text and text.is_established else None


def _only_some_inputs(question: Question, is_telling: bool = False) -> Cause | None:
    if question.found.certainty is not Certainty.UNKNOWN:
        return None
    return _careful(lambda evidence, case: explain_inputs(evidence, is_telling), question)


def _only_some_parts(question: Question) -> Cause | None:
    return _careful(explain_parts, question) if question.found.certainty is Certainty.UNKNOWN else None


def _example_is_right(question: Question) -> Cause | None:
    if question.found.certainty is not Certainty.UNKNOWN or not question.evidence.shown_is_right(question.case):
        return None
    return unknown("policy.example_is_right", NEXT, "the example of the card comes out right")


def _slip(question: Question) -> Cause | None:
    return explain_slip(question.evidence, question.case)


def _relation(question: Question) -> Cause | None:
    return question.evidence.once(f"relation for {question.case.label}", lambda: _related(question))


def _related(question: Question) -> Cause | None:
    found = explain_relation(question.evidence, question.case)
    if found and found.id == "relation.decimals_lost" and (cut := _careful(explain_cut_off, question)):
        return replace(found, words=f"{found.words}: {cut[0]}", next=cut[1])
    return found


def _replaced(question: Question) -> Cause | None:
    return explain_replaced(lambda answer: question.evidence.ask(question.case, answer), question.evidence.answer, question.case)


def _repair(question: Question) -> Cause | None:
    if question.evidence.exercise.is_yes_or_no and question.test is None:  # what f was called with says more
        return None
    return _careful(lambda evidence, case: explain_repair(evidence, case, question.test), question)


def _unused(question: Question) -> Cause | None:
    return question.evidence.once(f"unused for {question.case.label}", lambda: _careful(explain_unused, question))


def _too_large(evidence: Evidence, case: Case) -> Cause | None:
    return explain_too_large(evidence.answer, functools.partial(evidence.ask, case), functools.partial(is_expected, case=case))


def _changes_input(question: Question) -> Cause | None:
    found = _careful(changes_its_input, question)
    line = _careful(functools.partial(explain_write, is_read_later=True), question) if found else None
    if not found or not line:
        return found
    return replace(found, words=f"{found.words}; {line.words}", next=line.next, short=f"the call changes its input: {line.words}")


SEVERAL = ("repair.part", "repair.two")  # changes that do not mend everything by themselves
# What these say is seen in the numbers, and names no line: a change that mends them says more.
SEEN_ONLY = {
    "relation.own_factor",
    "relation.factor_per_input",
    "form.wrong_number_of_axes",
    "form.nan_from_operation",
    "relation.order",
    "steps.wrong_number",
    "sentences.reshape_size_mismatch",
    "construction.sequences_mixed",
    "construction.wrong_tokens_seen",
    "averages.value_arrives_wrong",
    "relation.all_zero",
    "relation.product",
    "relation.lines_at_zero",
    "relation.one_missing",
    "relation.zeros_missing",
    "relation.one_too_many",
    "memory.not_deterministic",
    "memory.modules_differ",
    "next_letter_projections.letters_not_orthogonal",
    "next_probabilities.equal_logits_lost",
    "generate.model_shown",
    "generate.choose_given",
    "generate.result",
    "errors_wanted.value_not_checked",
    "refused_tokens.equal_tokens_accepted",
}

# The same, and calls of an exercise's own say more as well.
SEEN_AT_FIRST = {"relation.recut", "relation.places", "relation.several_missing", "relation.several_too_many"}
SEEN_ONLY |= SEEN_AT_FIRST

# One after the other: who is asked, about what, and what becomes of the cause that is given.
POLICY: tuple[Diagnoser, ...] = (
    # Another exercise's function that is wrong comes before what it leads to.
    Diagnoser(_helper, (RAISES, VERDICTS)),
    # What earlier calls left behind makes every number another one.
    Diagnoser(_kept, (RAISES, VERDICTS, TYPE, NUMBERS, NAMED, EDGE)),
    Diagnoser(lambda q: _careful(gives_the_same_array, q), (EDGE,)),
    Diagnoser(lambda q: _careful(lambda evidence, case: explain_counted(evidence.answer, case.arguments), q), (RAISES, TYPE, NUMBERS, NAMED)),
    Diagnoser(lambda q: _careful(lambda evidence, case: explain_keys(evidence.answer, case.arguments), q), (RAISES, NUMBERS, NAMED)),
    # What an exercise looks for by calls of its own.
    Diagnoser(lambda q: _careful(q.evidence.exercise.probes.first, q), (RAISES, VERDICTS, NONE, NUMBERS)),
    Diagnoser(lambda q: differs_again(q.evidence, q.case), (NUMBERS,)),
    Diagnoser(lambda q: _careful(explain_written_over, q), (NUMBERS, NAMED)),
    # Wrong answers that are known by their values: those with words of their own first, unless another input speaks against them.
    Diagnoser(lambda q: _slip(q) if is_contradicted(q.evidence, q.case) else None, (NUMBERS,)),
    Diagnoser(_known, (TYPE, NUMBERS, NAMED)),
    Diagnoser(lambda q: right_as_decimals(q.evidence, q.case), (TYPE, NUMBERS, NAMED)),
    Diagnoser(lambda q: right_in_order(q.evidence, q.case), (RAISES, TYPE, NUMBERS, NAMED)),
    Diagnoser(lambda q: explain_slip(q.evidence, q.case, is_in_lines=True), (RAISES, VERDICTS)),
    Diagnoser(_slip, (NUMBERS,)),
    Diagnoser(lambda q: right_with_more_digits(q.evidence, q.case), (NUMBERS,)),
    Diagnoser(_replaced, (NUMBERS, NAMED)),
    # How the numbers are related to the expected ones and to what went in.
    Diagnoser(lambda q: _careful(explain_squeeze, q), (NUMBERS,)),
    Diagnoser(lambda q: _careful(q.evidence.exercise.probes.early, q), (NUMBERS,), besides=_changes_input),
    Diagnoser(lambda q: _unused(q) if (found := _relation(q)) and found.id == "relation.own_amount" else None, (NUMBERS,)),
    Diagnoser(lambda q: None if (found := _relation(q)) and found.id in SEEN_AT_FIRST else found, (NUMBERS,), besides=_changes_input),
    Diagnoser(lambda q: _careful(q.evidence.exercise.probes.late, q), (NUMBERS,), besides=_changes_input),
    Diagnoser(_relation, (NUMBERS,), besides=_changes_input),
    Diagnoser(_changes_input, (NUMBERS,)),
    # What does not follow the input.
    Diagnoser(lambda q: None if q.evidence.is_shown(q.case) else _fixed(q), (RAISES, VERDICTS)),
    Diagnoser(_fixed, (TYPE, NUMBERS, NAMED)),
    Diagnoser(lambda q: explain_the_same(q.evidence, q.case), (TYPE, NUMBERS, NAMED)),
    # Which expression gives a result its number type.
    Diagnoser(lambda q: _careful(explain_float_type_made, q), (TYPE,)),
    Diagnoser(lambda q: _careful(explain_float_made, q), (TYPE,)),
    # What stands in the answer's own text and does something else than it seems to.
    Diagnoser(_text, (VERDICTS, TYPE, NUMBERS, NAMED), Way.IN_FRONT),
    Diagnoser(_text, (TYPE, NUMBERS)),
    Diagnoser(_unfinished, (NONE, EDGE)),
    # Where nothing is known.
    Diagnoser(lambda q: _careful(explain_large_numbers, q), (NUMBERS, NAMED), Way.LAST),
    Diagnoser(lambda q: _careful(_too_large, q), (NUMBERS,), Way.LAST),
    Diagnoser(_repair, (RAISES, TYPE, NUMBERS, NAMED, EDGE), Way.LAST),
    Diagnoser(lambda q: _careful(explain_broadcast, q), (NUMBERS,), Way.LAST),
    Diagnoser(_unused, (NUMBERS,), Way.LAST),
    Diagnoser(lambda q: explain_part_at_zero(q.evidence, q.case), (NUMBERS,), Way.LAST),
    Diagnoser(_text, (VERDICTS,), Way.LAST),
    Diagnoser(lambda q: explain_whole_numbers(q.evidence, q.case), (TYPE,), Way.LAST),
    Diagnoser(lambda q: _careful(explain_whole_numbers_made, q), (TYPE,), Way.LAST),
    Diagnoser(lambda q: explain_cut(q.evidence), (NUMBERS,), Way.LAST),
    Diagnoser(lambda q: _only_some_inputs(q, is_telling=True), (TYPE, NUMBERS, NAMED), Way.LAST),
    Diagnoser(lambda q: q.text, (VERDICTS, TYPE, NUMBERS, NAMED), Way.LAST),
    Diagnoser(lambda q: q.text if q.text and q.text.id == UNUSED else None, (RAISES,), Way.LAST),
    Diagnoser(lambda q: explain_where(q.evidence, q.case), (NUMBERS,), Way.LAST),
    Diagnoser(_only_some_inputs, (TYPE, NUMBERS, NAMED), Way.LAST),
    Diagnoser(_only_some_parts, (NUMBERS,), Way.LAST),
    Diagnoser(_example_is_right, (VERDICTS, NUMBERS, NAMED), Way.LAST),
)
