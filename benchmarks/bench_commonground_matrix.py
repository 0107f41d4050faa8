"""Statistics of 2,000 participants x 1,000 statements: matrix form against single calls and against red-dwarf.

    pip install 'tricord[bench]' && python3 benchmarks/bench_commonground_matrix.py

Bars: at least 50 times faster than looping the single-call functions over the columns; no slower than red-dwarf for the
counts and tests of groups that both compute, on the same float matrix, after checking that the figures are the same.
Also shows that separation is in closed form: its time for one long column against that of counting the column.
"""

import sys
import timeit

import numpy as np

from tricord.commonground import cluster_separation, comment_stats, count_votes, matrix, vote_entropy

PARTICIPANTS, STATEMENTS, GROUPS = 2000, 1000, 4
LOOP_BAR, PEER_BAR = 50.0, 1.0
# What red-dwarf calls our columns, in the order of its result, agree before disagree.
PEER_NAMES = (("seen",), ("agree", "disagree"), ("pa", "pd"), ("ra", "rd"), ("pat", "pdt"), ("rat", "rdt"))


def seconds(function, repeat):
    return min(timeit.repeat(function, number=1, repeat=repeat))


def make_votes():
    rng = np.random.default_rng(0)
    coded = rng.choice([1, -1, 0, matrix.MISSING], (PARTICIPANTS, STATEMENTS), p=[0.3, 0.2, 0.1, 0.4]).astype(np.int8)
    return coded, np.where(coded == matrix.MISSING, np.nan, coded), rng.integers(0, GROUPS, PARTICIPANTS)


def loop(columns):
    return [
        {**comment_stats(own), "entropy": vote_entropy(own), "separation": cluster_separation(own)} for own in columns
    ]


def against_single_calls(coded, floats):
    columns = [[None if vote == matrix.MISSING else vote for vote in own] for own in coded.T.tolist()]
    expected = loop(columns)
    for votes in (coded, floats):
        table = matrix.statement_stats(votes)
        assert all(table[name].tolist() == [row[name] for row in expected] for name in expected[0])
    looped = seconds(lambda: loop(columns), 3)
    ratios = []
    for name, votes in (("int8", coded), ("float64 with NaN", floats)):
        own = seconds(lambda votes=votes: matrix.statement_stats(votes), 15)
        ratios.append(looped / own)
        print(
            f"statement_stats, {name}: {own * 1e3:.2f} ms, single calls {looped * 1e3:.0f} ms: {looped / own:.0f} times faster"
        )
    return min(ratios)


def against_red_dwarf(coded, floats, groups):
    try:
        import pandas as pd
        from reddwarf.utils.stats import calculate_comment_statistics
    except ImportError as error:
        sys.exit(f"red-dwarf is missing ({error}); this benchmark needs the extra: pip install 'tricord[bench]'")
    frame, labels = pd.DataFrame(floats), groups.tolist()
    peer = dict(zip(PEER_NAMES, calculate_comment_statistics(frame, labels), strict=False))
    own = matrix.group_stats(floats, groups)
    for names, table in peer.items():
        for at, name in enumerate(names):
            stacked = np.stack([own[group][name] for group in range(GROUPS)])
            np.testing.assert_allclose(stacked, table if len(names) == 1 else table[at], rtol=1e-12, atol=1e-12)
    theirs = seconds(lambda: calculate_comment_statistics(frame, labels), 9)
    ratios = []
    for name, votes in (("float64 with NaN", floats), ("int8", coded)):
        ours = seconds(lambda votes=votes: matrix.group_stats(votes, groups), 15)
        ratios.append(theirs / ours)
        print(
            f"group_stats, {name}: {ours * 1e3:.2f} ms, red-dwarf {theirs * 1e3:.1f} ms: {theirs / ours:.1f} times faster"
        )
    return min(ratios)


def separation():
    votes = [1, -1, 0, None] * 250_000
    counting, own = seconds(lambda: count_votes(votes), 5), seconds(lambda: cluster_separation(votes), 5)
    print(
        f"cluster_separation of 10**6 votes: {own * 1e3:.1f} ms, {own / counting:.2f} times the time of counting them"
    )
    return own / counting


if __name__ == "__main__":
    coded, floats, groups = make_votes()
    missed = [
        name
        for name, reached in (
            ("single calls", against_single_calls(coded, floats) >= LOOP_BAR),
            ("separation in closed form", separation() <= 1.5),
            ("red-dwarf", against_red_dwarf(coded, floats, groups) >= PEER_BAR),
        )
        if not reached
    ]
    sys.exit(f"missed: {', '.join(missed)}" if missed else 0)
