"""Drawings of how attention works: paths from word to word, blocks with shapes, one query's way, places."""

from __future__ import annotations

import base64
import re

import numpy as np
import pytest
import torch

from attnlab import figures
from nbjudge import clean_html


def lines_of(picture: figures.Picture, colour: str, width: str) -> int:
    """How many lines of one look a plot holds."""
    drawing = base64.b64decode(re.findall(r"base64,([^\"]+)", picture.body)[0]).decode()
    return len(re.findall(rf"fill: none; stroke: {colour}; stroke-width: {width}\"", drawing))


def test_a_chain_hands_on_step_by_step_and_attention_looks_at_once() -> None:
    picture = figures.chain_and_attention()
    assert "“it” hears of “dog” after 5 steps, and the last word of the first one after 8." in picture.says
    assert "every word looks at every word in one step" in picture.says
    assert lines_of(picture, "#d55e00", "3") == 1 and lines_of(picture, "#0072b2", "1.3") == 8  # one path to dog, eight looks elsewhere
    assert lines_of(picture, "#d9d9d9", "0.7") == 8 * 9
    assert picture.says in picture.body.replace("&quot;", '"')


def test_the_words_of_the_path_can_be_others() -> None:
    says = figures.chain_and_attention(["a", "b", "a"], query=2, key="b").says
    assert "“a” hears of “b” after 1 step, and the last word of the first one after 2." in says


