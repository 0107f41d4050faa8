"""Random valid references, predictions and ways to lay them out as files, for hypothesis."""

import csv
import io

from hypothesis import strategies as st

from dico_nli.naive import LABELS, REVERSE, twin

LANGUAGES = ["en", "es", "eu"]
TAGS = [("original", "flipped"), ("forward", "reverse")]
TEXTS = ["Ship", "a, b", 'say "no"', "two\nlines", "two\r\nlines", "", " padded ", "etxea ñ", "x\ty", "\u2028", "🚢"]


@st.composite
def references(draw):
    """Rows as dicts: monolingual or mixed, both tag families, shuffled, with singletons and unlinked reversible rows."""
    tags = draw(st.sampled_from(TAGS))
    languages = draw(st.sampled_from([["en"], ["es"], LANGUAGES]))
    directions = [(a, b) for a in languages for b in languages]
    rows = []
    for number in range(draw(st.integers(1, 8))):
        pair_id = draw(st.sampled_from(["p", "dico_phrasis_000", "ñ__x-"])) + str(number)
        for first, second in draw(st.lists(st.sampled_from(directions), min_size=1, max_size=4, unique=True)):
            instance_id = f"{pair_id}__{first}-{second}__{tags[0]}"
            rows += draw(_instance(instance_id, pair_id))
    if not any(row["reverse_pair_id"] for row in rows):
        rows += _linked(f"last__en-es__{tags[0]}", "last", draw(st.sampled_from(list(REVERSE))))
    return draw(st.permutations(rows))


@st.composite
def _instance(draw, instance_id, pair_id):
    kind = draw(st.sampled_from(["linked", "linked", "linked", "negative", "unlinked"]))
    if kind == "negative":
        return [_row(instance_id, pair_id, "", "NEGATIVE_OTHER")]
    label = draw(st.sampled_from(list(REVERSE)))
    if kind == "unlinked":
        return [_row(instance_id, pair_id, "", label)]
    return _linked(instance_id, pair_id, label)


def _linked(instance_id, pair_id, label):
    other = twin(instance_id)
    return [_row(instance_id, pair_id, other, label), _row(other, pair_id, instance_id, REVERSE[label])]


def _row(instance_id, pair_id, reverse_pair_id, label):
    return {"instance_id": instance_id, "pair_id": pair_id, "reverse_pair_id": reverse_pair_id, "label": label}


@st.composite
def predictions_for(draw, rows):
    """A label for every row: wholly random, or right but for a few."""
    random = st.sampled_from(LABELS)
    if draw(st.booleans()):
        return {row["instance_id"]: draw(random) for row in rows}
    return {row["instance_id"]: row["label"] if draw(st.integers(0, 3)) else draw(random) for row in rows}


@st.composite
def reference_files(draw, rows):
    """The bytes of a reference file in one of the many allowed layouts."""
    columns = draw(st.permutations(["instance_id", "pair_id", "reverse_pair_id", "label"]))
    table = [dict(row) for row in rows]
    for extra in draw(st.lists(st.sampled_from(["text1", "text2", "text1_lang"]), unique=True)):
        columns.insert(draw(st.integers(0, len(columns))), extra)
        for row in table:
            row[extra] = draw(st.sampled_from(TEXTS))
    return draw(_laid_out(columns, table))


@st.composite
def prediction_files(draw, predictions):
    """The bytes of a prediction file: rows in any order, columns in any order."""
    rows = [{"instance_id": name, "label": label} for name, label in predictions.items()]
    return draw(_laid_out(draw(st.permutations(["instance_id", "label"])), draw(st.permutations(rows))))


@st.composite
def _laid_out(draw, columns, rows):
    line_end = draw(st.sampled_from(["\n", "\r\n"]))
    out = io.StringIO(newline="")
    writer = csv.writer(
        out,
        delimiter=draw(st.sampled_from(",\t")),
        lineterminator=line_end,
        quoting=draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
    )
    padding = draw(st.sampled_from(["", " "]))
    out.write(draw(st.sampled_from(["", line_end])))
    writer.writerow([padding + name for name in columns])
    for row in rows:
        writer.writerow([row[name] + padding if name == "label" else row[name] for name in columns])
        if draw(st.integers(0, 9)) == 0:
            out.write(line_end)
    text = out.getvalue()
    if draw(st.booleans()):
        text = text.removesuffix(line_end)
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode()
