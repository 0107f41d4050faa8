"""Text files: what can be said of them before their content is understood."""

import os
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricord.errors import InputFileError
from tricord.inputs import text as text_files
from tricord.inputs.text import open_text


def read(path, max_bytes=1 << 30):
    with open_text(path, max_bytes=max_bytes) as text:
        return text.read()


def read_through(path):
    with open_text(path, max_bytes=1 << 30) as text:
        while text.read(1 << 16):
            pass


@pytest.fixture
def written(tmp_path):
    def write(content):
        path = tmp_path / "file.txt"
        path.write_bytes(content)
        return path

    return write


def test_a_byte_order_mark_is_dropped_and_line_ends_stay(written):
    assert read(written(b"\xef\xbb\xbfa\r\nb\rc\n")) == "a\r\nb\rc\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"a" * 11, "the file is too large: 11 bytes"),
        (b"a\nb\0", "line 2: holds a NUL byte"),
        (b"a\n\n\xff", "line 3: byte 0xff is not UTF-8"),
        (b"a\n\xc3", "line 2: byte 0xc3 is not UTF-8"),
        (b"\xef\xbb", "line 1: is not UTF-8; it holds half of a byte order mark"),
    ],
)
def test_bad_files(written, content, message):
    with pytest.raises(InputFileError, match=rf"file\.txt: {message}"):
        read(written(content), max_bytes=10)


@pytest.mark.parametrize("path", ["", "a\0b", "missing.txt", ".", os.devnull])
def test_bad_paths(path):
    with pytest.raises(InputFileError, match="file"):
        read(path)


@given(st.text(), st.integers(0, 255), st.text())
def test_a_fault_is_named_with_its_line_whatever_the_blocks(tmp_path_factory, before, byte, after):
    path = tmp_path_factory.mktemp("text") / "file.txt"
    content = before.encode() + bytes([byte]) + after.encode()
    path.write_bytes(content)
    try:
        content.decode()
        place = content.index(b"\0")
    except UnicodeDecodeError as error:
        # A NUL byte is named wherever it stands.
        place = content.index(b"\0") if b"\0" in content else error.start
    except ValueError:
        place = None
    with pytest.MonkeyPatch.context() as patch:
        for block in (1, 2, 3, 1 << 20):
            patch.setattr(text_files, "_BLOCK", block)
            if place is None:
                assert read(path) == content.decode("utf-8-sig")
            else:
                line = content[:place].count(b"\n") + 1
                with pytest.raises(InputFileError, match=f": line {line}:"):
                    read(path)


@pytest.mark.parametrize("fault", [b"\0", b"\xff"])
def test_naming_a_fault_does_not_read_a_large_file_into_memory(written, fault):
    path = written(b"x" * 15 + b"\n")
    with path.open("ab") as stream:
        stream.writelines([(b"x" * 15 + b"\n") * (1 << 16)] * 32)
        stream.write(fault)
    tracemalloc.start()
    with pytest.raises(InputFileError, match=f"line {32 * (1 << 16) + 2}: "):
        read_through(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20 < path.stat().st_size
