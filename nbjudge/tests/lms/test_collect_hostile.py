"""Archives and names of people who mean no good, or whose download broke: one sentence each, nothing leaves its folder, the rest is collected."""

from __future__ import annotations

import io
import os
import stat
import struct
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from helpers.arriving import collected, course, folder, open_course, reasons, submitted, sums, told, zip_bytes, zipped
from nbjudge._lms import archives
from nbjudge._wire.errors import CannotGrade
from nbjudge._wire.limits import MB

__all__ = ["course", "open_course"]
ADA, BOB = "Ada Lovelace_501_assignsubmission_file", "Bob OBrien_502_assignsubmission_file"


def outside(tmp_path: Path) -> set[str]:
    """What lies beside the course, where nothing may be written."""
    return {path.name for path in tmp_path.iterdir()} | {path.name for path in tmp_path.parent.iterdir() if path.name.startswith("evil")}


@pytest.mark.parametrize(
    "name", ["../evil.ipynb", "../../../evil.ipynb", "/evil.ipynb", "a/../../evil.ipynb", "..\\evil.ipynb", "C:\\evil.ipynb", "\\evil.ipynb"]
)
@pytest.mark.parametrize("whose", ["FROM", "student"])
def test_no_name_in_an_archive_leads_out_of_it(course: Path, tmp_path: Path, name: str, whose: str) -> None:
    inner = {name: sums("1"), f"{BOB}/sums.ipynb": sums()}
    files = inner if whose == "FROM" else {f"{ADA}/work.zip": zip_bytes({name: sums("1")}), f"{BOB}/sums.ipynb": sums()}
    source = zipped(tmp_path / "all.zip", files)
    before = outside(tmp_path)
    collection = collected(course, source)
    assert outside(tmp_path) == before and not Path("/evil.ipynb").exists()
    assert set(submitted(course)) == {"bob/week1/sums.ipynb"}
    assert "leads out of the archive" in reasons(collection)


