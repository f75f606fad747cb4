"""The pages' server: who gets in, what a page holds and does not hold, and what is said where there is nothing to grade."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest

from helpers.by_question import ASSIGNMENT, CODE, HOSTILE, NOTEBOOK, TOKEN, WHY, Server, make, student, write_answer

LOGGED_IN = {"Authorization": f"token {TOKEN}"}
MANY = 55
ABSOLUTE = "![outside](../../../secret.png) ![inside](plot.png) ![missing](none.png)"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("served") / "course"
    root.mkdir()
    make(root, MANY, {1: HOSTILE, 2: "x" * 60_000, 3: ABSOLUTE, 4: ""})
    (root / "autograded" / student(3) / ASSIGNMENT / "plot.png").write_bytes(b"a picture")
    (root / "autograded" / "secret.png").write_bytes(b"a secret")
    (root / "autograded" / student(5) / ASSIGNMENT / f"{NOTEBOOK}.ipynb").write_text("{not json")
    return root


@pytest.fixture(scope="module")
def server(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(course, tmp_path_factory.mktemp("home")) as running:
        yield running


def get(server: Server, path: str, headers: dict[str, str] = LOGGED_IN, body: object = None) -> tuple[int, str]:
    """The status and the text of an answer."""
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(f"{server.address}/nbjudge/by-question{path}", data=data, headers=headers), timeout=60) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


QUESTION = f"/{ASSIGNMENT}/{NOTEBOOK}/{WHY}"


def data_of(page: str) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])


def test_nobody_gets_in_without_the_servers_login(server: Server) -> None:
    for path in ("", QUESTION, f"{QUESTION}/state?keys=a", f"{QUESTION}/abc/formgrader"):
        status, text = get(server, path, {})
        assert status == 403 or 'name="password"' in text
        assert "Answer 1" not in text
    assert get(server, QUESTION, {}, {"action": "confirm"})[0] == 403


def test_a_request_from_another_site_is_refused(server: Server) -> None:
    with urlopen(f"{server.address}/nbjudge/by-question{QUESTION}?token={TOKEN}") as page:
        cookies = "; ".join(line.split(";")[0] for line in page.headers.get_all("Set-Cookie"))
    assert "_xsrf" in cookies
    assert get(server, QUESTION, {"Cookie": cookies}, {"action": "confirm"})[0] == 403
    token = re.search(r"_xsrf=([^;]*)", cookies)[1]
    assert get(server, QUESTION, {"Cookie": cookies, "X-XSRFToken": token}, {"action": "confirm"})[0] == 200


def test_no_page_and_no_answer_tells_who_it_is(server: Server) -> None:
    page = get(server, QUESTION)[1]
    keys = list(data_of(page)["answers"])
    texts = [
        page,
        get(server, "")[1],
        get(server, f"/{ASSIGNMENT}/{NOTEBOOK}/{CODE}?page=2")[1],
        get(server, f"{QUESTION}/state?keys={','.join(keys)}")[1],
    ]
    texts.append(get(server, QUESTION, LOGGED_IN, {"action": "confirm", "shown": keys})[1])
    texts.append(get(server, QUESTION, LOGGED_IN, {"action": "grade", "answer": keys[0], "seen": "", "text": "", "shown": keys})[1])
    for text in texts:
        assert not re.search(r"zorro|quark|zacharias|xylander", text, re.IGNORECASE)


def test_fifty_answers_are_on_a_page_and_the_rest_on_the_next(server: Server) -> None:
    first, second = (get(server, f"{QUESTION}?page={number}")[1] for number in (1, 2))
    assert [page.count("<article") for page in (first, second)] == [50, MANY - 50]
    assert not set(data_of(first)["answers"]) & set(data_of(second)["answers"])
    assert get(server, f"{QUESTION}?page=99999999999")[1].count("<article") == 50
    assert get(server, f"{QUESTION}?page=77")[1].count("<article") == MANY - 50


def test_what_a_student_wrote_is_harmless(server: Server) -> None:
    both = unescape("".join(get(server, f"{QUESTION}?page={number}")[1] for number in (1, 2)))
    whole = "".join(get(server, f"{QUESTION}?page={number}")[1] for number in (1, 2))
    assert not re.search(r"<(script>|iframe|svg)|<[^>]* onerror|<[^>]* onclick|href=.javascript", whole)
    assert "A text of 60,000 letters" in both
    assert "x" * 20_001 not in both
    assert both.count("data:image/png;base64,YSBwaWN0dXJl") == 1
    assert "YSBzZWNyZXQ" not in both
    assert "Nothing was written here." in both
    assert "not in the folder of graded notebooks" in both


def test_code_is_shown_as_code_with_what_it_printed(server: Server) -> None:
    page = get(server, f"/{ASSIGNMENT}/{NOTEBOOK}/{CODE}")[1]
    assert 'class="highlight' in page and ">shown\n<" in page and "data:image/png;base64,iVBOR" in page


@pytest.mark.parametrize("path", ["/week1/sums/nowhere", "/x/y/z", "/week1/sums/%3Cscript%3E", f"{QUESTION}/abc/formgrader"])
def test_what_is_not_there_is_said(server: Server, path: str) -> None:
    status, page = get(server, path)
    assert status == 400
    assert "Next: " in page
    assert "<script>" not in page


@pytest.mark.parametrize(
    "body", [[], "x", 3, {}, {"action": "rubric"}, {"action": "rubric", "seen": 3, "change": []}, {"action": "grade", "answer": []}]
)
def test_what_no_page_asks_for_is_refused(server: Server, body: object) -> None:
    status, said = get(server, QUESTION, LOGGED_IN, body)
    assert status in (400, 409)
    assert json.loads(said)["trouble"]


def test_an_answer_that_changed_on_the_way_is_not_graded(server: Server, course: Path) -> None:
    data = data_of(get(server, QUESTION)[1])
    key = next(key for key in data["answers"] if data["texts"].get(key))  # one notebook cannot be read, and keys come in any order
    about = {"action": "grade", "answer": key, "seen": data["answers"][key]["seen"], "to": {"mode": "rubric", "items": []}}
    status, said = get(server, QUESTION, LOGGED_IN, {**about, "text": "of before"})
    assert status == 409
    assert "its text is another one now" in json.loads(said)["trouble"]
    status, said = get(server, QUESTION, LOGGED_IN, {**about, "text": data["texts"][key]})
    assert status == 200
    assert json.loads(said)["answers"][key]["changed"] is False
    for number in range(MANY):
        write_answer(course, number, f"Another answer, {uuid4()}.")
    assert json.loads(get(server, f"{QUESTION}/state?keys={key}")[1])["answers"][key]["changed"] is True


def test_a_course_without_a_gradebook_and_no_course_are_said(tmp_path: Path) -> None:
    with Server(tmp_path, tmp_path / "home") as server:
        status, page = get(server, "")
        assert status == 404
        assert "there is no course to grade here" in page.lower()
        (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
        status, page = get(server, QUESTION)
        assert status == 404
        assert "the course has no gradebook yet" in page.lower()
    assert not (tmp_path / "gradebook.db").exists()
