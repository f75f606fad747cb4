"""Changes of a syntax tree of the kinds that mend common slips, those of the most likely kinds first. Each can be taken back."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from attnlab.diagnosis.slips.change import Change, Nodes, held_at
from attnlab.diagnosis.slips.functions import (
    everywhere,
    in_another_order,
    with_a_factor_for_another,
    with_a_line_for_another,
    with_counters,
    with_lists,
    with_matrix_products,
    with_names_exchanged,
    with_names_that_stay,
    with_one_name_for_another,
    with_other_lengths,
    with_other_letters_everywhere,
    with_other_names,
    with_the_order_in_lists,
    with_transposes,
    without_everywhere,
    without_lines,
)
from attnlab.diagnosis.slips.places import (
    in_loops,
    of_axes,
    of_bounds,
    of_branches,
    of_functions,
    of_letters,
    of_masks,
    of_new_axes,
    of_operators,
    of_order,
    of_targets,
    of_types,
    with_larger_numbers,
    with_other_constants,
    without,
)
from attnlab.diagnosis.text.expressions import called


def changes(tree: ast.Module) -> Iterator[Change]:
    """Every change that is tried, those of the most likely kinds first."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    endless = {id(node) for loop in ast.walk(tree) if _may_not_end(loop) for node in ast.walk(loop)}
    nodes = Nodes(tree)
    found = [one for one in nodes.places if id(held_at(one)) not in endless]
    in_conditions = {id(node) for one in ast.walk(tree) if isinstance(one, (ast.If, ast.IfExp)) for node in ast.walk(one.test)}
    outside = [one for one in found if id(held_at(one)) not in in_conditions]  # a condition that is never true mends much, and says nothing
    branches = [change for place in found for change in of_branches(place, nodes)]
    yield from sorted(branches, key=lambda change: change.kind == "always")  # what leaves lines out comes first
    if any("softmax" in name or name == "exp" for name in map(called, ast.walk(tree))):
        for make in (with_larger_numbers, of_masks):
            yield from (change for place in outside for change in make(place, nodes))
    yield from (change for place in outside for change in without(place, nodes))
    yield from (change for change in without_lines(functions) if id(change.sets[0][0][0]) not in endless)
    yield from without_everywhere(tree)
    yield from with_matrix_products(tree)
    yield from with_transposes(tree)
    yield from with_counters(tree)
    yield from with_lists(tree)
    yield from everywhere(of_targets, outside, nodes)
    yield from with_the_order_in_lists(outside, nodes)
    yield from with_other_letters_everywhere(tree)
    for make in (of_functions, of_axes, of_bounds, of_targets, with_other_constants, in_loops):
        yield from (change for place in outside for change in make(place, nodes))
    yield from (change for place in found for change in of_operators(place, nodes))
    for make in (of_order, of_new_axes, of_letters, of_types):
        yield from (change for place in outside for change in make(place, nodes))
    gone_over = {id(one.iter) for one in ast.walk(tree) if isinstance(one, (ast.For, ast.comprehension))}  # a loop over what it adds to has no end
    left_alone = endless | in_conditions | gone_over
    for make in (
        with_names_that_stay,
        with_other_names,
        with_other_lengths,
        with_one_name_for_another,
        with_names_exchanged,
        in_another_order,
        with_a_line_for_another,
        with_a_factor_for_another,
    ):
        for function in functions:
            for change in make(function, nodes):
                touched = {id(node) for place, _ in change.sets for node in (place[0], held_at(place))}
                if not touched & left_alone:
                    yield change


def _may_not_end(node: ast.AST) -> bool:
    """Whether a loop ends by what stands in it alone."""
    return isinstance(node, ast.While) or (isinstance(node, ast.For) and called(node.iter) in ("count", "cycle", "repeat", "iter"))