def test_links_are_not_followed(course: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.ipynb"
    secret.write_text(sums("secret"))
    link = zipfile.ZipInfo(f"{ADA}/sums.ipynb")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(link, str(secret))
        archive.writestr(f"{BOB}/sums.ipynb", sums())
    (tmp_path / "all.zip").write_bytes(buffer.getvalue())
    collection = collected(course, tmp_path / "all.zip")
    assert told(collection) == {("bob", "week1"): "new"} and "it is a link" in reasons(collection)

    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w:gz") as archive:
        for kind, name in ((tarfile.SYMTYPE, "sums.ipynb"), (tarfile.LNKTYPE, "hard.ipynb"), (tarfile.FIFOTYPE, "pipe"), (tarfile.CHRTYPE, "device")):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, str(secret)
            archive.addfile(info)
    collection = collected(course, folder(tmp_path / "tar", {"ada.tar.gz": tar.getvalue()}))
    assert not collection.rows and reasons(collection).count("it is a link or no file") == 4

    on_disk = folder(tmp_path / "disk", {"bob/data.txt": "x"})
    (on_disk / "bob" / "sums.ipynb").symlink_to(secret)
    (on_disk / "zoe").symlink_to(tmp_path)
    os.mkfifo(on_disk / "ung.ipynb")
    collection = collected(course, on_disk)
    assert not collection.rows and reasons(collection).count("symbolic link") == 2


def test_a_bomb_is_refused_before_it_takes_the_disk(course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"file": 4 * MB, "total": 4 * MB}  # limits, so that the test need not make bombs of hundreds of MB
    monkeypatch.setattr(archives, "OWN", replace(archives.OWN, **small))
    monkeypatch.setattr(archives, "WHOLE", replace(archives.WHOLE, file=4 * MB))
    zeros = zip_bytes({"sums.ipynb": sums(), "zeros.bin": b"\0" * (5 * MB)})
    written: list[int] = []
    copied = archives._copied

    def counting(content: object, target: Path, most: int) -> str:
        why = copied(content, target, most)
        written.append(target.stat().st_size if target.exists() else 0)
        return why

    monkeypatch.setattr(archives, "_copied", counting)
    nested = zip_bytes({f"{number}.zip": zip_bytes({"0.zip": zip_bytes({"x": "x"})}) for number in range(3)})
    many = zip_bytes({f"{number}.txt": "" for number in range(1001)})
    dense = zip_bytes({f"{number}.bin": b"\0" * (3 * MB) for number in range(2)})
    files = {
        f"{ADA}/zeros.zip": zeros,
        "Ung_503_assignsubmission_file/nested.zip": nested,
        "Sam Smith_504_assignsubmission_file/x": "",
        "李小明_505_assignsubmission_file/many.zip": many,
        "Zoë Müller-Lüdenscheidt_506_assignsubmission_file/dense.zip": dense,
        f"{BOB}/sums.ipynb": sums(),
    }
    collection = collected(course, zipped(tmp_path / "all.zip", files))
    why = reasons(collection)
    assert told(collection) == {("ada", "week1"): "new", ("bob", "week1"): "new"}, "what is no bomb of it is taken"
    assert "it would have 5 MB" in why and "an archive in an archive in an archive" in why and "it holds 1001 files" in why
    assert "it would unpack to 6 MB" in why
    assert sum(written) < MB

    with pytest.raises(CannotGrade, match="times its size"):
        collected(course, zipped(tmp_path / "bomb.zip", {f"{number}.bin": b"\0" * (3 * MB) for number in range(2)}))


def test_a_file_that_is_large_without_taking_room_is_left_out_and_the_notebook_collected(course: Path, tmp_path: Path) -> None:
    source = folder(tmp_path / "disk", {"ada/sums.ipynb": sums(), "ada/data.csv": "1,2", "bob/sums.ipynb": ""})
    for name in ("ada/data.bin", "bob/sums.ipynb"):
        with (source / name).open("wb") as file:
            file.truncate(10**9)
    collection = collected(course, source)
    assert told(collection) == {("ada", "week1"): "new"} and set(submitted(course)) == {"ada/week1/data.csv", "ada/week1/sums.ipynb"}
    assert collection.rows[0].handin.remarks == [
        "`data.bin` (1,000 MB) is left out: one file may have 100 MB. Next: ask for a smaller one, or raise c.CourseDirectory.max_file_size"
    ]
    assert "sums.ipynb is not taken: one file may have 100 MB" in reasons(collection)


def test_what_is_replaced_is_kept_without_taking_room_once_more(course: Path, tmp_path: Path) -> None:
    collected(course, folder(tmp_path / "first", {"ada/sums.ipynb": sums(), "ada/timestamp.txt": ""}))
    before = course / "submitted" / "ada" / "week1"
    with (before / "data.bin").open("wb") as file:  # laid there by hand
        file.truncate(10**9)
    number = (before / "data.bin").stat().st_ino
    collection = collected(course, folder(tmp_path / "second", {"ada/sums.ipynb": sums("later")}), is_newer=True)
    assert told(collection) == {("ada", "week1"): "replaces an earlier one"}
    [kept] = (course / "collected" / "week1" / "earlier" / "ada").rglob("data.bin")
    assert kept.stat().st_ino == number


def test_a_zip_that_says_it_is_smaller_than_it_is_gets_no_more_than_it_said(course: Path, tmp_path: Path) -> None:
    data = bytearray(zip_bytes({"sums.ipynb": b"\0" * (MB)}))
    for marker, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<L", data, data.find(marker) + offset, 10)
    collection = collected(course, zipped(tmp_path / "all.zip", {f"{ADA}/work.zip": bytes(data), f"{BOB}/sums.ipynb": sums()}))
    assert told(collection) == {("bob", "week1"): "new"} and "it is damaged" in reasons(collection)


def test_a_list_of_entries_too_long_for_memory_is_not_read(tmp_path: Path) -> None:
    data = bytearray(zip_bytes({"x": "x"}))
    struct.pack_into("<L", data, data.rfind(b"PK\x05\x06") + 12, 300 * MB)
    (tmp_path / "long.zip").write_bytes(data)
    with pytest.raises(CannotGrade, match="too many files to list"):
        list(archives.entries(tmp_path / "long.zip", "long.zip", archives.WHOLE))


def encrypted(files: dict[str, str]) -> bytes:
    """A zip whose entries say that they are encrypted."""
    data = bytearray(zip_bytes(files))
    for marker, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(marker)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(marker, at + 4)
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("all.zip", zip_bytes({"ada.ipynb": sums()})[:-30], "damaged or cut off"),
        ("all.zip", b"", "damaged or cut off"),
        ("all.zip", b"<html>Please log in</html>" * 99, "damaged or cut off"),
        ("all.zip", encrypted({"ada.ipynb": sums()}), "it is encrypted"),
        ("all.tar.gz", b"\x1f\x8b\x08 cut", "damaged or cut off"),
        ("all.7z", b"7z", "not unpacked here"),
        ("all.rar", b"Rar!", "not unpacked here"),
        ("all.zip", zip_bytes({}), "holds no file"),
        ("all.zip", zip_bytes({"__MACOSX/._x": "", ".DS_Store": "", "empty/": ""}), "holds no file"),
    ],
)
def test_a_from_that_cannot_be_read_is_refused_in_one_sentence(course: Path, tmp_path: Path, name: str, content: bytes, why: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CannotGrade, match=why) as refused:
        collected(course, tmp_path / name)
    assert str(refused.value).count("Next: ") == 1
    assert not submitted(course) and (tmp_path / name).read_bytes() == content


