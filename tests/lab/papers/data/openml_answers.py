"""A server on this machine that answers as OpenML does, with a description in JSON and a table in ARFF."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

ARFF = b"""% a comment
@relation made
@attribute 'Instance name' {r1,r2,r3,r4}
@attribute size numeric
@attribute colour {red,'dark blue',green}
@attribute Class {yes,no}
@data
r1,1.5,red,yes
r2,?,'dark blue',no
r3,2,?,no
r4,3,red,no
"""


def description(address: str, **other: object) -> bytes:
    """What OpenML says of data id 7, cut to what is used and a little more."""
    said: dict[str, object] = {
        "id": "7",
        "name": "made",
        "version": "1",
        "format": "ARFF",
        "url": address,
        "file_id": "1234",
        "default_target_attribute": "Class",
        "row_id_attribute": "Instance name",
        "md5_checksum": hashlib.md5(ARFF).hexdigest(),
    }
    return json.dumps({"data_set_description": said | other}).encode()


@dataclass
class Server:
    """Answers by path; `asked` are the paths that were asked for, in order."""

    address: str = ""
    answers: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def publish(self, number: int = 7, arff: bytes = ARFF, **other: object) -> None:
        """Answer for a data id, with other words in its description."""
        self.answers[f"/data/{number}"] = description(f"{self.address}/{number}.arff", **other)
        self.answers[f"/{number}.arff"] = arff


@contextmanager
def serve() -> Iterator[Server]:
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append(self.path)
            content = server.answers.get(self.path)
            self.send_response(404 if content is None else 200)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *words: object) -> None:
            pass

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.address = f"http://127.0.0.1:{listener.server_port}"
    thread = Thread(target=listener.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        thread.join()
        listener.server_close()
