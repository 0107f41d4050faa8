import numpy as np

from tricord.units import Units


def test_figures_of_sums_of_any_shape():
    units = Units("ab", "xx", np.array([[1, 1], [0, 1]]), lambda hits, n: {"accuracy": hits / n, "n": n})
    assert len(units) == 2
    sums = np.arange(1, 13).reshape(2, 3, 2)
    found = units.figures(sums)
    assert found["accuracy"].shape == found["n"].shape == (2, 3)
    assert found["accuracy"][1, 2] == 11 / 12
    assert units.figures(units.addends.sum(axis=0))["accuracy"] == 0.5
