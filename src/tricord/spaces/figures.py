"""The pictures, as plotly figures that look well on a light and on a dark page and on a narrow screen.

Colours can be told apart by colour-blind people (after Okabe and Ito, 2008); text and grid take theirs from the page's
style sheet, so that they follow the dark mode.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from itertools import cycle

from plotly.graph_objects import Bar, Figure, Heatmap, Scatter

__all__ = ["bars", "curves", "empty", "heat_map", "points", "stacks"]

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#8C96A6"
_LINES = ((GREEN, "circle"), (ORANGE, "square"), (BLUE, "diamond"), ("#CC79A7", "cross"), ("#56B4E9", "x"))
_PARTS = (GREEN, ORANGE, GREY, BLUE, "#CC79A7")
_GRID = "rgba(128,128,128,0.22)"
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


def heat_map(counts: Mapping[str, Mapping[str, int]], names: Mapping[str, str], *, unit: str = "instances") -> Figure:
    """Draw a confusion matrix: gold labels down, predicted labels across.

    Args:
        counts: The number of units by gold label and predicted label.
        names: What to call each label, in the order to show.
        unit: What is counted, in the plural.
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
        hovertemplate=f"gold %{{y}}<br>predicted %{{x}}<br>%{{z}} {unit}<extra></extra>",
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


def bars(values: Mapping[str, int], colours: Mapping[str, str], meanings: Mapping[str, str], *, unit: str) -> Figure:
    """Draw one bar a name, from top to bottom, each with its number.

    Args:
        values: The length of each bar.
        colours: The colour of each.
        meanings: What to show under the pointer.
        unit: What is counted, in the plural.
    """
    names = list(values)
    trace = Bar(
        x=list(values.values()),
        y=[_wrapped(name) for name in names],
        orientation="h",
        marker={"color": [colours[name] for name in names], "line": {"width": 0}},
        text=[f"{value:,}" for value in values.values()],
        textposition="outside",
        cliponaxis=False,
        customdata=[html.escape(meanings[name]) for name in names],
        hovertemplate=f"%{{x}} {unit}: %{{customdata}}<extra></extra>",
    )
    figure = _figure(trace, height=340, bargap=0.35)
    figure.update_xaxes(showticklabels=False, showgrid=False, range=[0, 1.15 * max(1, *values.values())])
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return figure


def points(
    x: Sequence[float],
    y: Sequence[float],
    strength: Sequence[float],
    texts: Sequence[str],
    *,
    titles: tuple[str, str, str],
) -> Figure:
    """Draw a map of points between 0 and 1, coloured by a third value.

    Args:
        x: The n positions across.
        y: The n positions up.
        strength: The n values that colour them, in [0, 1].
        texts: What to show under the pointer for each.
        titles: What x, y and the strength are called.
    """
    trace = Scatter(
        x=x,
        y=y,
        mode="markers",
        text=[_wrapped(text, width=46) for text in texts],
        hovertemplate=f"%{{text}}<br>{titles[0]} %{{x:.2f}}, {titles[1]} %{{y:.2f}}, {titles[2]} "
        "%{marker.color:.2f}<extra></extra>",
        marker={
            "size": 13,
            "color": strength,
            "cmin": 0,
            "cmax": 1,
            "colorscale": [[0, "#56B4E9"], [0.5, "#E69F00"], [1, ORANGE]],
            "line": {"width": 1, "color": "rgba(128,128,128,0.7)"},
            "opacity": 0.85,
            "colorbar": {"title": {"text": titles[2], "side": "right"}, "thickness": 10, "outlinewidth": 0},
        },
    )
    figure = _figure(trace, height=380, xaxis_title=titles[0], yaxis_title=titles[1])
    return _unit_square(figure)


def curves(lines: Mapping[str, Sequence[tuple[float, float, int]]], *, titles: tuple[str, str]) -> Figure:
    """Draw a reliability diagram: one line a class, and the diagonal that a calibrated forecaster would follow.

    Args:
        lines: For each class its points: forecast probability, observed frequency, number of forecasts.
        titles: What the axes are called.
    """
    most = max((count for line in lines.values() for *_, count in line), default=1)
    traces = [
        Scatter(
            x=[forecast for forecast, *_ in line],
            y=[observed for _, observed, _ in line],
            customdata=[count for *_, count in line],
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 2},
            marker={"symbol": symbol, "size": [7 + 11 * (count / most) ** 0.5 for *_, count in line]},
            hovertemplate=f"{name}: forecast %{{x:.2f}}, observed %{{y:.2f}}, %{{customdata}} forecasts<extra></extra>",
        )
        for (name, line), (colour, symbol) in zip(lines.items(), cycle(_LINES), strict=False)
    ]
    diagonal = {"color": "rgba(128,128,128,0.8)", "dash": "dot", "width": 1.5}
    traces.append(Scatter(x=[0, 1], y=[0, 1], mode="lines", line=diagonal, hoverinfo="skip", showlegend=False))
    figure = _figure(*traces, height=380, xaxis_title=titles[0], yaxis_title=titles[1])
    figure.update_layout(showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0})
    return _unit_square(figure)


def stacks(names: Sequence[str], parts: Mapping[str, Sequence[int]]) -> Figure:
    """Draw one bar a name, made of parts.

    Args:
        names: The names, from top to bottom.
        parts: For each part its length in every bar.
    """
    traces = [
        Bar(
            x=lengths,
            y=[f"{name} " for name in names],
            name=part,
            orientation="h",
            marker={"color": colour, "line": {"width": 0}},
            hovertemplate=f"%{{y}}: %{{x}} {part}<extra></extra>",
        )
        for (part, lengths), colour in zip(parts.items(), cycle(_PARTS), strict=False)
    ]
    figure = _figure(*traces, height=120 + 24 * max(4, len(names)), barmode="stack", bargap=0.3)
    figure.update_layout(
        showlegend=True, legend={"orientation": "h", "traceorder": "normal", "y": 1.0, "yanchor": "bottom", "x": 0}
    )
    figure.update_xaxes(
        gridcolor=_GRID, dtick=1 if max(map(sum, zip(*parts.values(), strict=True)), default=0) < 9 else None
    )
    figure.update_yaxes(autorange="reversed", type="category", showgrid=False)
    return figure


def empty(text: str) -> Figure:
    """Draw nothing, and say what would be here."""
    figure = _figure(height=380)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    figure.add_annotation(text=_wrapped(text, width=40), showarrow=False, x=0.5, y=0.5, xref="paper", yref="paper")
    return figure


def _unit_square(figure: Figure) -> Figure:
    for update in (figure.update_xaxes, figure.update_yaxes):
        update(range=[-0.04, 1.04], dtick=0.25, gridcolor=_GRID, tickformat=".2~f")
    return figure


def _wrapped(name: str, width: int = 18) -> str:
    """Break a name into lines, so that it leaves room for the bar on a narrow screen."""
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "<br>".join(map(html.escape, lines))
