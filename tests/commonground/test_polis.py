"""Readers of Polis exports, the tables over them, and the list of what an export contradicts itself in."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricord import commonground
from tricord.commonground import (
    Conversation,
    export_differences,
    group_table,
    read_export,
    read_participants_votes,
    read_votes,
    statement_table,
)
from tricord.commonground import io as polis_io
from tricord.commonground.conversation import natural_order
from tricord.errors import InputFileError, ValidationError

EXPORTS = ["brexit-consensus", "london.youth.policing"]
BALLOTS = "participant,group-id,n-comments,n-votes,n-agree,n-disagree,3,12\n7,0,0,2,1,1,1,-1\n9,,1,1,0,0,,0\n"
EVENTS = (
    "timestamp,datetime,comment-id,voter-id,vote\n"
    "1700000000002,later,3,7,1\n"
    "1700000000001,earlier,3,7,-1\n"
    "1700000000001,x,12,7,0\n"
    "1700000000001,x,12,7,-1\n"
    "1700000000005,x,12,9,0\n"
)
COMMENTS = (
    'comment-id,agrees,disagrees,comment-body\n3,1,0,More trees\n12,0,1,"Fewer, but\nbetter"\n4,5,5,moderated out\n'
)


@pytest.fixture
def export(tmp_path):
    (tmp_path / "participants-votes.csv").write_text(BALLOTS)
    (tmp_path / "votes.csv").write_text(EVENTS)
    (tmp_path / "comments.csv").write_text(COMMENTS)
    return tmp_path


@pytest.fixture
def rejected(tmp_path):
    """Write a file and give the message with which a reader rejects it."""

    def reject(read, text):
        path = tmp_path / "bad.csv"
        path.write_text(text)
        with pytest.raises(InputFileError) as raised:
            read(path)
        assert str(path) in str(raised.value)
        return str(raised.value)

    return reject


def test_participants_votes(export):
    votes = read_participants_votes(export / "participants-votes.csv")
    assert (votes.participants, votes.statements, votes.groups) == (["7", "9"], ["3", "12"], ["0", ""])
    assert votes.votes == [(1, None), (-1, 0)]


def test_latest_vote_wins_wherever_it_stands(export):
    votes = read_votes(export / "votes.csv")
    assert (votes.participants, votes.statements, votes.groups) == (["7", "9"], ["3", "12"], ())
    assert votes.votes == [[1, None], [-1, 0]]


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2), st.sampled_from([1, -1, 0])), min_size=1
    )
)
def test_latest_vote_wins_in_any_order(tmp_path_factory, events):
    path = tmp_path_factory.mktemp("events") / "votes.csv"
    lines = [f"{time},{comment},{voter},{vote}\n" for time, comment, voter, vote in events]
    path.write_text("timestamp,comment-id,voter-id,vote\n" + "".join(lines))
    expected = {}
    for _, comment, voter, vote in sorted(events, key=lambda event: event[0]):
        expected[str(voter), str(comment)] = vote
    assert {(voter, comment): vote for voter, comment, vote in read_votes(path).cells()} == expected


def test_folder_prefers_ballots_and_brings_texts(export):
    conversation = read_export(export)
    assert conversation.groups == ["0", ""]
    assert conversation.texts["12"] == "Fewer, but\nbetter"
    assert read_export(export / "votes.csv").texts == conversation.texts
    assert read_export(export / "votes.csv").votes == [list(column) for column in conversation.votes]


def test_each_file_of_an_export_is_opened_once(export, opened):
    assert export_differences(export, read_export(export)) == []
    assert sorted(path for path in opened if path.startswith(str(export))) == sorted(map(str, export.glob("*.csv")))


def test_files_are_told_apart_by_their_content(export):
    (export / "votes.csv").rename(export / "participants-votes.csv")
    assert read_export(export).groups == ()


def test_other_spelling_and_other_files(tmp_path):
    (tmp_path / "participant-votes.csv").write_text("\ufeffparticipant\txid\t1\n0\tx\t 1.0\n1\ty\t\n")
    conversation = read_export(tmp_path)
    assert conversation.votes == [(1, None)]
    assert conversation.groups == ()


def test_folder_without_an_export(tmp_path):
    with pytest.raises(InputFileError, match=r"holds no participants-votes\.csv or"):
        read_export(tmp_path)


@pytest.mark.parametrize("name", EXPORTS)
def test_readers_agree_on_every_cell_of_real_exports(shared_data, name):
    folder = shared_data / "commonground/polis" / name
    ballots = read_participants_votes(folder / "participants-votes.csv")
    events = read_votes(folder / "votes.csv")
    assert sorted(ballots.cells()) == sorted(events.cells())
    assert len(list(ballots.cells())) > 600


@pytest.mark.parametrize(("name", "expected"), [("brexit-consensus", 8), ("london.youth.policing", 2)])
def test_differences_of_real_exports_are_those_of_repeated_votes(shared_data, name, expected):
    # comments.csv counts every event of a participant who voted twice, the cells only the last one.
    differences = export_differences(shared_data / "commonground/polis" / name)
    assert len(differences) == expected
    assert {difference.what for difference in differences} <= {"agrees", "disagrees"}
    assert all(int(difference.stated) > int(difference.found) for difference in differences)


def test_differences_of_a_consistent_export(export):
    assert export_differences(export) == []


def test_every_difference_is_listed(export):
    (export / "votes.csv").write_text(EVENTS.replace("5,x,12,9,0", "5,x,12,9,1") + "1,x,3,10,1\n")
    (export / "participants-votes.csv").write_text(BALLOTS.replace("0,0,2,1,1", "0,0,3,1,1"))
    (export / "comments.csv").write_text(COMMENTS.replace("3,1,0", "3,2,0"))
    assert [str(difference) for difference in export_differences(export)] == [
        "participant 9, statement 12: vote is 0 and 1 (participants-votes.csv against votes.csv)",
        "participant 10, statement 3: vote is missing and 1 (participants-votes.csv against votes.csv)",
        "participant 7: n-votes is 3 and 2 (participants-votes.csv, column against cells)",
        "statement 3: agrees is 2 and 1 (comments.csv against cells)",
    ]


def test_numbers_that_pandas_has_saved_as_floats_are_no_difference(export):
    frames = {path: pd.read_csv(path) for path in sorted(export.glob("*.csv"))}
    for path, frame in frames.items():
        for name in frame.columns:
            if frame[name].dtype == "int64":
                frame[name] = frame[name].astype(float)
        frame.to_csv(path, index=False)
    assert "7.0,0.0,0.0,2.0,1.0,1.0,1.0,-1.0" in (export / "participants-votes.csv").read_text()
    conversation = read_export(export)
    assert (conversation.participants, conversation.groups) == (["7", "9"], ["0", ""])
    assert conversation.texts["3"] == "More trees"
    assert export_differences(export) == []
    (export / "comments.csv").write_text(COMMENTS.replace("3,1,0", "3,2.0,0.5"))
    assert [(own.what, own.stated, own.found) for own in export_differences(export)] == [
        ("agrees", "2.0", "1"),
        ("disagrees", "0.5", "0"),
    ]


def test_differences_of_one_file_and_its_comments(export):
    (export / "comments.csv").write_text(COMMENTS.replace("3,1,0", "3,2,0"))
    (export / "participants-votes.csv").write_text(BALLOTS.replace("0,0,2,1,1", "0,0,3,1,1").replace(",,0", ",,1"))
    assert [own.what for own in export_differences(export / "votes.csv")] == ["agrees"]
    assert [own.what for own in export_differences(export / "participants-votes.csv")] == [
        "n-votes",
        "n-agree",
        "agrees",
        "agrees",
    ]
    (export / "participants-votes.csv").unlink()
    conversation = read_export(export)
    assert [own.what for own in export_differences(export)] == ["agrees"]
    assert export_differences(export, conversation) == export_differences(export)


def test_differences_of_what_there_is(export):
    (export / "votes.csv").unlink()
    (export / "comments.csv").unlink()
    (export / "participants-votes.csv").write_text("participant,n-agree,3\n7,0,1\n")
    assert [difference.what for difference in export_differences(export)] == ["n-agree"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("participant,a\n1,1\n", "no statement"),
        ("voter,1\n1,1\n", "missing column 'participant'"),
        ("participant,1\n", "no rows"),
        ("participant,1\n5,2\n", "line 2: statement 1: expected 1, -1, 0 or nothing, got '2'"),
        ("participant,1\n5,True\n", "got 'True'"),
        ("participant,1\n5,nan\n", "got 'nan'"),
        ("participant,1\n5,1\n\n5,0\n", "line 4: participant '5' stands twice"),
        ("participant,1\n ,1\n", "line 2: participant is missing"),
        ("participant,1,1\n5,1,1\n", "duplicate column '1'"),
        ("participant,1\n5,1,1\n", "line 2: too many fields"),
        ('participant,1\n"5,1\n', "ends inside a quoted field"),
    ],
)
def test_bad_ballots(rejected, text, message):
    assert message in rejected(read_participants_votes, text)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,2,3,", "line 2: vote: expected 1, -1, 0, got ''"),
        ("1,2,3,5", "got '5'"),
        ("x,2,3,1", "line 2: timestamp: expected a whole number, got 'x'"),
        ("-1,2,3,1", "timestamp"),
        ("9" * 5000 + ",2,3,1", "timestamp"),
        ("1,,3,1", "comment-id is missing"),
        ("1,2,,1", "voter-id is missing"),
    ],
)
def test_bad_events(rejected, row, message):
    assert message in rejected(read_votes, f"timestamp,comment-id,voter-id,vote\n{row}\n")


def test_no_events(rejected):
    assert "no rows" in rejected(read_votes, "timestamp,comment-id,voter-id,vote\n")
    assert "missing column 'timestamp'" in rejected(read_votes, "comment-id,voter-id,vote\n1,1,1\n")
    assert "expected a column participant" in rejected(read_export, "a,b\n1,2\n")


def test_sparse_events_that_would_make_a_huge_matrix(rejected, monkeypatch):
    monkeypatch.setattr(polis_io, "MAX_CELLS", 3)
    assert "2 participants and 2 statements" in rejected(
        read_votes, "timestamp,comment-id,voter-id,vote\n1,1,1,1\n1,2,2,1\n"
    )


def test_few_events_do_not_make_a_huge_matrix(rejected):
    events = "".join(f"1,{number},{number},1\n" for number in range(5000))
    assert "5,000 participants and 5,000 statements; the limit is 6,000,000 cells" in rejected(
        read_votes, f"timestamp,comment-id,voter-id,vote\n{events}"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"participants": ["a", "a"]}, "`participants` has 'a' more than once"),
        ({"statements": ["1", "1"]}, "`statements` has '1' more than once"),
        ({"votes": [[1, 0]]}, "one value a statement in `votes`, 2, got 1"),
        ({"votes": [[1, 0], [1]]}, "one value a participant in `votes of statement '2'`, 2, got 1"),
        ({"votes": [[1, 0], None]}, "got None"),
        ({"votes": [[1, 0], "10"]}, "got '10'"),
        ({"votes": None}, "got None"),
        ({"groups": ["a"]}, "one value a participant in `groups`, 2, got 1"),
        ({"groups": [0, 1]}, "`groups` to be strings, .* got 0, 1"),
    ],
)
def test_conversation_that_does_not_fit_together(arguments, message):
    whole = {"participants": ["a", "b"], "statements": ["1", "2"], "votes": [[1, 0], [None, -1]], "groups": ["x", ""]}
    assert Conversation(**whole)
    with pytest.raises(ValidationError, match=message):
        Conversation(**(whole | arguments), source="talk")


def test_ids_in_the_order_of_their_numbers():
    ids = ["x", "10", "007", "9", "0", "7", "a", "9" * 5000]
    assert sorted(ids, key=natural_order) == ["0", "007", "7", "9", "10", "9" * 5000, "a", "x"]


def test_statement_table(export):
    table = statement_table(read_export(export))
    assert [row["text"] for row in table] == ["More trees", "Fewer, but\nbetter"]
    expected = commonground.comment_stats([-1, 0])
    assert {name: table[1][name] for name in expected} == expected
    assert (table[1]["separation"], table[1]["entropy"]) == (1.0, commonground.vote_entropy([-1, 0]))


def test_groups_in_the_order_of_their_numbers():
    conversation = Conversation(["a", "b", "c", "d"], ["1"], [[1, 1, -1, 0]], groups=["10", "9", "x", ""])
    table = group_table(conversation)
    assert [row["group"] for row in table] == ["9", "10", "x"]
    assert table[0]["rat"] == commonground.two_prop_test(1, 1, 1, 2)  # the fourth has no group and is not in the rest
    assert conversation.signature.startswith("commonground|participants:4|statements:1|groups:3|")


def test_no_groups(export):
    with pytest.raises(ValidationError, match="group-id"):
        group_table(read_export(export / "votes.csv"))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("p.json", '{"a": 1, "b": "agree", "c": {"agree": 1, "pass": NaN}}', {"a": 1, "b": 1}),
        ("p.json", '{"a": {"agree": %s}, "b": -1}' % ("1" * 5000), {"a": {"agree": float("inf")}, "b": -1}),
        (
            "p.csv",
            "cell,agree,pass\na,1_0,0.5\nb,\u0661,1\n",
            {"a": {"agree": "1_0", "pass": 0.5}, "b": {"agree": "\u0661", "pass": 1}},
        ),
        ("p.csv", "cell,vote\na,1\nb,pass\nc,?\nd,1.0\n", {"a": 1, "b": 0, "c": "?", "d": 1}),
        (
            "p.tsv",
            "cell\tpass\tagree\na\t0.5\t\nb\tx\t1e400\n",
            {"a": {"pass": 0.5}, "b": {"pass": "x", "agree": float("inf")}},
        ),
    ],
)
def test_predictions(tmp_path, name, text, expected):
    (tmp_path / name).write_text(text)
    predictions = polis_io.read_predictions(tmp_path / name)
    assert {cell: predictions[cell] for cell in expected} == expected


def test_held_out(tmp_path):
    (tmp_path / "h.json").write_text('{"a": -1, "b": "pass", "c": 1.0}')
    (tmp_path / "h.csv").write_text("cell,vote,note\na, disagree,x\nb,0,y\nc,1,z\n")
    assert (
        polis_io.read_held_out(tmp_path / "h.json")
        == polis_io.read_held_out(tmp_path / "h.csv")
        == {"a": -1, "b": 0, "c": 1}
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("h.json", "[1]", "one JSON object"),
        ("h.json", '{"a": 2}', "cell 'a': expected a vote"),
        ("h.json", '{"a": "1"}', "got '1'"),
        ("h.json", '{"a": true}', "got True"),
        ("h.json", '{"a": NaN}', "got nan"),
        ("h.json", '{"a": 1, "a": 1}', "stands twice"),
        ("h.json", '{"a": ' + "[" * 100_000, "nested too deeply"),
        ("h.json", '{"a": ' + "1" * 5000 + "}", "cell 'a': expected a vote .* got inf"),
        ("h.csv", "cell,vote\na,2\n", "line 2: cell 'a': expected a vote"),
        ("h.csv", "cell,vote\na,1\na,1\n", "line 3: cell 'a' stands twice"),
        ("h.csv", "cell,agree\na,1\n", "missing column 'vote'"),
    ],
)
def test_bad_held_out(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputFileError, match=message):
        polis_io.read_held_out(tmp_path / name)


@pytest.mark.parametrize("header", ["cell,vote,agree", "cell,other", "cell"])
def test_predictions_of_no_known_form(tmp_path, header):
    (tmp_path / "p.csv").write_text(f"{header}\n")
    with pytest.raises(InputFileError, match="expected beside cell either vote or agree, disagree, pass"):
        polis_io.read_predictions(tmp_path / "p.csv")
