"""Opening untrusted text, and writing results whole or not at all."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tricord import InputFileError, OutputError
from tricord.inputs.text import open_text
from tricord.outputs import refuse_overwriting, write_texts

LIMIT = 1 << 24


def read(path, max_bytes=LIMIT):
    with open_text(path, max_bytes=max_bytes) as text:
        return text.read()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file.txt"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a\nb\n", "a\nb\n"),
        (b"\xef\xbb\xbfa\n", "a\n"),
        (b"a\r\nb\r\n", "a\r\nb\r\n"),
        (b"a\rb", "a\rb"),
        ("ñ\u2028🚢\n".encode(), "ñ\u2028🚢\n"),
        (b"a\xef\xbb\xbfb", "a\ufeffb"),
    ],
)
def test_text_as_it_stands_but_for_the_byte_order_mark(path, content, text):
    path.write_bytes(content)
    assert read(path) == text
    assert read(str(path)) == text


def test_lines_end_at_line_feeds_alone(path):
    path.write_bytes("a\rb\u2028c\x85d\n\x0ce\n".encode())
    with open_text(path, max_bytes=LIMIT) as text:
        assert list(text) == ["a\rb\u2028c\x85d\n", "\x0ce\n"]


def test_size_limit_is_inclusive(path):
    path.write_bytes(b"abcd")
    assert read(path, max_bytes=4) == "abcd"
    with pytest.raises(InputFileError, match="too large"):
        read(path, max_bytes=3)


@pytest.mark.parametrize("position", [0, 5, (1 << 20) - 1, 1 << 20, (2 << 20) + 7])
def test_nul_byte_is_named_with_its_line(path, position):
    content = bytearray(b"abc\n" * (3 << 18))
    content[position] = 0
    path.write_bytes(content)
    with pytest.raises(InputFileError, match=f"line {position // 4 + 1}: holds a NUL byte"):
        read(path)


@pytest.mark.parametrize("line", [1, 2, 100_000])
@pytest.mark.parametrize("byte", [b"\xff", b"\xc3(", b"\xed\xa0\x80"])
def test_undecodable_byte_is_named_with_its_line(path, line, byte):
    path.write_bytes(b"abc\n" * (line - 1) + byte + b"\nabc\n")
    with pytest.raises(InputFileError, match=f"line {line}: byte 0x{byte[0]:02x} is not UTF-8"):
        read(path)


def test_character_cut_off_at_the_end(path):
    path.write_bytes(b"abc\n\xc3")
    with pytest.raises(InputFileError, match="line 2"):
        read(path)


@pytest.mark.parametrize("content", [b"\xef", b"\xef\xbb"])
def test_byte_order_mark_cut_off(path, content):
    # Python's utf-8-sig decoder drops these bytes silently where the file ends behind them.
    path.write_bytes(content)
    with pytest.raises(InputFileError, match="line 1"):
        read(path)


def test_character_across_the_block_border(path):
    path.write_bytes(b"x" * ((1 << 20) - 1) + "ñ".encode())
    assert read(path).endswith("xñ")


@pytest.mark.parametrize("name", ["missing", "no/such/folder", "x" * 300, "file.txt/below"])
def test_names_that_lead_nowhere(tmp_path, path, name):
    path.write_text("x")
    with pytest.raises(InputFileError) as error:
        read(tmp_path / name)
    assert str(tmp_path / name) in str(error.value)


def test_name_with_nul():
    with pytest.raises(InputFileError, match="NUL"):
        read("a\0b")


def test_unreadable_file(path, monkeypatch):
    path.write_text("x")

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputFileError, match=r"file\.txt: cannot be read \(Permission denied\)"):
        read(path)


@given(st.binary(min_size=1, max_size=100))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_bytes_are_text_or_rejected(tmp_path, content):
    assume(content not in (b"\xef", b"\xef\xbb"))  # has a test of its own
    path = tmp_path / "file.txt"
    path.write_bytes(content)
    if b"\0" in content or not _is_utf8(content):
        with pytest.raises(InputFileError) as error:
            read(path)
        assert str(path) in str(error.value)
    else:
        assert read(path) == content.decode("utf-8-sig")


def _is_utf8(content):
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def test_written_as_it_is(tmp_path):
    texts = {tmp_path / "a" / "b" / "1.txt": "ñ\r\n\n", str(tmp_path / "2.txt"): ""}
    write_texts(texts)
    assert {Path(path): Path(path).read_bytes().decode() for path in texts} == {Path(k): v for k, v in texts.items()}
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["1.txt", "2.txt"]


def test_symbolic_link_is_followed(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_texts({tmp_path / "link": "new"})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_relative_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_texts({"x.txt": "new"})
    assert (tmp_path / "x.txt").read_text() == "new"


@pytest.fixture
def earlier(tmp_path):
    """Two files of an earlier run, and a check that they are as they were and that nothing else lies about."""
    for name in ("a", "b"):
        (tmp_path / name).write_text("earlier")

    def check():
        assert {path.name: path.read_text() for path in tmp_path.iterdir() if path.is_file()} == {
            "a": "earlier",
            "b": "earlier",
        }

    return check


@pytest.mark.parametrize("target", ["folder", "pipe", "a/below"])
def test_target_that_cannot_be_written_stops_all(tmp_path, earlier, target):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutputError, match=target):
        write_texts({tmp_path / "a": "new", tmp_path / target: "new"})
    (tmp_path / "pipe").unlink()
    earlier()


def test_device_is_not_replaced_by_a_file():
    with pytest.raises(OutputError, match="/dev/null"):
        write_texts({"/dev/null": "x"})
    assert Path("/dev/null").is_char_device()


def test_text_that_is_not_utf8(tmp_path, earlier):
    with pytest.raises(OutputError, match="b: cannot be written as UTF-8"):
        write_texts({tmp_path / "a": "new", tmp_path / "b": "\udcff"})
    earlier()


def _failing(failure, at):
    calls = 0

    def call(*_, **__):
        nonlocal calls
        calls += 1
        if calls == at:
            raise failure
        return None

    return call


@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_full_disk_or_interruption_keeps_earlier_files(tmp_path, earlier, monkeypatch, at, failure):
    monkeypatch.setattr(os, "fsync", _failing(failure, at))
    with pytest.raises(OutputError if isinstance(failure, OSError) else KeyboardInterrupt):
        write_texts({tmp_path / "a": "new", tmp_path / "b": "new"})
    earlier()


def test_failing_rename_keeps_earlier_files_and_clears_up(tmp_path, earlier, monkeypatch):
    for owner in (os, Path):
        monkeypatch.setattr(owner, "replace", _failing(OSError(5, "Input/output error"), 1))
    with pytest.raises(OutputError, match="Input/output error"):
        write_texts({tmp_path / "a": "new", tmp_path / "b": "new"})
    earlier()


def test_failing_second_rename_leaves_each_file_whole(tmp_path, monkeypatch):
    real = os.replace
    calls = []

    def replace(source, target):
        calls.append(target)
        if len(calls) == 2:
            raise OSError(5, "Input/output error")
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(Path, "replace", replace)
    (tmp_path / "b").write_text("earlier")
    with pytest.raises(OutputError) as error:
        write_texts({tmp_path / "a": "new", tmp_path / "b": "new"})
    assert str(tmp_path / "b") in str(error.value)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "new", "b": "earlier"}


def test_results_are_not_written_over_inputs(tmp_path):
    source = tmp_path / "source"
    source.write_text("a")
    (tmp_path / "link").symlink_to(source)
    for target in (source, tmp_path / "link", f"{tmp_path}/./source"):
        with pytest.raises(OutputError, match="is also an input"):
            refuse_overwriting(target, [None, tmp_path / "missing", source])
    for target in (None, tmp_path / "missing", "a\0b"):
        refuse_overwriting(target, [None, tmp_path / "missing", source])
