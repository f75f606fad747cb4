"""What lesson 8 says of its outputs is so in the outputs that are stored; `tests/attnlab/test_real_model.py` asks the model itself."""

from __future__ import annotations

import re

import numpy as np

from tests.lessons.test_statements import numbers_in, shown_by

LESSON = "8_real_model"


def rows(code: str) -> list[str]:
    return shown_by(LESSON, code).splitlines()


def test_frequent_words_are_one_token_and_digits_stand_alone() -> None:
    dog, rare, year, _, _ = rows("unbelievably tired")
    assert " didn" in dog and dog.count(",") == 12
    assert len(re.findall(r"'[^']*'", rare)) > 2 and year.endswith("'1', '9', '8', '4']")


def test_paris_is_known_before_it_is_said() -> None:
    table = {int(line.split()[0]): line for line in rows('check.reveal("predict_paris")') if re.match(r" +\d+  '", line)}
    ranks = {layer: int(line.split()[-1].replace(",", "")) for layer, line in table.items()}
    assert [layer for layer, line in table.items() if "' Paris'" in line] == [30] and ranks[30] == 1
    assert min(ranks[0], ranks[20]) > 2000 and ranks[25] == 92


def test_the_first_token_gets_most_and_has_short_values_where_it_does() -> None:
    assert round(100 * np.mean([1 / seen for seen in range(2, 14)])) == 18
    [share] = re.findall(r"weight on the first token: (\d+)%", shown_by(LESSON, 'check.reveal("predict_first_token")'))
    assert 55 <= int(share) <= 65
    table = {
        int(found[0]): [float(number) for number in found[1:]] for line in rows("length of its values") if (found := re.findall(r"[\d.]+", line))
    }
    for weight, first, others in (line for layer, line in table.items() if layer not in (0, 11)):
        assert weight > 40 and first < others / 2.5
    weight, first, others = table[11]
    assert weight < 18 and first > others


def test_it_cannot_know_what_comes_later_and_the_model_says_dog_both_times() -> None:
    change, tired, heavy = rows('check.reveal("predict_tired_heavy")')[-3:]
    assert change.endswith(" 0.000000")
    (dog, bone), (dog_later, bone_later) = (numbers_in(line)[-2:] for line in (tired, heavy))
    assert dog > bone and dog_later > bone_later and dog > dog_later and bone < bone_later


def test_copying_hangs_on_two_steps() -> None:
    assert re.search(r"induction +18\.6: ", shown_by(LESSON, "def top(")) and re.search(r"previous token +16\.0: ", shown_by(LESSON, "def top("))
    sets = {line.split("first half")[0].strip(): numbers_in(line)[-2:] for line in rows('check.reveal("predict_eight_off")') if "first half" in line}
    assert all(abs(first - 13) < 1 for first, _ in sets.values())
    second = {name: last for name, (_, last) in sets.items()}
    assert second.pop("all heads") < 1.5 and 9.5 < second.pop("without the eight") < 11.5 and second.pop("without 16.0 alone") > 5
    assert len(second) == 5 and all(name.startswith("without eight random heads") and last < 3 for name, last in second.items())
    scores = [numbers_in(line)[-2:] for line in rows("induction score   with 16.0")[1:]]
    assert len(scores) == 8 and all(after < 0.35 and after < before - 0.1 for before, after in scores)


def test_those_that_look_at_mary_are_not_those_that_say_her() -> None:
    lines = rows("def mary(")
    everything, without_eight = (float(line.split()[-1]) for line in lines[:2])
    assert everything > 0.9 and without_eight > 0.75
    for line in lines[2:]:
        [chance, weight] = re.search(r"alone +([\d.]+) .*Mary ([\d.]+)", line).groups()
        assert float(chance) < without_eight and float(weight) < 0.02


def test_a_cache_changes_no_word_and_saves_time() -> None:
    with_cache, without = (re.fullmatch(r"with(?:out)? a cache +(\d+) ms a token: (.*)", line).groups() for line in rows("time.perf_counter"))
    assert with_cache[1] == without[1] and int(without[0]) > 1.5 * int(with_cache[0])
