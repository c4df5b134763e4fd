"""Contents of files changed by chance, a few bytes at a time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

# What readers stumble over, in any format.
NASTY = (
    *(
        b"\0",
        b"\xff",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\n",
        b"\r",
        b"\r\n",
        b"\x0c",
        b"\x1a",
        b"\xc2\xa0",
    ),
    *(
        b"'",
        b'"',
        b"''",
        b'""',
        b"\\",
        b",",
        b";",
        b"\t",
        b"|",
        b"%",
        b"#",
        b"?",
        b"{",
        b"}",
        b"[",
        b"]",
        b"(",
        b")",
        b"_",
    ),
    *(b"@data", b"@attribute", b"@attribute a {", b"/*", b"*/", b":-", b".", b". ", b"!", b"\\+", b"->", b"X", b"_"),
    *(b"1e999", b"-1e400", b"nan", b"inf", b"-", b"1_0", b"0x1", b"9007199254740993", b"9" * 400, b"1" * 5000),
    *(b"'\\x110000\\", b"\\xd800\\a'", b"begin(model(a)).", b"end(model(a)).", b"(" * 400, b"[" * 400, b"-" * 400),
)


def mutated(chance: Random, content: bytes) -> bytes:
    """The content with one to five changes."""
    for _ in range(chance.randint(1, 5)):
        content = chance.choice(CHANGES)(chance, content)
    return content


def slice_of(chance: Random, content: bytes) -> slice:
    start = chance.randint(0, len(content))
    return slice(start, min(len(content), start + chance.choice((1, 2, 5, 20, 200))))


def leave_out(chance: Random, content: bytes) -> bytes:
    gone = slice_of(chance, content)
    return content[: gone.start] + content[gone.stop :]


def cut(chance: Random, content: bytes) -> bytes:
    return content[: chance.randint(0, len(content))]


def repeat(chance: Random, content: bytes) -> bytes:
    again = slice_of(chance, content)
    return content[: again.stop] + content[again] * chance.choice((1, 2, 30)) + content[again.stop :]


def change_bits(chance: Random, content: bytes) -> bytes:
    place = chance.randrange(len(content) + 1)
    return (
        content[:place]
        + bytes(byte ^ 1 << chance.randrange(8) for byte in content[place : place + 1])
        + content[place + 1 :]
    )


def put_in(chance: Random, content: bytes) -> bytes:
    place = chance.randint(0, len(content))
    return content[:place] + chance.choice(NASTY) + content[place:]


def move(chance: Random, content: bytes) -> bytes:
    moved = slice_of(chance, content)
    rest = content[: moved.start] + content[moved.stop :]
    place = chance.randint(0, len(rest))
    return rest[:place] + content[moved] + rest[place:]


CHANGES: tuple[Callable[[Random, bytes], bytes], ...] = (leave_out, cut, repeat, change_bits, put_in, put_in, move)
