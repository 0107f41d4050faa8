"""Reading in blocks against reading row by row with `csv`: the same columns, or a refusal by both."""

import csv
import io

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tricord import InputFileError
from tricord.dico_nli import io as dico_io

PIECES = [
    "a",
    "b7",
    "é",
    "\u00a0",
    " ",
    "",
    '"',
    '""',
    '"x"',
    '"x,y"',
    '"x\ny"',
    '"x""y"',
    ",",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
]
HEADERS = [
    "instance_id",
    "instance_id,label",
    "label,instance_id",
    "x,instance_id,y",
    "instance_id\tlabel",
    '"instance_id",x',
]


def naive_ids(text):
    """Read the column `instance_id` as the task describes the format; None for a file that it rejects."""
    rows = csv.reader(
        io.StringIO(text, newline="\n"), delimiter="\t" if "\t" in text.split("\n", 1)[0] else ",", strict=True
    )
    try:
        header, *rows = [row for row in rows if row]
    except csv.Error:
        return None
    position = header.index("instance_id")
    ids = []
    for row in rows:
        if len(row) != len(header) or len(row[position].split()) != 1:
            return None
        ids.append(row[position].strip())
    return ids or None


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    header=st.sampled_from(HEADERS),
    rows=st.lists(st.lists(st.sampled_from(PIECES), max_size=7).map("".join), max_size=6),
    block=st.sampled_from([1, 2, 5, 17, 1 << 18]),
)
@example(header="instance_id", rows=["zz,a", "b"], block=1 << 18)
@example(header="x,instance_id,y", rows=['"1\n', '2",a,"3"', "4,b,5"], block=1)
def test_blocks_read_as_csv_does(tmp_path, monkeypatch, header, rows, block):
    text = "\n".join([header, *rows])
    path = tmp_path / "file.csv"
    path.write_bytes(text.encode())
    monkeypatch.setattr(dico_io, "_BLOCK_CHARACTERS", block)
    expected = naive_ids(text)
    if expected is None:
        with pytest.raises(InputFileError, match=r"file\.csv"):
            dico_io.read_instance_id_column(path)
    else:
        assert dico_io.read_instance_id_column(path) == expected
