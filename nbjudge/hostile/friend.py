"""A friend outside: a server on this machine that tells whoever asks what the answer is. `cheats/network.py` asks it."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

PORT = 47911


@contextlib.contextmanager
def friend() -> Iterator[None]:
    """Serve for as long as the context lasts. Where another process of this machine serves already, that one answers."""
    try:
        server = socket.create_server(("127.0.0.1", PORT))
    except OSError:
        yield
        return
    with server:
        threading.Thread(target=_serve, args=(server,), daemon=True).start()
        yield


def _serve(server: socket.socket) -> None:
    while True:
        try:
            client, _ = server.accept()
        except OSError:
            return
        with client:
            client.sendall(b"42")
