"""Statistics of 2,000 participants x 1,000 statements: matrix form against single calls and against red-dwarf.

    pip install 'tricord[bench]' && python3 benchmarks/bench_commonground_matrix.py

Bars: at least 50 times faster than looping the single-call functions over the columns; no slower than red-dwarf for the
counts and tests of groups that both compute, on the same float matrix, after checking that the figures are the same.
Also shows that separation is in closed form: its time for one long column against that of counting the column.
"""

import sys

import numpy as np

from measure import Verdict, best_seconds
from tricord.commonground import cluster_separation, comment_stats, count_votes, matrix, vote_entropy

PARTICIPANTS, STATEMENTS, GROUPS = 2000, 1000, 4
LOOP_BAR, PEER_BAR = 50.0, 1.0
# What red-dwarf calls our columns, in the order of its result, agree before disagree.
PEER_NAMES = (("seen",), ("agree", "disagree"), ("pa", "pd"), ("ra", "rd"), ("pat", "pdt"), ("rat", "rdt"))


def make_votes():
    rng = np.random.default_rng(0)
    coded = rng.choice([1, -1, 0, matrix.MISSING], (PARTICIPANTS, STATEMENTS), p=[0.3, 0.2, 0.1, 0.4]).astype(np.int8)
    return coded, np.where(coded == matrix.MISSING, np.nan, coded), rng.integers(0, GROUPS, PARTICIPANTS)


def loop(columns):
    return [
        {**comment_stats(own), "entropy": vote_entropy(own), "separation": cluster_separation(own)} for own in columns
    ]


def against_single_calls(verdict, coded, floats):
    columns = [[None if vote == matrix.MISSING else vote for vote in own] for own in coded.T.tolist()]
    expected = loop(columns)
    looped = best_seconds(lambda: loop(columns), rounds=3)
    for kind, votes in (("int8", coded), ("float64 with NaN", floats)):
        table = matrix.statement_stats(votes)
        assert all(table[name].tolist() == [row[name] for row in expected] for name in expected[0])
        own = best_seconds(lambda votes=votes: matrix.statement_stats(votes), rounds=20)
        verdict.claim(
            f"statement_stats, {kind}: {looped / own:.0f} times faster than single calls ({own * 1e3:.2f} against "
            f"{looped * 1e3:.0f} ms), bar {LOOP_BAR:g}",
            looped / own >= LOOP_BAR,
        )


def separation(verdict):
    votes = [1, -1, 0, None] * 250_000
    counting = best_seconds(lambda: count_votes(votes))
    own = best_seconds(lambda: cluster_separation(votes))
    verdict.claim(
        f"cluster_separation of 10**6 votes: {own / counting:.2f} times the time of counting them, bar 1.5",
        own <= 1.5 * counting,
    )


def against_red_dwarf(verdict, coded, floats, groups):
    try:
        import pandas as pd
        from reddwarf.utils.stats import calculate_comment_statistics
    except ImportError as error:
        sys.exit(f"red-dwarf is missing ({error}); this comparison needs it: pip install 'tricord[bench]'")
    frame, labels = pd.DataFrame(floats), groups.tolist()
    check_same_figures(calculate_comment_statistics(frame, labels), matrix.group_stats(floats, groups))
    theirs = best_seconds(lambda: calculate_comment_statistics(frame, labels), rounds=10)
    for kind, votes in (("float64 with NaN", floats), ("int8", coded)):
        own = best_seconds(lambda votes=votes: matrix.group_stats(votes, groups), rounds=20)
        verdict.claim(
            f"group_stats, {kind}: {theirs / own:.1f} times faster than red-dwarf ({own * 1e3:.2f} against "
            f"{theirs * 1e3:.1f} ms), bar {PEER_BAR:g}",
            theirs / own >= PEER_BAR,
        )


def check_same_figures(theirs, own):
    for names, table in zip(
        PEER_NAMES, theirs, strict=False
    ):  # its last table, consensus over groups, is no figure of ours
        tables = [table] if len(names) == 1 else table
        for name, expected in zip(names, tables, strict=True):
            found = np.stack([own[group][name] for group in range(GROUPS)])
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


if __name__ == "__main__":
    coded, floats, groups = make_votes()
    verdict = Verdict(f"Statistics of {PARTICIPANTS:,} participants x {STATEMENTS:,} statements")
    against_single_calls(verdict, coded, floats)
    separation(verdict)
    against_red_dwarf(verdict, coded, floats, groups)
    verdict.finish()
