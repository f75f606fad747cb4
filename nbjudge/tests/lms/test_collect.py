"""`nbjudge collect`: zips as Moodle and Canvas name them, and folders as people do, go where they belong, and nothing is guessed."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from sqlalchemy import event

from helpers.arriving import (
    collected,
    course,
    folder,
    make_course,
    of_week2,
    open_course,
    reasons,
    submitted,
    sums,
    tar_bytes,
    told,
    zip_bytes,
    zipped,
)
from nbjudge._course.course import Course
from nbjudge._lms.people import ClassList
from nbjudge._wire.errors import CannotGrade

__all__ = ["course", "open_course"]
MOODLE = "_assignsubmission_file"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Ada Lovelace_501_assignsubmission_file/sums.ipynb", "ada"),
        ("Ada Lovelace_501_assignsubmission_file_/sums.ipynb", "ada"),  # before Moodle 4.1
        ("Ada Lovelace_501_assignsubmission_file_sums.ipynb", "ada"),  # without folders
        ("Lovelace Ada_501_assignsubmission_file/sums.ipynb", "ada"),
        ("ADA  LOVELACE_501_assignsubmission_file/deep/er/sums.ipynb", "ada"),
        ("Bob OBrien_502_assignsubmission_file/sums.ipynb", "bob"),  # Moodle takes the apostrophe out
        ("Zoë Müller-Lüdenscheidt_503_assignsubmission_file/sums.ipynb", "zoe"),
        (unicodedata.normalize("NFD", "Zoë Müller-Lüdenscheidt_503_assignsubmission_file/sums.ipynb"), "zoe"),  # from a Mac
        ("Ung_504_assignsubmission_file/sums (1).ipynb", "ung"),
        ("李小明_505_assignsubmission_file/Copy of sums.ipynb", "li"),
        ("Un der Score s_506_assignsubmission_file/sums-Copy1.ipynb", "under"),
        ("lovelaceada_12_9001_sums.ipynb", "ada"),
        ("lovelaceada_LATE_12_9001_sums-2.ipynb", "ada"),
        ("obrienbob_13_9002_sums.ipynb", "bob"),
        ("müllerlüdenscheidtzoë_14_9003_sums.ipynb", "zoe"),
        ("score_sun_der_19_9004_sums_final_3_4_.ipynb", "under"),
        ("smithsam_17_9005_my work.ipynb", "sam2"),  # two of the name: Canvas's number tells
        ("ada.ipynb", "ada"),
        ("ada_lovelace.ipynb", "ada"),
        ("Lovelace, Ada.ipynb", "ada"),
        ("ada/sums.ipynb", "ada"),
        ("sums_ada.ipynb", "ada"),
        ("ada-sums.ipynb", "ada"),
        ("ada/week1/sums.ipynb", "ada"),
        ("week1/ada/sums.ipynb", "ada"),
        ("ada@example.org.ipynb", "ada"),
        ("group 3/ada.ipynb", "ada"),
        ("Week 1/Ada Lovelace/project/sums.ipynb", "ada"),
        ("ada.ipynb.txt", "ada"),
        ("Sums - Bob O'Brien.IPYNB", "bob"),
    ],
)
@pytest.mark.parametrize("as_zip", [True, False])
def test_a_name_that_tells_whose_it_is_is_understood(course: Path, tmp_path: Path, name: str, student: str, as_zip: bool) -> None:
    files = {name: sums()}
    collection = collected(course, zipped(tmp_path / "all.zip", files) if as_zip else folder(tmp_path / "all", files))
    assert told(collection) == {(student, "week1"): "new"}, reasons(collection)
    assert submitted(course) == {f"{student}/week1/sums.ipynb": sums().encode()}
    assert not collection.left


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Sam Smith_1_assignsubmission_file/sums.ipynb", "it may be sam1 or sam2's"),
        ("sam smith.ipynb", "it may be sam1 or sam2's"),
        ("smithsam_99_9001_sums.ipynb", "it may be sam1 or sam2's"),
        ("lovelaceada_13_9001_sums.ipynb", "its number in Canvas is bob's, its name is ada's"),
        ("ada/bob/sums.ipynb", "it may be ada or bob's"),
        ("sums.ipynb", "says nothing of whose it is"),
        ("week1/sums (2).ipynb", "says nothing of whose it is"),
        ("Participant_77_assignsubmission_file/sums.ipynb", "no one of that name is in the class"),
        ("anon_A1b2C_9001_sums.ipynb", "no one of that name is in the class"),
        ("LATE_anon_A1b2C_9001_sums.ipynb", "no one of that name is in the class"),
        ("adah.ipynb", "no one of that name is in the class"),
        ("Default group_assignsubmission_file/sums.ipynb", "no one of that name is in the class"),
    ],
)
def test_what_may_be_somebody_elses_is_listed_and_left_alone(course: Path, tmp_path: Path, name: str, why: str) -> None:
    source = folder(tmp_path / "all", {name: sums(), "bob.ipynb": sums()})
    collection = collected(course, source)
    assert told(collection) == {("bob", "week1"): "new"}
    assert [left.where for left in collection.left] == [name]
    assert why in collection.left[0].why and collection.left[0].next_step
    assert (source / name).read_text() == sums()
    assert set(submitted(course)) == {"bob/week1/sums.ipynb"}


def test_names_csv_says_whose_a_name_is(course: Path, tmp_path: Path) -> None:
    (course / "names.csv").write_text("name,student\nSam Smith_1,sam1\nSam Smith_2,sam2\nParticipant 77,zoe\nadah,ada\n")
    files = {
        f"Sam Smith_1{MOODLE}/sums.ipynb": sums("1"),
        f"Sam Smith_2{MOODLE}/sums.ipynb": sums("2"),
        f"Participant 77_9{MOODLE}/sums.ipynb": sums("3"),
        "adah.ipynb": sums("4"),
    }
    collection = collected(course, folder(tmp_path / "all", files))
    assert not collection.left
    assert submitted(course) == {
        "ada/week1/sums.ipynb": sums("4").encode(),
        "sam1/week1/sums.ipynb": sums("1").encode(),
        "sam2/week1/sums.ipynb": sums("2").encode(),
        "zoe/week1/sums.ipynb": sums("3").encode(),
    }


def test_names_csv_may_be_a_spreadsheet_programs(course: Path, tmp_path: Path) -> None:
    (course / "names.csv").write_bytes("name;student\r\nSmith Zoë;zoe\r\n".encode("cp1252"))
    assert not collected(course, folder(tmp_path / "all", {"Smith Zoë.ipynb": sums()})).left
    assert set(submitted(course)) == {"zoe/week1/sums.ipynb"}


@pytest.mark.parametrize(
    ("text", "why"), [("ada\n", "line 1 of"), ("a,b,c\n", "line 1 of"), ("x,ada\nx,bob\n", "two students"), (",ada\n", "line 1 of")]
)
def test_a_wrong_names_csv_is_explained(course: Path, tmp_path: Path, text: str, why: str) -> None:
    (course / "names.csv").write_text(text)
    with pytest.raises(CannotGrade, match=why):
        collected(course, folder(tmp_path / "all", {"ada.ipynb": sums()}))
    assert not submitted(course)


def test_two_participants_of_a_name_that_one_student_has_are_left_alone(course: Path, tmp_path: Path) -> None:
    files = {f"Ada Lovelace_{number}{MOODLE}/sums.ipynb": sums(str(number)) for number in (501, 502)}
    collection = collected(course, zipped(tmp_path / "all.zip", files))
    assert not collection.rows and "2 participants have the name of ada" in reasons(collection)


def test_a_canvas_number_that_is_nobodys_is_not_a_student_of_that_name(course: Path, tmp_path: Path) -> None:
    """Somebody in the class has the number of another file here, so numbers can be trusted: 77 is another Ada Lovelace."""
    collection = collected(course, zipped(tmp_path / "all.zip", {"lovelaceada_77_9001_sums.ipynb": sums(), "obrienbob_13_9002_sums.ipynb": sums()}))
    assert told(collection) == {("bob", "week1"): "new"}
    assert "no one of that name" in reasons(collection)


def test_without_a_class_names_are_taken_as_they_are(open_course: Path, tmp_path: Path) -> None:
    files = {f"{name}{MOODLE}/sums.ipynb": sums() for name in ("Ada Lovelace_501", "a*b: ?c_502", "con_503")}
    collection = collected(open_course, zipped(tmp_path / "all.zip", files))
    assert set(submitted(open_course)) == {f"{name}/week1/sums.ipynb" for name in ("Ada_Lovelace", "a_b_c", "con_")}
    assert not collection.knows_class and all(row.handin.is_new_name for row in collection.rows)
    again = collected(open_course, folder(tmp_path / "next", {"ada lovelace/products.ipynb": of_week2(open_course)}))
    assert told(again) == {("Ada_Lovelace", "week2"): "new"}, "the folder that the student has is found again"
    assert not any(row.handin.is_new_name for row in again.rows)


def test_a_folder_around_all_students_is_nobody(open_course: Path, tmp_path: Path) -> None:
    collected(open_course, zipped(tmp_path / "all.zip", {"submissions/ada.ipynb": sums("1"), "submissions/bob/sums.ipynb": sums("2")}))
    assert set(submitted(open_course)) == {"ada/week1/sums.ipynb", "bob/week1/sums.ipynb"}


def test_several_notebooks_and_data_files_keep_their_places(course: Path, tmp_path: Path) -> None:
    work = zip_bytes(
        {
            "project/products.ipynb": of_week2(course),
            "project/quotients (3).ipynb": of_week2(course, "quotients"),
            "project/data/x.csv": "1,2",
            "__MACOSX/project/._products.ipynb": b"\0",
            "project/.DS_Store": b"\0",
            "notes.txt": "n",
            "project/.ipynb_checkpoints/products-checkpoint.ipynb": "{}",
        }
    )
    files = {
        f"Ada Lovelace_501{MOODLE}/work.zip": work,
        f"Bob OBrien_502{MOODLE}/products.ipynb": of_week2(course),
        f"Bob OBrien_502{MOODLE}/data/y.csv": "3",
        "Bob OBrien_502_assignsubmission_onlinetext/onlinetext.html": "<p>hello",
    }
    collection = collected(course, zipped(tmp_path / "all.zip", files))
    assert not collection.left, reasons(collection)
    assert set(submitted(course)) == {
        *(f"ada/week2/{name}" for name in ("products.ipynb", "quotients.ipynb", "data/x.csv", "notes.txt")),
        *(f"bob/week2/{name}" for name in ("products.ipynb", "data/y.csv", "onlinetext.html")),
    }


@pytest.mark.parametrize("name", ["work.zip", "work.tar.gz", "work.tgz", "work.tar"])
def test_a_student_may_hand_in_an_archive(course: Path, tmp_path: Path, name: str) -> None:
    files = {"sums.ipynb": sums()}
    content = zip_bytes(files) if name.endswith("zip") else tar_bytes(files, "w" if name.endswith("tar") else "w:gz")
    collected(course, zipped(tmp_path / "all.zip", {f"lovelaceada_12_9001_{name}": content}))
    assert set(submitted(course)) == {"ada/week1/sums.ipynb"}


def test_what_a_student_packs_does_not_say_whose_it_is(course: Path, tmp_path: Path) -> None:
    forged = zip_bytes({f"Bob OBrien_502{MOODLE}/sums.ipynb": sums(), "bob/sums.ipynb": sums()})
    collected(course, folder(tmp_path / "all", {"ada.zip": forged}))
    assert {path.split("/")[0] for path in submitted(course)} == {"ada"}


def test_a_student_cannot_hand_in_a_time_or_a_receipt(course: Path, tmp_path: Path) -> None:
    own = dict.fromkeys(("timestamp.txt", "submission_secret.txt", ".graded.json"), "2020-01-01 00:00:00 UTC") | {"sums.ipynb": sums()}
    collection = collected(course, zipped(tmp_path / "all.zip", {f"Ada Lovelace_501{MOODLE}/{name}": text for name, text in own.items()}))
    assert set(submitted(course)) == {"ada/week1/sums.ipynb"}
    assert "timestamp.txt is left out" in "; ".join(collection.rows[0].handin.remarks)


def test_a_time_that_the_instructor_laid_beside_counts(course: Path, tmp_path: Path) -> None:
    source = folder(tmp_path / "all", {"ada/week1/sums.ipynb": sums(), "ada/week1/timestamp.txt": "2026-03-01 12:00:00 UTC"})
    [row] = collected(course, source).rows
    assert (row.handin.time.isoformat(), (course / "submitted/ada/week1/timestamp.txt").is_file()) == ("2026-03-01T12:00:00", True)


def test_the_cells_tell_the_assignment_whatever_the_file_is_called(course: Path, tmp_path: Path) -> None:
    files = {"ada/homework.ipynb": sums(), "bob/sums.ipynb": of_week2(course), "zoe/x.ipynb": of_week2(course, "quotients")}
    collection = collected(course, folder(tmp_path / "all", files))
    assert set(submitted(course)) == {"ada/week1/sums.ipynb", "bob/week2/products.ipynb", "zoe/week2/quotients.ipynb"}, reasons(collection)


def test_another_assignments_notebook_in_a_platforms_zip_is_left_alone(course: Path, tmp_path: Path) -> None:
    files = {
        f"Ada Lovelace_501{MOODLE}/sums.ipynb": sums(),
        f"Ung_502{MOODLE}/sums.ipynb": sums(),
        f"Bob OBrien_503{MOODLE}/sums.ipynb": of_week2(course),
    }
    collection = collected(course, zipped(tmp_path / "all.zip", files))
    assert told(collection) == {("ada", "week1"): "new", ("ung", "week1"): "new"}
    assert "its cells belong to week2, not to week1" in reasons(collection)


def test_a_zip_for_two_assignments_asks_which(course: Path, tmp_path: Path) -> None:
    source = zipped(tmp_path / "all.zip", {f"Ada Lovelace_501{MOODLE}/a.ipynb": sums(), f"Ung_502{MOODLE}/b.ipynb": of_week2(course)})
    collection = collected(course, source)
    assert not collection.rows and "week1: 1, week2: 1" in reasons(collection) and "ASSIGNMENT=" in reasons(collection)
    assert told(collected(course, source, "week2")) == {("ung", "week2"): "new"}


def test_a_damaged_notebook_of_the_right_name_is_collected_for_grading_to_say_so(course: Path, tmp_path: Path) -> None:
    files = {f"Ada Lovelace_501{MOODLE}/sums.ipynb": sums()[:300], f"Ung_502{MOODLE}/sums.ipynb": sums()}
    assert len(collected(course, zipped(tmp_path / "all.zip", files)).rows) == 2


@pytest.mark.parametrize(
    "files",
    [
        {"essay.pdf": b"%PDF"},
        {"sums.html": "<html>"},
        {"work.rar": b"Rar!"},
        {"other.ipynb": "{}"},
        {"work.zip": b"PK\3\4 cut"},
    ],
)
def test_a_hand_in_without_a_notebook_is_listed_and_replaces_nothing(course: Path, tmp_path: Path, files: dict[str, bytes]) -> None:
    (course / "submitted/ada/week1").mkdir(parents=True)
    (course / "submitted/ada/week1/sums.ipynb").write_text(sums())
    every = {f"Ada Lovelace_501{MOODLE}/{name}": content for name, content in files.items()}
    collection = collected(course, zipped(tmp_path / "all.zip", {**every, f"Ung_502{MOODLE}/sums.ipynb": sums()}))
    assert told(collection) == {("ung", "week1"): "new"}
    assert "ada handed in no notebook of week1" in reasons(collection) and "Next: ask the student for the notebook" in reasons(collection)
    assert submitted(course)["ada/week1/sums.ipynb"] == sums().encode()


@pytest.mark.slow
def test_a_large_class_is_read_with_one_question_to_the_gradebook(tmp_path: Path) -> None:
    every = {f"s{number}": (f"First{number}", f"Last{number}", "", str(number)) for number in range(1, 1001)}
    root = make_course(tmp_path / "course", every)
    files = {f"last{number}first{number}_{number}_{9000 + number}_sums.ipynb": sums() for number in range(1, 4)}
    own = Course(root)
    asked: list[str] = []
    with own.gradebook() as gradebook:
        event.listen(gradebook.engine, "before_cursor_execute", lambda *about: asked.append(about[2]))
        asked.clear()
        assert len(ClassList.of(own).ids) == 1000
    assert sum("FROM student" in query for query in asked) <= 2, asked
    collection = collected(root, folder(tmp_path / "all", files))
    assert len(collection.rows) == 3 and len(collection.missing["week1"]) == 997


def test_a_class_csv_of_ids_alone_is_a_class(open_course: Path, tmp_path: Path) -> None:
    (open_course / "class.csv").write_text("id\nada\nbob\n", encoding="utf-8")
    found = collected(open_course, folder(tmp_path / "from", {f"{who}/sums.ipynb": sums() for who in ("ada", "eve")}))
    assert set(submitted(open_course)) == {"ada/week1/sums.ipynb"} and "add the student to class.csv" in reasons(found)
    assert found.knows_class and found.missing == {"week1": ["bob"]}


@pytest.mark.slow
def test_class_csv_is_the_class_and_dates_csv_says_who_is_late(open_course: Path, tmp_path: Path) -> None:
    """Without a gradebook: names and numbers are known, strangers are set aside, an extension counts, what is not due is not missing."""
    (open_course / "class.csv").write_text('name,id,mail,number\n"Lovelace, Ada",al1,ada@example.org,501\nBob Bohr,bb1,,\nZoe Zed,zz1,,\n')
    (open_course / "dates.csv").write_text("assignment,due,student\nweek1,2026-03-01 12:00Z,\nweek1,2026-03-03 12:00Z,bb1\nweek1,2099-01-01,zz1\n")
    late = {"timestamp.txt": "2026-03-02 12:00:00 UTC"}
    files = {f"{who}/week1/{name}": content for who in ("Ada Lovelace", "bb1", "Eve") for name, content in {"sums.ipynb": sums(), **late}.items()}
    found = collected(open_course, folder(tmp_path / "from", files))
    assert {row.handin.student: row.late for row in found.rows} == {"al1": "late by 24 h", "bb1": ""}
    assert "add the student to class.csv" in reasons(found) and "Eve" in reasons(found)
    assert found.missing == {"week1": []}, "Zoe has time until 2099"
