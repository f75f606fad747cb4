"""The explorer as readers of the site use it: by mouse, by keyboard alone, from a file, and without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = [pytest.mark.slow, pytest.mark.browser]

expect.set_options(timeout=60_000)  # a browser beside other tests


@pytest.fixture
def page(browser: Browser, site: Path) -> Iterator[Page]:
    """The page as it opens from a folder, without any server."""
    page = browser.new_page(viewport={"width": 1200, "height": 1000})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((site / "explorer.html").as_uri())
    yield page
    page.close()
    assert errors == []


def explorer(page: Page, name: str) -> Locator:
    return page.locator(f'.attn-explorer[data-run="run-{name.replace(" ", "-")}"]')


def answers(shown: Locator) -> str:
    return " ".join(shown.locator(".attn-result tbody td:nth-child(3)").all_inner_texts()).strip()


def test_tokens_are_edited_and_what_it_does_not_know_is_told(page: Page) -> None:
    shown = explorer(page, "who eats")
    assert re.match(r"who: dog \(\d+ %\) ✓\s+what: meat", answers(shown))
    field = shown.get_by_role("textbox")
    field.fill("meat eats dog")
    field.press("Enter")
    assert re.match(r"who: meat \(\d+ %\) ✓\s+what: dog", answers(shown))
    for written, said in (
        ("meat eats lion", "It does not know “lion”"),
        ("", "at least one token"),
        ("dog", "At least 2 tokens"),
        ("dog eats meat meat", "At most 3 tokens; these are 4"),
        ("dog+ eats meat", "It does not know “”"),
    ):
        field.fill(written)
        field.press("Enter")
        expect(shown.get_by_role("alert")).to_contain_text(said)
        expect(shown.locator(".attn-matrix tbody th")).to_have_text(["meat", "eats", "dog"])
    field.fill("cat eats fish")
    field.press("Enter")
    expect(shown.get_by_role("alert")).to_have_count(0)
    expect(shown.locator(".attn-matrix tbody th")).to_have_text(["cat", "eats", "fish"])


def test_without_positions_the_order_of_words_tells_nothing(page: Page) -> None:
    shown = explorer(page, "who eats")
    shown.get_by_label("add positions").uncheck()
    field, said = shown.get_by_role("textbox"), []
    for sentence in ("dog eats meat", "meat eats dog"):
        field.fill(sentence)
        field.press("Enter")
        said.append(re.findall(r"(\w+: \w+ \(\d+ %\))", answers(shown)))
    assert len(said[0]) == 2 and said[0] == said[1]


def test_the_first_of_two_layers_is_shown_and_its_scores_move_the_answer(page: Page) -> None:
    shown = explorer(page, "who it is")
    expect(shown.locator(".attn-said")).to_contain_text("is on “dog”")
    assert "it: d" in answers(shown)
    field = shown.get_by_role("textbox")
    field.fill("the dog dropped the bone because it was heavy")
    field.press("Enter")
    expect(shown.locator(".attn-said")).to_contain_text("is on “bone”")
    assert "it: b" in answers(shown)
    shown.get_by_label("show the first layer").check()
    expect(shown.locator(".attn-matrix caption")).to_contain_text("Weights of the first layer")
    shown.get_by_role("slider", name="score of key 7, was").fill("5")
    expect(shown.locator(".attn-said")).to_contain_text("You moved 1 score.")
    assert shown.locator(".attn-result thead th").count() == 5
    shown.get_by_label("show the second").check()
    expect(shown.locator(".attn-matrix caption")).to_contain_text("Weights of the second layer")


def test_a_query_is_chosen_and_followed_by_keyboard(page: Page) -> None:
    shown = explorer(page, "next letter")
    expect(shown.locator(".attn-said")).to_contain_text("Query “c+3”: the largest weight, 1.00, is on “d+8”.")
    shown.get_by_role("button", name="c+3", exact=True).focus()
    page.keyboard.press("ArrowDown")
    expect(shown.get_by_role("button", name="a+1", exact=True)).to_be_focused()
    expect(shown.locator(".attn-said")).to_contain_text("Query “a+1”: the largest weight, 1.00, is on “b+5”.")
    expect(shown.locator(".attn-way caption")).to_contain_text("The way of query “a+1”")
    weight = shown.get_by_role("button", name="weight", exact=True)
    weight.focus()
    page.keyboard.press("Enter")
    expect(weight).to_have_attribute("aria-pressed", "true")
    expect(shown.locator(".attn-how")).to_contain_text("The softmax: e to each of these numbers")


def test_a_score_that_is_moved_moves_weights_entropy_and_the_answer(page: Page) -> None:
    shown = explorer(page, "next letter")
    before = shown.locator(".attn-said").inner_text()
    rows = shown.locator(".attn-way tbody tr")
    slider = rows.filter(has_text="f+4").get_by_role("slider")
    slider.focus()
    for _ in range(80):  # from the lowest end of the slider to the highest, if need be
        page.keyboard.press("ArrowRight")
    expect(slider).to_be_focused()
    expect(shown.locator(".attn-said")).to_contain_text("on “f+4”")
    expect(shown.locator(".attn-said")).to_contain_text("You moved 1 score.")
    assert answers(shown).startswith("4 (")
    expect(shown.locator(".attn-result caption")).to_have_text("Outputs, beside those without your changes")
    differences = shown.locator(".attn-result tbody td:last-child").all_inner_texts()
    assert float(differences[0]) > 1 and set(differences[1:]) == {"0.00"}
    shown.get_by_role("button", name="Put all scores back").click()
    expect(shown.locator(".attn-said")).to_have_text(before)
    assert answers(shown).startswith("8 (")
    slider.fill("9")  # as a mouse drags it: the same slider is still there
    expect(rows.filter(has_text="f+4").locator("output")).to_have_text("9.00")


def test_a_head_that_is_switched_off_takes_its_answer_along(page: Page) -> None:
    shown = explorer(page, "two questions")
    assert re.match(r"first: pear \(\d+ %\) ✓\s+second: key \(\d+ %\) ✓", answers(shown))
    kept = []
    for head in (0, 1):
        shown.get_by_label(f"head {head} is on").uncheck()
        expect(shown.locator(".attn-said")).to_contain_text(f"Off: head {head}.")
        kept.append([answer in answers(shown) for answer in ("first: pear", "second: key")])
        shown.get_by_label(f"head {head} is on").check()
    assert sorted(kept) == [[False, True], [True, False]]


def test_the_training_is_gone_through(page: Page) -> None:
    shown = explorer(page, "next letter")
    slider = shown.get_by_label("Training", exact=True)
    expect(shown.locator("output", has_text="batches")).to_contain_text("100 % right")
    slider.focus()
    page.keyboard.press("Home")
    expect(shown.locator("output", has_text="batches")).to_have_text(re.compile(r"after 0 batches it answers 1?\d % right"))
    expect(slider).to_have_attribute("aria-valuetext", re.compile("after 0 batches"))
    assert re.findall(r"(\d) \(", answers(shown)) != list("851934")
    page.keyboard.press("End")
    assert re.findall(r"(\d) \(", answers(shown)) == list("851934")


def test_the_scale_and_the_mask_are_stages_of_the_way(page: Page) -> None:
    shown = explorer(page, "scaled")
    shown.get_by_label("Training", exact=True).fill("0")
    entropy = [float(re.search(r"entropy is ([\d.]+)", shown.locator(".attn-said").inner_text())[1])]
    shown.get_by_role("button", name="÷ √64").click()
    expect(shown.locator(".attn-how")).to_contain_text("divided by √64 = 8.00")
    shown.get_by_label("divide scores by √d").uncheck()
    expect(shown.get_by_role("button", name="÷ √64")).to_have_count(0)
    entropy.append(float(re.search(r"entropy is ([\d.]+)", shown.locator(".attn-said").inner_text())[1]))
    assert entropy[0] > 2 * entropy[1]
    shown.get_by_label("mask later keys").check()
    shown.get_by_role("button", name="a+1", exact=True).click()
    expect(shown.locator(".attn-said")).to_contain_text("of at most 0.69 nats")
    expect(shown.locator(".attn-way tbody td", has_text="−∞")).to_have_count(4)


def test_heads_of_a_real_model_are_looked_at_without_the_model(page: Page) -> None:
    shown = explorer(page, "real model")
    shown.get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    expect(shown.locator(".attn-map caption")).to_contain_text("Weights of layer 12, head 8")
    shown.get_by_label("leave out the first token").check()
    expect(shown.locator(".attn-said")).to_contain_text("of its weight is on the first token and left out")


def test_without_javascript_there_is_the_picture_with_its_words(browser: Browser, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "explorer.html").as_uri())
    for name, query in (("next letter", "c+3"), ("who eats", "eats")):
        expect(explorer(page, name).locator("figcaption")).to_contain_text(f"Query “{query}” has its largest score")
        expect(explorer(page, name).locator("table").first).to_be_visible()
    context.close()


def test_a_lesson_has_its_explorer(browser: Browser, site: Path) -> None:
    page = browser.new_page()
    page.goto((site / "lessons" / "4_multi_head.html").as_uri())
    expect(page.locator(".attn")).to_have_count(1)
    expect(page.locator(".attn-matrix caption")).to_contain_text("Weights of head 0")
    page.goto((site / "lessons" / "8_real_model.html").as_uri())
    expect(page.locator(".attn")).to_have_count(1)
    expect(page.locator(".attn-map caption")).to_contain_text("Weights of layer 13, head 8")
    page.close()