@pytest.mark.parametrize(
    ("query", "key", "says"),
    [("dog", "it", "the word at place 6 does not stand before the word at place 1"), ("it", "cat", "“cat” is none of the words"), (9, 1, "place 9")],
)
def test_a_path_that_a_chain_does_not_have_is_refused(query: str | int, key: str | int, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        figures.chain_and_attention(query=query, key=key)


def test_arrows_are_drawn_to_each_token_and_to_its_output() -> None:
    tokens, moved = np.array([[2.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]), np.array([[0.0, 0.1], [0.5, 0.0], [0.0, 0.0]])
    picture = figures.arrows(tokens, tokens + moved, names=["cat", "dog", "bone"])
    assert picture.says == "Black arrows are the tokens, grey ones their outputs. Dog moves furthest."
    [address] = re.findall(r"base64,([^\"]+)", picture.body)
    drawing = base64.b64decode(address).decode()
    for look in ("stroke: #222222; stroke-width: 3;", "stroke: #7f7f7f; stroke-width: 1.4;"):
        assert drawing.count(f"fill: none; {look}") == 3, look


@pytest.mark.parametrize(
    ("tokens", "outputs"), [(np.ones((2, 3)), np.ones((2, 3))), (np.ones((2, 2)), np.ones((3, 2))), (np.ones((7, 2)), np.ones((7, 2)))]
)
def test_arrows_of_another_shape_are_refused(tokens: np.ndarray, outputs: np.ndarray) -> None:
    with pytest.raises(ValueError, match="cannot be drawn"):
        figures.arrows(tokens, outputs)


def blocks_of(picture: figures.Picture) -> list[str]:
    return re.findall(r'<div style="font-weight:600">([^<]*)<', picture.body)


def shapes_of(picture: figures.Picture) -> list[str]:
    return re.findall(r"↓</span> ([^<]*)</td>", picture.body)


def test_the_blocks_of_attention_carry_a_shape_at_each_arrow() -> None:
    picture = figures.attention_blocks()
    assert blocks_of(picture) == [
        "queries",
        "keys",
        "values",
        "scores = queries · keysᵀ",
        "÷ √d_k",
        "mask (optional)",
        "softmax along the keys",
        "weights · values",
        "output",
    ]
    assert shapes_of(picture) == ["(T, d_k)", "(S, d_k)", "(T, S)", "(T, S)", "(T, S)", "weights (T, S)", "(S, d_v)", "(T, d_v)"]
    assert "masked with −∞" in picture.says and picture.body.count("dashed") == 1


def test_scale_and_mask_can_be_left_out_and_letters_be_numbers() -> None:
    picture = figures.attention_blocks(T=5, S=5, d_k=3, d_v=2, scale=False, mask=False)
    assert blocks_of(picture)[3:6] == ["scores = queries · keysᵀ", "softmax along the keys", "weights · values"]
    assert shapes_of(picture) == ["(5, 3)", "(5, 3)", "(5, 5)", "weights (5, 5)", "(5, 2)", "(5, 2)"]
    assert picture.says.startswith("Dot-product attention") and "mask" not in picture.says and "divided" not in picture.says


@pytest.mark.parametrize("steps", [figures.attention_blocks(), figures.attention_blocks(scale=False, mask=False)], ids=["all steps", "two steps"])
def test_every_row_of_a_diagram_is_as_wide_as_the_diagram(steps: figures.Picture) -> None:
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", steps.body)
    width, beside = steps.body.count("<col "), 0
    for row in rows:
        lines = [int(number) for number in re.findall(r'rowspan="(\d+)"', row)]
        held = sum(map(int, re.findall(r'colspan="(\d+)"', row))) + len(lines)
        assert held + (2 if beside else 0) == width
        beside = max(lines, default=beside) - 1 if lines or beside else 0
    assert beside == 0


def test_the_blocks_of_multi_head_attention_say_where_heads_are_cut_and_merged() -> None:
    picture = figures.multi_head_blocks(B=2, T=4, k=6, heads=2)
    assert blocks_of(picture) == [
        "x",
        "toqueries",
        "tokeys",
        "tovalues",
        "split_heads",
        "split_heads",
        "split_heads",
        "attention in every head by itself",
        "merge_heads",
        "unifyheads",
        "output",
    ]
    whole, cut = "(B, T, k) = (2, 4, 6)", "(B, h, T, s) = (2, 2, 4, 3)"
    assert shapes_of(picture) == [whole] * 6 + [cut] * 4 + [whole] * 2
    assert "weights (B, h, T, T) = (2, 2, 4, 4)" in picture.body and "√3" in picture.body and "fold" not in picture.body


def test_heads_can_be_shown_folded_into_the_batch() -> None:
    picture = figures.multi_head_blocks(B=3, T=5, k=16, heads=8, fold=True)
    assert "folded (B·h, T, s) = (24, 5, 2)" in picture.body and picture.says.endswith("3 × 8 heads are 24 sequences of one head.")
    assert re.findall(r">(head \d+|…)</span>", picture.body) == ["head 0", "head 1", "…", "head 7"]


def test_heads_that_do_not_divide_k_are_refused() -> None:
    with pytest.raises(ValueError, match="6 components cannot be cut into 4 equal heads"):
        figures.multi_head_blocks(k=6, heads=4)


@pytest.mark.parametrize(
    "picture",
    [
        figures.chain_and_attention(),
        figures.attention_blocks(),
        figures.multi_head_blocks(fold=True),
        figures.data_flow(*np.ones((3, 2, 4)), mask=np.eye(2)),
        figures.positions(np.eye(4, 6)),
    ],
    ids=["paths", "attention", "heads", "flow", "places"],
)
def test_a_feedback_page_keeps_the_whole_drawing(picture: figures.Picture) -> None:
    shown = picture._repr_mimebundle_()["text/html"]
    kept = clean_html(shown)
    for tag in ("table", "td", "img", "div", "span", "figcaption"):
        assert kept.count(f"<{tag}") == shown.count(f"<{tag}")
    assert [style.rstrip(";") for style in re.findall(r'style="([^"]*)"', kept)] == [
        style.rstrip(";") for style in re.findall(r'style="([^"]*)"', shown)
    ]
    assert re.findall(r'(?:row|col)span="\d+"', kept) == re.findall(r'(?:row|col)span="\d+"', shown)


def encodings(T: int, k: int) -> np.ndarray:
    """Sine and cosine of positions, as in Vaswani et al., 2017, section 3.5."""
    even = np.arange(k) // 2 * 2
    angles = np.arange(T)[:, None] / 10000 ** (even / k)
    return np.where(np.arange(k) % 2, np.cos(angles), np.sin(angles))


def test_near_positions_agree_more_than_far_ones() -> None:
    picture = figures.positions(torch.from_numpy(encodings(64, 32)))
    assert picture.says == (
        "Each row is the encoding of one position (64 positions, 32 components). The dot product of position 20 with itself is 16, "
        "with its neighbours 15.31 and 15.31, with positions ten or more away at most 11.45: "
        "the neighbours agree more than positions far away."
    )
    assert 'alt="64 positions (rows), 32 components (columns), from -1 to 1" width="320" height="320"' in picture.body
    assert "position (row)" in picture.body and "component (column): light is -1, dark is 1" in picture.body
    assert re.findall(r"line-height:1;flex:none[^>]*>(\d+)<", picture.body) == ["0", "16", "32", "48", "0", "8", "16", "24"]


def test_what_is_not_so_is_not_said() -> None:
    drawn = np.random.RandomState(0).normal(size=(64, 8))
    assert figures.positions(drawn).says.endswith("the neighbours do not agree more than positions far away.")
    assert figures.positions(encodings(5, 6)).says.endswith("The dot product of position 2 with itself is 3, with its neighbours 2.54 and 2.54.")
    assert figures.positions(np.ones((1, 4))).says.endswith("The dot product of position 0 with itself is 4.")


@pytest.mark.parametrize(("encoding", "position", "says"), [(np.ones(4), None, "cannot be drawn"), (np.ones((4, 2)), 4, "there is no position 4")])
def test_an_encoding_that_cannot_be_drawn_is_refused(encoding: np.ndarray, position: int | None, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        figures.positions(encoding, position)
