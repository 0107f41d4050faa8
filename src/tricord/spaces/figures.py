"""The pictures, as plotly figures that look well on a light and on a dark page and on a narrow screen.

Colours can be told apart by colour-blind people (after Okabe and Ito, 2008); text and grid take theirs from the page's
style sheet, so that they follow the dark mode.
"""

from __future__ import annotations

import html
from collections.abc import Mapping

from plotly.graph_objects import Bar, Figure, Heatmap

__all__ = ["bars", "heat_map"]

BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#A0568C"
# From nearly nothing to the accent; readable under dark and light numbers.
_SCALE = [[0.0, "rgba(120,140,170,0.10)"], [1.0, BLUE]]


def _figure(*traces: object, height: int, **layout: object) -> Figure:
    figure = Figure(list(traces))
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 12, "t": 8, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "system-ui, sans-serif", "size": 12},
        showlegend=False,
        dragmode=False,
        **layout,
    )
    figure.update_xaxes(automargin=True, fixedrange=True, zeroline=False)
    figure.update_yaxes(automargin=True, fixedrange=True, zeroline=False)
    return figure


def heat_map(counts: Mapping[str, Mapping[str, int]], names: Mapping[str, str]) -> Figure:
    """Draw a confusion matrix: gold labels down, predicted labels across.

    Args:
        counts: The number of instances by gold label and predicted label.
        names: What to call each label, in the order to show.
    """
    values = [[counts[gold][predicted] for predicted in names] for gold in names]
    shown = list(names.values())
    trace = Heatmap(
        z=values,
        x=shown,
        y=shown,
        colorscale=_SCALE,
        showscale=False,
        xgap=3,
        ygap=3,
        hovertemplate="gold %{y}<br>predicted %{x}<br>%{z} instances<extra></extra>",
    )
    figure = _figure(trace, height=340, xaxis_title="predicted", yaxis_title="gold")
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(showgrid=False, tickangle=0)
    most = max(map(max, values), default=0)
    for gold, row in zip(shown, values, strict=True):
        for predicted, value in zip(shown, row, strict=True):
            # On a dark cell the number is white whatever the page's colours; on a pale one it follows the page.
            font = {"size": 15, "color": "#ffffff"} if value > most / 2 else {"size": 15}
            figure.add_annotation(x=predicted, y=gold, text=f"{value:,}", showarrow=False, font=font)
    return figure


def bars(values: Mapping[str, int], colours: Mapping[str, str], meanings: Mapping[str, str]) -> Figure:
    """Draw one bar a name, from top to bottom, each with its number.

    Args:
        values: The length of each bar.
        colours: The colour of each.
        meanings: What to show under the pointer.
    """
    names = list(values)
    trace = Bar(
        x=list(values.values()),
        y=[_wrapped(name) for name in names],
        orientation="h",
        marker={"color": [colours[name] for name in names]},
        text=[f"{value:,}" for value in values.values()],
        textposition="outside",
        cliponaxis=False,
        customdata=[html.escape(meanings[name]) for name in names],
        hovertemplate="%{x} pairs: %{customdata}<extra></extra>",
    )
    figure = _figure(trace, height=340, bargap=0.35)
    figure.update_xaxes(showticklabels=False, showgrid=False, range=[0, 1.15 * max(1, *values.values())])
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return figure


def _wrapped(name: str, width: int = 18) -> str:
    """Break a name into lines, so that it leaves room for the bar on a narrow screen."""
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "<br>".join(map(html.escape, lines))
