"""An extension of Jupyter's server: pages to grade by question, for whoever has a course's gradebook, with the server's own login.

It opens nothing to a student: it reads and writes with the rights of the person whose server it is, and answers only where nbgrader's
formgrader is switched on in the same server and its course has an `nbgrader_config.py` and a gradebook with grades.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import FileFindHandler, JupyterHandler
from jupyter_server.utils import url_path_join
from nbgrader.coursedir import CourseDirectory
from tornado import web

from nbjudge._by_question.content import Content, get_ready
from nbjudge._by_question.rubric import proposed
from nbjudge._by_question.store import Answer, Place, Question, Stale, Store, Whole
from nbjudge._common.settings import Report, in_words
from nbjudge._nbgrader.clues import why_not_judged
from nbjudge._nbgrader.database import parsed
from nbjudge._nbgrader.feedback import number
from nbjudge._nbgrader.pages import COLOURS
from nbjudge._wire.errors import CannotGrade

TEMPLATES = Path(__file__).with_name("templates")
HERE = "nbjudge/by-question"
AT_ONCE = 50  # answers on a page
MOST_BODY = 200_000
MOST_REASON, MOST_REASONS = 600, 3  # letters of why a test could not judge, and reasons
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'"
)
NO_COURSE = "there is no course to grade here", "start Jupyter in the folder with nbgrader_config.py, with nbgrader's formgrader switched on"
NO_GRADEBOOK = "the course has no gradebook yet, so there is nothing to grade by hand", "grade something first, then reload this page"


class Pages:
    """What the pages show of the course that the formgrader of this server has, and what they do to it.

    Raises:
        CannotGrade: there is none, or it has no gradebook.
    """

    def __init__(self, formgrader: Any):
        if formgrader is None or not (Path(formgrader.coursedir.root) / "nbgrader_config.py").is_file():
            raise CannotGrade(*NO_COURSE)
        folders: CourseDirectory = formgrader.coursedir
        url = parsed(folders.db_url)
        if url is not None and url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
            raise CannotGrade(*NO_GRADEBOOK)
        self._root = Path(folders.root)
        self.name = folders.course_id or Path(folders.root).name
        self.store, self.content = Store(folders.db_url), Content(folders, formgrader)
        self._ending = Report(parent=formgrader).ending

    def called(self, place: Place) -> str:
        """The name of a question as a person would write it."""
        return capital(in_words(place.cell, self._ending))

    def overview(self) -> dict[str, Any]:
        """The names of the list's template."""
        by_assignment: dict[str, list[Question]] = {}
        in_order = sorted(self.store.questions(), key=lambda question: (*question.place[:2], self.content.order(question.place)))
        for question in in_order:
            by_assignment.setdefault(question.place.assignment, []).append(question)
        not_judged = {question.place: self._why_not(self.store.read(question.place)) for question in in_order if question.kind == "test"}
        return {"course": self.name, "assignments": by_assignment, "called": self.called, "not_judged": not_judged}

    def page(self, place: Place, page: int, only_waiting: bool) -> dict[str, Any]:
        """The names of a question's template."""
        whole = self.store.read(place)
        numbered = [(at, answer) for at, answer in enumerate(whole.answers, start=1) if answer.needs or not only_waiting]
        pages = max(1, -(-len(numbered) // AT_ONCE))
        page = min(max(page, 1), pages)
        shown = numbered[(page - 1) * AT_ONCE : page * AT_ONCE]
        asked = self.content.question(whole.question)
        contents = {answer.key: self.content.answer(whole.question, answer) for _, answer in shown}
        told = whole.told([answer.key for _, answer in shown])
        self._add_digests(whole, told)
        next_page = next((at for at, (_, answer) in enumerate(numbered) if answer.needs and at >= page * AT_ONCE), None)
        data = {
            **told,
            "most": whole.question.most,
            "texts": {key: content.digest for key, content in contents.items()},
            "proposed": [{"label": label, "points": points} for label, points in proposed(asked.scheme, whole.question.most)],
            "next": None if next_page is None else next_page // AT_ONCE + 1,
        }
        return {
            "question": whole.question,
            "title": self.called(place),
            "asked": asked,
            "not_judged": self._why_not(whole),
            "answers": [(at, answer.key, contents[answer.key].html) for at, answer in shown],
            "data": json.dumps(data).replace("<", "\\u003c"),
            "page": page,
            "pages": pages,
            "only_waiting": only_waiting,
        }

    def _why_not(self, whole: Whole) -> list[str]:
        """Why a test could not judge the answers that wait for points, the most common reason first."""
        if whole.question.kind != "test":
            return []
        waiting = [answer.student for answer in whole.answers if answer.points is None and answer.by_test is None]
        place = whole.question.place
        reasons = why_not_judged(self._root, place.assignment, place.notebook, place.cell, waiting)
        return [shortened(why, MOST_REASON) for why in reasons[:MOST_REASONS]]

    def states(self, place: Place, keys: list[str]) -> dict[str, Any]:
        """What changed elsewhere."""
        whole = self.store.read(place)
        told = whole.told(keys)
        self._add_digests(whole, told)
        return told

    def act(self, place: Place, asked: dict[str, Any]) -> dict[str, Any]:
        """One action of a page."""
        action, seen = asked.get("action"), str(asked.get("seen", ""))
        shown = [str(key) for key in asked.get("shown", [])] if isinstance(asked.get("shown"), list) else []
        if action == "grade":
            shown = [str(asked.get("answer", ""))]

            def digest_of(question: Question, answer: Answer) -> str:
                if (digest := self.content.digest(question, answer)) != asked.get("text"):
                    raise Stale("this answer was graded again meanwhile, and its text is another one now. Reload the page to see it")
                return digest

            done = self.store.grade(place, shown[0], seen, _dict(asked.get("to")), digest_of)
        elif action == "rubric":
            done = self.store.change_rubric(place, seen, _dict(asked.get("change")))
        elif action == "confirm":
            whole = self.store.read(place)
            digests = {answer.key: self.content.digest(whole.question, answer) for answer in whole.answers if answer.needs and answer.mark}
            done = self.store.confirm(place, digests)
        else:
            raise CannotGrade("the page asked for something that is not known here", "reload the page")
        told = {**done.whole.told(shown), **done.about}
        self._add_digests(done.whole, told)
        return told

    def submission(self, place: Place, key: str) -> str:
        """nbgrader's id of the notebook that an answer is in."""
        answer = self.store.read(place).by_key.get(key)
        if answer is None:
            raise CannotGrade("this answer is not in the gradebook any more", "go back, and reload the page")
        return answer.submission

    def _add_digests(self, whole: Whole, told: dict[str, Any]) -> None:
        """Say of each answer whether its text is another one than the one that was graded."""
        for key, state in told["answers"].items():
            answer = whole.by_key.get(key)
            now = self.content.digest(whole.question, answer) if answer and state["of"] else ""
            state["changed"] = bool(state["of"]) and now != state["of"]


def shortened(text: str, most: int) -> str:
    """At most so many letters of a text."""
    return text if len(text) <= most else f"{text[:most]} …"


def capital(words: str) -> str:
    """A sentence from words that do not begin as one."""
    return words[:1].upper() + words[1:]


def _dict(given: Any) -> dict[str, Any]:
    return given if isinstance(given, dict) else {}


class Handler(JupyterHandler):
    """What all of them share: the login of Jupyter's server, a policy for the browser, and errors in a sentence."""

    auth_resource = "contents"

    @property
    def content_security_policy(self) -> str:
        """Nothing from elsewhere, and no script but ours."""
        return POLICY

    def prepared(self) -> Pages:
        """The pages of this server's course."""
        return Pages(self.settings.get("nbgrader_formgrader"))

    async def beside(self, task: Callable[[Pages], Any]) -> Any:
        """`task(pages)` in a thread, so that the server goes on meanwhile."""
        return await asyncio.to_thread(lambda: task(self.prepared()))

    def page(self, template: str, **names: Any) -> None:
        """Answer with a page."""
        _ = self.xsrf_token  # sets the cookie that the page's own requests repeat
        base = self.base_url
        names |= {"home": url_path_join(base, HERE), "lab": url_path_join(base, "lab"), "formgrader": url_path_join(base, "formgrader")}
        self.set_header("Cache-Control", "no-store")
        self.finish(_templates().get_template(template).render(names))

    def say(self, status: int, told: dict[str, Any]) -> None:
        """Answer a page's script."""
        self.set_status(status)
        self.set_header("Content-Type", "application/json")
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps(told))

    def refuse(self, error: CannotGrade) -> None:
        """Answer with a sentence."""
        self.set_status(404 if (error.why, error.next_step) in (NO_COURSE, NO_GRADEBOOK) else 400)
        self.page("message.html.j2", why=error.why, next_step=error.next_step)


class ListHandler(Handler):
    """All questions that need a person."""

    @web.authenticated
    @authorized
    async def get(self) -> None:
        """The page."""
        try:
            names = await self.beside(lambda pages: pages.overview())
            self.page("list.html.j2", **names)
            if names["assignments"]:
                await asyncio.to_thread(get_ready)  # for the question that comes next
        except CannotGrade as error:
            self.refuse(error)


class QuestionHandler(Handler):
    """One question: its page, and what the page asks for."""

    @web.authenticated
    @authorized
    async def get(self, *names: str) -> None:
        """The page: `page` is a number, `show=waiting` leaves out what is done."""
        page = self.get_argument("page", "1")
        only_waiting = self.get_argument("show", "") == "waiting"
        at = int(page) if page.isdecimal() and len(page) < 6 else 1
        try:
            self.page("question.html.j2", **await self.beside(lambda pages: pages.page(_place(names), at, only_waiting)))
        except CannotGrade as error:
            self.refuse(error)

    @web.authenticated
    @authorized
    async def post(self, *names: str) -> None:
        """One action, as JSON; 409 where the page is behind, with what is so now."""
        if len(self.request.body) > MOST_BODY:
            return self.say(400, {"trouble": "That is too long. Next: make it shorter."})
        try:
            asked = json.loads(self.request.body)
        except ValueError:
            asked = None
        place = _place(names)
        try:
            self.say(200, await self.beside(lambda pages: pages.act(place, _dict(asked))))
        except Stale as error:
            shown = _dict(asked).get("shown")
            now = await self.beside(lambda pages: pages.states(place, [str(key) for key in shown] if isinstance(shown, list) else []))
            self.say(409, {"trouble": f"{capital(str(error))}. What you did was not saved; this is how it is now.", **now})
        except CannotGrade as error:
            self.say(400, {"trouble": capital(str(error))})

    def write_error(self, status_code: int, **about: Any) -> None:
        """A failure that nobody foresaw, for the page's script too."""
        if self.request.method == "POST":
            self.say(status_code, {"trouble": "The server failed; its log says more. Nothing was saved. Next: reload the page."})
        else:
            super().write_error(status_code, **about)


class StateHandler(Handler):
    """How some answers of a question stand now."""

    @web.authenticated
    @authorized
    async def get(self, *names: str) -> None:
        """The states of `keys`."""
        keys = self.get_argument("keys", "").split(",")
        try:
            self.say(200, await self.beside(lambda pages: pages.states(_place(names), keys)))
        except CannotGrade as error:
            self.say(400, {"trouble": str(error)})


class FormgraderHandler(Handler):
    """From an answer to the formgrader, which shows whose it is."""

    @web.authenticated
    @authorized
    async def get(self, *names: str) -> None:
        """Go there."""
        try:
            found = await self.beside(lambda pages: pages.submission(_place(names[:3]), names[3]))
        except CannotGrade as error:
            return self.refuse(error)
        self.redirect(url_path_join(self.base_url, "formgrader", "submissions", quote(found, safe="")) + "/")


def _place(names: tuple[str, ...]) -> Place:
    return Place(*(unquote(name) for name in names))


@cache
def _templates() -> Environment:
    found = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    found.filters |= {"number": number, "capital": capital, "quoted": lambda text: quote(text, safe="")}
    found.globals["colours"] = COLOURS
    return found


def _load_jupyter_server_extension(app: Any) -> None:
    base, name = app.web_app.settings["base_url"], "([^/]+)"
    question = f"{HERE}/{name}/{name}/{name}"
    handlers: list[tuple[Any, ...]] = [
        (f"{HERE}/?", ListHandler),
        (f"{HERE}/static/(.*)", FileFindHandler, {"path": [str(TEMPLATES / "static")]}),
        (f"{question}/?", QuestionHandler),
        (f"{question}/state", StateHandler),
        (f"{question}/([0-9a-f]+)/formgrader", FormgraderHandler),
    ]
    app.web_app.add_handlers(".*$", [(url_path_join(base, path), *rest) for path, *rest in handlers])
