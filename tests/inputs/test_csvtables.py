import csv

import pytest

from tricord.errors import InputFileError
from tricord.inputs.csvtables import check_row, field_limit, open_table

LIMITS = {"max_bytes": 1000, "max_field_characters": 50}


@pytest.fixture
def table_of(tmp_path):
    def open_text(text, *names, **options):
        path = tmp_path / "table.csv"
        path.write_bytes(text.encode())
        return open_table(path, names, **LIMITS, **options)

    return open_text


def test_columns_wanted_and_there(table_of):
    with table_of("\n\r\n b ,a,c\n1,2,3\n", "a", optional=["b", "d"]) as table:
        assert table.header == ["b", "a", "c"]
        assert table.positions == {"a": 1, "b": 0}
        assert list(table.reader) == [["1", "2", "3"]]
        assert table.line == 4


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
        ("\n\n", {}, "only empty lines"),
        ("", {}, "empty"),
        ("c" * 51 + ",c\n", {}, "line 1: a field is too large; the limit is 50"),
        ('"c', {}, "ends inside a quoted field"),
        ("c" * 1001, {}, "too large"),
    ],
)
def test_bad_tables(table_of, text, options, message):
    with pytest.raises(InputFileError, match=message), table_of(text, "c", **options):
        pass


def test_fault_below_the_header_is_named_with_its_line(table_of):
    with pytest.raises(InputFileError, match="line 3: not valid CSV"), table_of('\na\n"x"y\n', "a") as table:
        list(table.reader)


def test_limit_of_the_process_is_put_back_after_an_error():
    before = csv.field_size_limit()
    with pytest.raises(csv.Error), field_limit(7):
        list(csv.reader(["12345678"]))
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("row", "message"), [(["1"], "too few"), (["1", "2", "3"], "too many"), (["", " "], "all fields")]
)
def test_bad_rows(row, message):
    with pytest.raises(InputFileError, match=f"t.csv: line 9: {message}"):
        check_row("t.csv: line 9", row, 2)
