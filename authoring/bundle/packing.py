"""Write the bundle to `dist/`, as a folder and as a zip: all of it or nothing."""

from __future__ import annotations

import errno
import io
import os
import tempfile
import zipfile
from pathlib import Path

from authoring.bundle.refusal import Refused

MOMENT = (2026, 1, 1, 0, 0, 0)  # the time of every file in the zip: that of the build would make two zips of one course differ
FILE_MODE, FOLDER_MODE = 0o644, 0o755
UNIX = 3  # what made the zip, to its readers; else Windows would write another number
LEFT_BEHIND = ("__pycache__", ".ipynb_checkpoints", "build")  # by pip and Jupyter in an unpacked bundle
NEXT_STEPS = {
    errno.ENOSPC: "make room on the disk, then type the same command again",
    errno.EDQUOT: "make room on the disk, then type the same command again",
    errno.EACCES: "see to it that you may write there, then type the same command again",
    errno.EPERM: "see to it that you may write there, then type the same command again",
    errno.EROFS: "see to it that you may write there, then type the same command again",
    errno.ENOTDIR: "move the file of that name away, then type the same command again",
    errno.EEXIST: "move the file of that name away, then type the same command again",
}


def zip_bytes(contents: dict[str, bytes], name: str, is_small: bool = False) -> bytes:
    """The zip, equal for equal contents on every machine, unless it is to be small: what compression makes depends on the library that does it.

    Args:
        contents: the files by their paths in the bundle.
        name: the one folder that the zip unpacks to.
        is_small: whether it is compressed.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path, data in sorted(contents.items()):
            about = zipfile.ZipInfo(f"{name}/{path}", MOMENT)
            about.create_system, about.external_attr = UNIX, (0o100000 | FILE_MODE) << 16
            archive.writestr(about, data, zipfile.ZIP_DEFLATED if is_small else zipfile.ZIP_STORED)
    return made.getvalue()


def write_bundle(contents: dict[str, bytes], name: str, dist: Path) -> Path | None:
    """Write `NAME/` and `NAME.zip` in `dist`, in place of those that are there.

    Returns:
        Where the folder that was there is now, if somebody had changed it; None otherwise.

    Raises:
        Refused: it cannot be written. What was there before is there still.
    """
    try:
        dist.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=dist, prefix=".making-") as folder:
            made = Path(folder)
            write_folder(contents, made / name)
            (made / f"{name}.zip").write_bytes(zip_bytes(contents, name))
            (made / f"{name}.zip").chmod(FILE_MODE)
            return _swap(made, name, dist)
    except OSError as error:
        step = NEXT_STEPS.get(error.errno or 0, "mend that, then type the same command again")
        raise Refused(f"{dist} could not be written ({error.strerror or error})", step) from error


def write_folder(contents: dict[str, bytes], folder: Path) -> None:
    """Write files by their paths into a folder, with modes that do not depend on who writes."""
    for path, data in contents.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        place.chmod(FILE_MODE)
    for place in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        place.chmod(FOLDER_MODE)


def _swap(made: Path, name: str, dist: Path) -> Path | None:
    """Put what was made in its place. Each step is a renaming, and is taken back when the next one fails."""
    folder, archive = dist / name, dist / f"{name}.zip"
    kept = _free_name(dist / f"{name}-kept") if _is_changed(folder, archive, name) else None
    aside = kept or made / "before"
    there = os.path.lexists(folder)
    if there:
        os.rename(folder, aside)
    try:
        os.rename(made / name, folder)
        os.replace(made / f"{name}.zip", archive)
    except OSError:
        if folder.is_dir() and not (made / name).exists():
            os.rename(folder, made / name)
        if there:
            os.rename(aside, folder)
        raise
    return kept


def _is_changed(folder: Path, archive: Path, name: str) -> bool:
    """Whether the folder holds what the zip beside it does not: somebody's repository, or notebooks that somebody worked in."""
    if not os.path.lexists(folder):
        return False
    try:
        with zipfile.ZipFile(archive) as opened:
            written = {about.filename: opened.read(about) for about in opened.infolist()}
    except (OSError, zipfile.BadZipFile):
        return True
    if folder.is_symlink() or not folder.is_dir():
        return True
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        if any(part in LEFT_BEHIND or part.endswith(".egg-info") for part in inside.parts) or (path.is_dir() and not path.is_symlink()):
            continue
        if path.is_symlink() or not path.is_file() or written.get(f"{name}/{inside.as_posix()}") != path.read_bytes():
            return True
    return False


def _free_name(path: Path) -> Path:
    number = 1
    while os.path.lexists(path.with_name(f"{path.name}-{number}")):
        number += 1
    return path.with_name(f"{path.name}-{number}")
