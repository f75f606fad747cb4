"""Whether a Dask scheduler listens at an address, and which: asked before anything is begun, in a few seconds and in words."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import distributed
from distributed.comm import connect
from distributed.security import Security

from examiner.wire.errors import CannotGrade, Hindered

SECONDS = 10.0
USUAL_PORT = 8786
HOW = f"give the address that `dask scheduler` prints, such as tcp://HOST:{USUAL_PORT}, or the path of its scheduler file"


def resolve(given: str) -> str:
    """The address that somebody named: as it is, as `HOST:PORT`, or in a file that the scheduler wrote.

    Raises:
        CannotGrade: it names none.
    """
    if Path(given).is_file():
        try:
            found = json.loads(Path(given).read_text(encoding="utf-8"))["address"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CannotGrade(f"{given} is no scheduler file: it names no address", HOW) from error
    else:
        found = given
    address = str(found) if "://" in str(found) else f"tcp://{found}"
    try:
        parts = urlsplit(address)
        is_good = parts.scheme in ("tcp", "tls") and bool(parts.hostname) and parts.port is not None and parts.path in ("", "/")
    except ValueError:  # a port that is no number
        is_good = False
    if not is_good:
        raise CannotGrade(f"{given} is no address of a Dask scheduler, and there is no such file", HOW)
    return address.rstrip("/")


def security_for(address: str) -> Security:
    """The certificates that Dask's own settings name.

    Raises:
        CannotGrade: the address asks for some, and there are none, or they cannot be read.
    """
    security = Security()
    if address.startswith("tls://"):
        try:
            found = security.get_connection_args("client")
        except (OSError, ValueError) as error:
            raise CannotGrade(
                f"the certificates that Dask's settings name cannot be used ({error})",
                "mend distributed.comm.tls in Dask's settings; deploy/dask/README.md says how",
            ) from error
        if found.get("ssl_context") is None:
            raise CannotGrade(
                f"{address} asks for TLS, and Dask's settings here name no certificates",
                "set distributed.comm.tls as on the scheduler's machine; deploy/dask/README.md says how",
            )
    return security


def require_scheduler(address: str, security: Security) -> None:
    """See that a scheduler of Dask's, of this very version, is at an address.

    Raises:
        Hindered: nobody answers there.
        CannotGrade: somebody else does, or a scheduler of another version.
    """
    parts = urlsplit(address)
    try:
        socket.create_connection((parts.hostname, parts.port), timeout=SECONDS).close()
    except OSError as error:
        raise Hindered(
            f"nobody listens at {address} ({error.strerror or error})",
            "see that the scheduler runs and that this machine may reach it, then run the same command again",
        ) from error
    try:
        about, versions = asyncio.run(_ask(address, security))
    except Exception as error:  # whatever a stranger's answer makes of Dask's protocol
        if (distrust := _distrust(error)) is not None:
            raise CannotGrade(
                f"the scheduler at {address} and this machine do not trust each other's certificates ({distrust.reason or distrust})",
                "take the certificates of that cluster; deploy/dask/README.md says how",
            ) from error
        raise CannotGrade(
            f"what listens at {address} does not answer as a Dask scheduler of version {distributed.__version__} does ({type(error).__name__})",
            _other(parts.scheme),
        ) from error
    if about.get("type") != "Scheduler":
        raise CannotGrade(f"what listens at {address} is a {str(about.get('type'))[:40]} of Dask's, and not the scheduler", HOW)
    theirs = str(versions.get("packages", {}).get("distributed"))
    if theirs != distributed.__version__:
        raise CannotGrade(
            f"the scheduler at {address} is `distributed` {theirs[:40]}, and here is {distributed.__version__}",
            "install the same version on both, best from one requirements file",
        )


async def _ask(address: str, security: Security) -> tuple[dict[str, Any], dict[str, Any]]:
    comm = await connect(address, timeout=SECONDS, **security.get_connection_args("client"))
    try:
        answers = []
        for question in ("identity", "versions"):
            await asyncio.wait_for(comm.write({"op": question, "reply": True}), SECONDS)
            answers.append(dict(await asyncio.wait_for(comm.read(), SECONDS)))
        return answers[0], answers[1]
    finally:
        comm.abort()


def _distrust(error: BaseException | None) -> ssl.SSLError | None:
    """What TLS said of certificates, where that is at the bottom of it."""
    while error is not None:
        if isinstance(error, ssl.SSLError) and any(word in str(error).upper() for word in ("CERTIFICATE", "UNKNOWN_CA", "UNKNOWN CA")):
            return error
        error = error.__cause__ or error.__context__
    return None


def _other(scheme: str) -> str:
    if scheme == "tcp":
        return "look whether it is the scheduler's address; if the scheduler uses TLS, its address begins with tls://"
    return "look whether it is the scheduler's address, and whether the scheduler uses TLS"
