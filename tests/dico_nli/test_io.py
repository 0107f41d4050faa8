"""Reading CSV and TSV files in every allowed layout."""

import contextlib
import csv
import threading

import pytest

from dico_nli import samples
from dico_nli.samples import PREDICTIONS, REFERENCE, prediction_text, reference_text
from tricord import InputFileError
from tricord.dico_nli import io, read_reference, score, write_scores

COLUMNS = dict(zip(samples.REFERENCE_HEADER, map(list, zip(*REFERENCE, strict=True)), strict=True))


@pytest.fixture
def written(tmp_path):
    """Write a file and give its path."""

    def write(content):
        path = tmp_path / "file.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def _quoted(row):
    return [f'"{cell}"' for cell in row]


LAYOUTS = {
    "plain": reference_text(),
    "byte order mark": b"\xef\xbb\xbf" + reference_text().encode(),
    "CRLF": reference_text(line_end="\r\n"),
    "tabs": reference_text(separator="\t"),
    "tabs and CRLF": reference_text(separator="\t", line_end="\r\n"),
    "byte order mark and tabs": b"\xef\xbb\xbf" + reference_text(separator="\t").encode(),
    "no line end at the end": reference_text().rstrip("\n"),
    "empty lines": "\n\r\n" + reference_text(line_end="\n\n") + "\n\n",
    "mixed line ends": reference_text().replace("\n", "\r\n", 3),
    "spaces around names and values": reference_text(separator=" , "),
    "quoted": samples.csv_text(_quoted(samples.REFERENCE_HEADER), map(_quoted, REFERENCE)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_read_alike(written, layout):
    assert io.read_reference_columns(written(LAYOUTS[layout])) == COLUMNS


def test_columns_in_any_order_and_others_ignored(written):
    texts = ['"two\nlines, and ""quotes"""', '"two\r\nlines"', "", "plain", '" "', '""""']
    rows = [[row[3], text, row[2], row[0], "", row[1]] for row, text in zip(REFERENCE, texts, strict=True)]
    header = ["label", "text1", "reverse_pair_id", "instance_id", "text2", "pair_id"]
    assert io.read_reference_columns(written(samples.csv_text(header, rows))) == COLUMNS


def test_extra_column_of_odd_characters(written):
    odd = ["\u2028", "\x0b", "\x85", "🚢", "a\tb", "'"]
    rows = [[*row, text] for row, text in zip(REFERENCE, odd, strict=True)]
    assert io.read_reference_columns(written(samples.csv_text([*samples.REFERENCE_HEADER, "text1"], rows))) == COLUMNS


def test_participants_file_without_links(written):
    columns = ["instance_id", "pair_id", "label"]
    text = samples.csv_text(columns, [[row[0], row[1], row[3]] for row in REFERENCE])
    assert io.read_reference_columns(written(text), with_links=False) == {name: COLUMNS[name] for name in columns}


def test_missing_links_hint_at_the_twin_rule(written):
    text = samples.csv_text(["instance_id", "pair_id", "label"], [["a", "b", "EQUIVALENCE"]])
    with pytest.raises(InputFileError, match=r"reverse_pair_id.*--infer-pairs"):
        io.read_reference_columns(written(text))


def test_predictions_in_either_column_order(written):
    expected = {"instance_id": [row[0] for row in PREDICTIONS], "label": [row[1] for row in PREDICTIONS]}
    assert io.read_prediction_columns(written(prediction_text())) == expected
    turned = prediction_text([row[::-1] for row in PREDICTIONS], ["label", "instance_id"])
    assert io.read_prediction_columns(written(turned)) == expected


def test_many_rows_cross_the_blocks(written):
    rows = [[f"p{number}", " EQUIVALENCE" if number == 20_000 else "EQUIVALENCE"] for number in range(20_001)]
    columns = io.read_prediction_columns(written(prediction_text(rows)))
    assert columns["instance_id"] == [row[0] for row in rows]
    assert set(columns["label"]) == {"EQUIVALENCE"}


def test_line_of_a_fault_far_down_counts_quoted_line_breaks(written):
    rows = [[f"p{number}", "EQUIVALENCE", "x"] for number in range(9000)]
    rows[10][2] = '"two\nlines"'
    rows[8999][0] = ""
    with pytest.raises(InputFileError, match="line 9002: instance_id is missing"):
        io.read_instance_id_column(written(samples.csv_text(["instance_id", "label", "text"], rows)))


def test_line_of_a_fault_counts_empty_lines_above_the_header(written):
    rows = samples.changed(PREDICTIONS, 0, 1, "")
    with pytest.raises(InputFileError, match="line 4: label is missing"):
        io.read_prediction_columns(written("\n\r\n" + prediction_text(rows)))


def test_field_of_exactly_the_limit(written):
    rows = [[*row, "x" * (1_000_000 if number == 1 else 1)] for number, row in enumerate(REFERENCE)]
    header = [*samples.REFERENCE_HEADER, "text1"]
    assert io.read_reference_columns(written(samples.csv_text(header, rows))) == COLUMNS
    rows[1][-1] += "x"
    with pytest.raises(InputFileError, match=r"line 3.*1,000,000 characters"):
        io.read_reference_columns(written(samples.csv_text(header, rows)))


def test_header_of_as_many_columns_as_a_table_may_have(written):
    extra = [f"c{number}" for number in range(996)]
    assert (
        io.read_reference_columns(
            written(samples.csv_text([*samples.REFERENCE_HEADER, *extra], [[*row, *extra] for row in REFERENCE]))
        )
        == COLUMNS
    )
    with pytest.raises(InputFileError, match="has 1,001 columns; the limit is 1,000"):
        io.read_reference_columns(written(samples.csv_text([*samples.REFERENCE_HEADER, *extra, "one more"], [])))


def test_file_of_exactly_the_limits(written, monkeypatch):
    text = prediction_text()
    monkeypatch.setattr(io, "MAX_BYTES", len(text))
    monkeypatch.setattr(io, "MAX_ROWS", len(PREDICTIONS))
    assert len(io.read_prediction_columns(written(text))["label"]) == len(PREDICTIONS)
    with pytest.raises(InputFileError, match="too large"):
        io.read_prediction_columns(written(text + "\n"))


@pytest.mark.parametrize("layout", [{}, {"separator": " , "}])
def test_one_row_too_many(written, monkeypatch, layout):
    monkeypatch.setattr(io, "MAX_ROWS", len(PREDICTIONS) - 1)
    with pytest.raises(InputFileError, match="too many rows"):
        io.read_prediction_columns(written(prediction_text(**layout)))


def test_limits_are_those_of_the_task():
    assert (io.MAX_BYTES, io.MAX_ROWS, io.MAX_FIELD_CHARACTERS) == (64 * 1024 * 1024, 5_000_000, 1_000_000)


@pytest.mark.parametrize("content", [prediction_text(), "instance_id,label\na,b,c\n"])
def test_the_process_wide_csv_limit_is_put_back(written, content):
    before = csv.field_size_limit(4321)
    try:
        with contextlib.suppress(InputFileError):
            io.read_prediction_columns(written(content))
        assert csv.field_size_limit() == 4321
    finally:
        csv.field_size_limit(before)


def test_reading_in_threads(written):
    path = written(samples.csv_text([*samples.REFERENCE_HEADER, "t"], [[*row, "x" * 200_000] for row in REFERENCE]))
    results = []
    threads = [threading.Thread(target=lambda: results.append(io.read_reference_columns(path))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [COLUMNS] * 6


def test_written_scores_of_a_small_pair(tmp_path):
    pair = samples.write_pair(tmp_path)
    write_scores(score(read_reference(pair.gold), pair.predictions), tmp_path / "new" / "folder")
    assert (tmp_path / "new" / "folder" / "scores.txt").read_bytes() == (
        # EQUIVALENCE 2/3 right of 3, recall 2/3, precision 1; NEGATIVE precision 1/2, recall 1; the others 0
        b"weighted_f1: 0.511111111111\nsoft_cons: 1.000000000000\nhard_cons: 0.500000000000\n"
    )
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == ["scores.json", "scores.txt"]