@pytest.mark.parametrize("content", [zip_bytes({"sums.ipynb": sums()})[:-30], encrypted({"sums.ipynb": sums()}), b"", zip_bytes({})])
def test_a_students_archive_that_cannot_be_read_stops_nobody_else(course: Path, tmp_path: Path, content: bytes) -> None:
    collection = collected(course, zipped(tmp_path / "all.zip", {f"{ADA}/work.zip": content, f"{BOB}/sums.ipynb": sums()}))
    assert told(collection) == {("bob", "week1"): "new"}
    assert f"{ADA}/work.zip" in reasons(collection)


def test_names_of_old_programs_are_read(course: Path, tmp_path: Path) -> None:
    name = "Zoë Müller-Lüdenscheidt_506_assignsubmission_file/sums.ipynb"
    for number, raw in enumerate((name.encode(), name.encode("cp437"))):
        data = zip_bytes({"N" * len(raw): sums(str(number))}).replace(b"N" * len(raw), raw)
        (tmp_path / f"{number}.zip").write_bytes(data)
        assert {student for student, _ in told(collected(course, tmp_path / f"{number}.zip"))} == {"zoe"}


def test_odd_names_become_names_that_every_system_writes(open_course: Path, tmp_path: Path) -> None:
    names = ["a\x1b[31mb", "c\nd", "=cmd|x", "x" * 300, "‮evil", "nul", "<script>", "+++"]
    source = folder(tmp_path / "all", {f"s{number}.ipynb": "" for number in range(0)})
    for name in names:
        folder(source, {f"{name[:200]}.ipynb": sums()})
    (source / os.fsdecode(b"\xff\xfe.ipynb")).write_text(sums())
    collection = collected(open_course, source)
    for student in (open_course / "submitted").iterdir():
        assert not set(student.name) & set('*?[]/\\:<>|"+\n\x1b‮') and student.name.encode() and len(student.name.encode()) <= 200
        assert student.name.strip(". ") == student.name and student.name.lower() != "nul"
    assert len(collection.rows) + len(collection.left) == len(names) + 1


def test_data_files_of_any_name_are_kept(course: Path, tmp_path: Path) -> None:
    long = "d" * 250 + ".csv"
    files = {f"{ADA}/{name}": name for name in ("a\nb.txt", "é" * 120 + ".csv", long, "[x]*.txt", "x", "x/y")} | {f"{ADA}/sums.ipynb": sums()}
    [row] = collected(course, zipped(tmp_path / "all.zip", files)).rows
    assert len(submitted(course)) == 6 and "another file has its place" in "; ".join(row.handin.remarks)


def test_the_course_itself_and_what_is_not_there_are_refused(course: Path, tmp_path: Path) -> None:
    (course / "submitted").mkdir()
    for source, why in (
        (course, "own folder"),
        (course / "submitted", "own folder"),
        (course / "source/week1", "own folder"),
        (tmp_path / "nothing.zip", "there is no"),
    ):
        with pytest.raises(CannotGrade, match=why):
            collected(course, source)
    with pytest.raises(CannotGrade, match="the course has no assignment week9"):
        collected(course, tmp_path, "week9")


def test_a_link_in_submitted_is_not_written_through(course: Path, tmp_path: Path) -> None:
    elsewhere = folder(tmp_path / "elsewhere", {"week1/sums.ipynb": "mine"})
    (course / "submitted").mkdir()
    (course / "submitted" / "ada").symlink_to(elsewhere)
    collection = collected(course, folder(tmp_path / "all", {"ada.ipynb": sums()}))
    assert not collection.rows and "is a link or a file" in reasons(collection)
    assert (elsewhere / "week1/sums.ipynb").read_text() == "mine"


def test_the_list_shows_hostile_names_harmlessly(open_course: Path, tmp_path: Path) -> None:
    source = folder(tmp_path / "all", {"\x1b[31m[red]Ada[/red]‮.ipynb": sums(), "=HYPERLINK(1).ipynb": sums("2"), "bob/x.pdf": ""})
    environment = os.environ
    command = [sys.executable, "-m", "nbjudge", "collect", str(source)]
    done = subprocess.run(command, cwd=open_course, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout and "‮" not in done.stdout and "2 hand-ins (2 new), 1 thing not collected" in done.stdout
    sheet = (open_course / "collected/list.csv").read_text()
    assert ",=HYPERLINK" not in sheet and "'=HYPERLINK" in sheet
