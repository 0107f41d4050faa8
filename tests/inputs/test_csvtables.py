"""Tables: their header, their rows, their limits, and several of them at once."""

import csv
import threading

import pytest

from tricord.errors import InputFileError
from tricord.inputs import csvtables
from tricord.inputs.csvtables import open_table

LIMITS = {"max_bytes": 10_000, "max_field_characters": 50}


@pytest.fixture
def table_of(tmp_path):
    def open_text(text, *names, name="table.csv", **options):
        path = tmp_path / name
        path.write_bytes(text.encode())
        return open_table(path, names, **{**LIMITS, **options})

    return open_text


def test_columns_wanted_and_there(table_of):
    with table_of("\n\r\n b ,a,c\n1,2,3\n\n4,5,6\n", "a", optional=["b", "d"]) as table:
        assert table.header == ["b", "a", "c"]
        assert table.positions == {"a": 1, "b": 0}
        assert [(table.line, row) for row in table.rows()] == [(4, ["1", "2", "3"]), (6, ["4", "5", "6"])]


def test_header_that_spans_lines(table_of):
    for separator in ",\t":
        with table_of(f'\na{separator}"b\nc"\n1{separator}2\n', "a") as table:
            assert table.header == ["a", "b\nc"]
            assert [(table.line, row) for row in table.rows()] == [(4, ["1", "2"])]


def test_separator_under_which_the_wanted_columns_are_found(table_of):
    with table_of("a,b\tc\n", "c") as table:
        assert table.delimiter == "\t"
    with table_of("a,b\tc\n", optional=["a"]) as table:
        assert table.delimiter == ","


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("a,b\n", {}, "missing column 'c'; expected c, found 'a', 'b'$"),
        ("a,b\n", {"hints": {"c": "look elsewhere"}}, "found 'a', 'b'; look elsewhere$"),
        ("c,,b\n", {}, "column 2 has no name"),
        ("c,b,c\n", {}, "duplicate column 'c'"),
        ("c,b\n", {"others_allowed": False}, "unexpected column 'b'; expected exactly c"),
        ("c,a,b\n", {"max_columns": 2}, "header: has 3 columns; the limit is 2"),
        ("c," + ",".join(map(str, range(1000))) + "\n", {}, "header: has 1,001 columns; the limit is 1,000"),
        ("\n\n", {}, "only empty lines"),
        ("", {}, "empty"),
        ("c" * 51 + ",c\n", {}, "line 1: a field is too large; the limit is 50"),
        ('"c', {}, "ends inside a quoted field"),
        ("c" * 10_001, {}, "too large"),
    ],
)
def test_bad_tables(table_of, text, options, message):
    with pytest.raises(InputFileError, match=message), table_of(text, "c", **options):
        pass


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ('"x"y,1\n', "line 3: not valid CSV"),
        ("1,2\n3\n", "line 4: too few fields: expected 2, found 1"),
        ("\n1,2,3\n", "line 4: too many fields: expected 2, found 3"),
        (" ,\n", "line 3: all fields of the row are empty"),
        ("1,2\r3,4\n", "line 3: a carriage return stands inside a row"),
        ('1,"2\n3\n', "line 4: the file ends inside a quoted field"),
        ("1," + "x" * 51 + "\n", "line 3: a field is too large; the limit is 50"),
    ],
)
def test_fault_below_the_header_is_named_with_its_line(table_of, rows, message):
    with pytest.raises(InputFileError, match=rf"table\.csv: {message}"), table_of("\na,b\n" + rows, "a") as table:
        list(table.rows())


def test_header_and_rows_have_limits_of_their_own(table_of, monkeypatch):
    monkeypatch.setattr(csvtables, "MAX_HEADER_CHARACTERS", 8)
    monkeypatch.setattr(csvtables, "MAX_ROW_CHARACTERS", 12)
    with (
        table_of("a,b,ccc\n1,2,34567890\n1,2,3\n", "a") as table,
        pytest.raises(InputFileError, match="line 2: is longer"),
    ):
        list(table.rows())
    with table_of("a,b,ccc\n1,2,3456789\n" * 2, "a") as table:
        assert len(list(table.rows())) == 3
    for text in ("a,b,cccc\n", 'a,b,"c\nc"\n', "x" * 500):
        with pytest.raises(InputFileError, match=r"line \d: is longer than 8 characters"), table_of(text, "a"):
            pass


def test_a_quote_left_open_ends_at_the_limit_of_a_row(table_of, monkeypatch):
    monkeypatch.setattr(csvtables, "MAX_ROW_CHARACTERS", 30)
    text = 'a,b\n1,"2\n' + "3,4\n" * 100
    with table_of(text, "a") as table, pytest.raises(InputFileError, match=r"line 9: is longer.*is a quote left open"):
        list(table.rows())


def test_lines_read_ahead_come_first(table_of):
    with table_of('a,b\n1,2\n3,"4\n5"\n6,7\n8,9\n', "a") as table:
        table.text.readline()
        table.line += 1
        ahead = table.text.readline()
        assert [(table.line, row) for row in table.rows(ahead)] == [
            (4, ["3", "4\n5"]),
            (5, ["6", "7"]),
            (6, ["8", "9"]),
        ]


def test_tables_side_by_side_keep_their_own_limits(table_of):
    text = "a,b\n" + "1," + "x" * 50 + "\n2," + "y" * 51 + "\n"
    before = csv.field_size_limit()
    with (
        table_of(text, "a", name="narrow.csv") as narrow,
        table_of(text, "a", name="wide.csv", max_field_characters=60) as wide,
    ):
        narrow_rows, wide_rows = narrow.rows(), wide.rows()
        assert next(narrow_rows) == next(wide_rows)
        assert csv.field_size_limit() == before
        assert next(wide_rows) == ["2", "y" * 51]
        with pytest.raises(InputFileError, match=r"narrow\.csv: line 3: a field is too large; the limit is 50"):
            next(narrow_rows)
    assert csv.field_size_limit() == before


def test_a_reader_that_stands_still_holds_nobody_up(table_of):
    with table_of("a\n1\n2\n", "a", name="first.csv") as first:
        left_alone = first.rows()
        next(left_alone)
        found = []

        def read():
            with table_of("a\n3\n", "a", name="second.csv") as second:
                found.extend(second.rows())

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        thread.join(60)
        assert found == [["3"]]
        assert next(left_alone) == ["2"]


def test_the_limit_of_the_process_is_put_back(table_of):
    before = csv.field_size_limit(4321)
    try:
        with pytest.raises(InputFileError), table_of("a\n" + "x" * 51, "a") as table:
            list(table.rows())
        with table_of("a\n1\n2\n", "a") as table:
            for _ in table.rows():
                assert csv.field_size_limit() == 4321
                break
        assert csv.field_size_limit() == 4321
    finally:
        csv.field_size_limit(before)
