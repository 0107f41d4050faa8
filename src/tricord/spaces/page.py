"""The page that all metrics share: a table to try, uploads, scores, pictures, the list of errors, downloads.

A task describes its page by a `Page` and gives functions that turn rows or files into a `Result`; what the page looks like
and how it behaves is decided here, once.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.events import api
from plotly.graph_objects import Figure

from tricord.errors import TricordError, ValidationError
from tricord.outputs import to_json
from tricord.reports import Report
from tricord.spaces import markup
from tricord.spaces.markup import Score

__all__ = ["Choice", "Errors", "Explanations", "Page", "Result", "Upload", "add_page"]

PAGE_ROWS = 10
ALL_KINDS = "all kinds"
TABLE, FILES = "table", "files"

Rows = list[list[Any]]


@dataclass(frozen=True)
class Upload:
    """A file that the page takes.

    Attributes:
        name: The name of the parameter of the endpoint.
        label: What the control is called.
        suffixes: The kinds of files that the dialogue offers.
        optional: Whether it can be left out.
    """

    name: str
    label: str
    suffixes: Sequence[str]
    optional: bool = False


@dataclass(frozen=True)
class Choice:
    """An option that changes how files or rows are scored.

    Attributes:
        name: The name of the parameter.
        label: What the control is called.
        info: One line on what it does.
        value: The default: True or False for a check box, one of `values` otherwise.
        values: The values of a list to choose from.
        files_only: Whether it says how files are read, so that it stands beside them.
    """

    name: str
    label: str
    info: str
    value: Any
    values: Sequence[Any] = ()
    files_only: bool = False


@dataclass(frozen=True)
class Errors:
    """The list that a user filters and pages through.

    Attributes:
        headers: The names of the columns; the first column of each row is its kind.
        rows: All rows, as text.
        total: How many errors there are, where the list holds only the first of them.
    """

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    total: int


NO_ERRORS = Errors(("kind",), (), total=0)


@dataclass(frozen=True)
class Explanations:
    """Items that can be looked at one by one.

    Attributes:
        names: What to choose from.
        explain: Gives the markup of one item.
    """

    names: Sequence[str]
    explain: Callable[[str], str]


@dataclass(frozen=True)
class Result:
    """What a page shows after scoring.

    Attributes:
        scores: The headline, in the order of importance.
        signature: What the figures depend on.
        figures: One for each of the page's pictures.
        errors: The list of errors, where the page has one.
        report: Makes the full report, for `report.json` and the endpoint; called when it is asked for.
        downloads: For each other file name what makes its text.
        explanations: Items to look at, where the page has them.
        note: A line under the scores, in plain text.
    """

    scores: Sequence[Score]
    signature: str
    report: Callable[[], dict[str, Any]]
    figures: Sequence[Figure] = ()
    errors: Errors = NO_ERRORS
    downloads: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    explanations: Explanations | None = None
    note: str = ""

    @classmethod
    def of(cls, report: Report, **parts: Any) -> Result:
        """Show a report: its figures under their own names, unless `parts`, the other attributes, say otherwise."""
        scores = [Score(name, value, "") for name, value in report.figures().items()]
        return cls(**{"scores": scores, "signature": report.signature, "report": report.to_dict, **parts})


@dataclass(frozen=True)
class Page:
    """One metric's page.

    Attributes:
        name: The name of the module; endpoints are called after it.
        title: The heading.
        summary: What the metric measures, in two sentences.
        headers: The columns of the table.
        example: Its rows at the start.
        table_help: One line on how to fill the table.
        score_rows: Scores the rows of the table, given the choices by name.
        uploads: The files that the page takes.
        upload_help: One line on the files.
        score_files: Scores uploaded files, given their paths (None where left out) and the choices by name.
        figures: For each picture its heading and a line on how to read it.
        endpoint: A typed function that scores plain values, served as the endpoint of the page's name.
        errors_title: What the list of errors is called; "" where there is none.
        downloads: The file names of `Result.downloads`.
        wanting: Says what has to be uploaded before files can be scored, given the paths; "" when they can. By default all
            that is not optional.
        choices: The options.
        explanations_title: The heading of `Result.explanations`, where there are any.
    """

    name: str
    title: str
    summary: str
    headers: Sequence[str]
    example: Rows
    table_help: str
    score_rows: Callable[..., Result]
    uploads: Sequence[Upload]
    upload_help: str
    score_files: Callable[..., Result]
    endpoint: Callable[..., dict[str, Any]]
    figures: Sequence[tuple[str, str]] = ()
    errors_title: str = ""
    downloads: Sequence[str] = ()
    wanting: Callable[..., str] | None = None
    choices: Sequence[Choice] = ()
    explanations_title: str = ""

    def missing(self, *paths: str | None) -> str:
        """Say what has to be uploaded before files can be scored; "" when they can."""
        if self.wanting is not None:
            return self.wanting(*paths)
        needed = zip(self.uploads, paths, strict=True)
        labels = [upload.label for upload, path in needed if not (path or upload.optional)]
        return f"Upload first: {', '.join(labels)}" if labels else ""


def add_page(page: Page) -> None:
    """Add the components and endpoints of a page to the `gr.Blocks` that is being built."""
    first = page.score_rows(page.example, **{choice.name: choice.value for choice in page.choices})
    gr.HTML(markup.heading(page.title, page.summary), padding=False)
    source, result = gr.State(TABLE), gr.State(replace(first, figures=()))
    with gr.Tabs():
        with gr.Tab("Try it"):
            table, score_table, reset = _add_table(page)
        with gr.Tab("Upload files"):
            files, score_files = _add_uploads(page)
            choices_of = _add_choices(page, files_only=True)
    choices_of |= _add_choices(page, files_only=False)
    choices = [choices_of[choice.name] for choice in page.choices]
    headline = gr.HTML(_headline(first), padding=False, elem_id=f"{page.name}-scores")
    plots = _add_figures(page, first)
    lists = [*_add_explanations(page, result, first), *_add_errors(page, result, first)]
    _add_downloads(page, result)

    inputs, outputs = [table, *files, *choices], [source, result, headline, *plots, *lists]

    def score(from_where: str, rows: Rows, *values: Any) -> Any:
        paths, chosen = values[: len(files)], values[len(files) :]
        try:
            scored = _score(page, from_where, rows, paths, chosen)
        except TricordError as error:
            # A toast, and nothing else changes: raising would leave a mark on every output.
            gr.Warning(html.escape(_shown(error, paths)), duration=15)
            return [gr.skip()] * len(outputs)
        return [
            from_where,
            replace(scored, figures=()),
            _headline(scored),
            *scored.figures,
            *_explanations_shown(scored),
            *(_errors_shown(scored) if page.errors_title else ()),
        ]

    def score_when_complete(rows: Rows, *values: Any) -> Any:
        ready = not page.missing(*values[: len(files)])
        return score(FILES, rows, *values) if ready else [gr.skip()] * len(outputs)

    def score_edit(before: Rows, rows: Rows, *values: Any) -> list[Any]:
        changes = [gr.skip()] * len(outputs) if rows == before else score(TABLE, rows, *values)
        return [rows, *changes]

    # What is changed while the last change is being answered is answered next, not dropped.
    shared: dict[str, Any] = {
        "show_progress_on": [headline],
        "trigger_mode": "always_last",
        "api_visibility": "private",
    }
    # Gradio tells of an edit twice. One at a time, so that the second sees what the first has seen, and is passed over.
    edited = gr.State(page.example)
    table.input(score_edit, [edited, *inputs], [edited, *outputs], concurrency_limit=1, **shared)
    score_table.click(partial(score, TABLE), inputs, outputs, **shared)
    score_files.click(partial(score, FILES), inputs, outputs, **shared)
    gr.on([file.upload for file in files], score_when_complete, inputs, outputs, **shared)
    if choices:
        gr.on([choice.input for choice in choices], score, [source, *inputs], outputs, **shared)
    reset.click(lambda: page.example, None, table, api_visibility="private").then(
        partial(score, TABLE), inputs, outputs, **shared
    )
    _add_endpoints(page, files, choices)


def _score(page: Page, from_where: str, rows: Rows, paths: Sequence[str | None], chosen: Sequence[Any]) -> Result:
    choices = {choice.name: value for choice, value in zip(page.choices, chosen, strict=True)}
    if from_where == FILES:
        if wanted := page.missing(*paths):
            raise ValidationError(wanted)
        if gone := [Path(path).name for path in filter(None, paths) if not Path(path).exists()]:
            raise ValidationError(
                f"{' and '.join(gone)}: no longer kept, uploads are deleted after a while; upload again"
            )
        return page.score_files(*paths, **choices)
    filled = [row for row in rows if any(str(cell).strip() for cell in row)]
    if not filled:
        raise ValidationError("The table has no rows; fill one, or reset the example")
    return page.score_rows(filled, **choices)


def _shown(error: TricordError, paths: Sequence[str | None]) -> str:
    """Give the message with the names of the files as the user knows them, not where the server keeps them."""
    message = str(error)
    for path in filter(None, paths):
        message = message.replace(path, Path(path).name)
    return message


def _headline(result: Result) -> str:
    return markup.score_cards(result.scores, result.signature, result.note)


def _add_table(page: Page) -> tuple[gr.Dataframe, gr.Button, gr.Button]:
    table = gr.Dataframe(
        page.example,
        headers=list(page.headers),
        column_count=len(page.headers),
        type="array",
        interactive=True,
        max_height=360,
        label=page.table_help,
        buttons=[],
        elem_id=f"{page.name}-table",
    )
    with gr.Row(elem_classes="tc-buttons"):
        score = gr.Button("Score the table", variant="primary", elem_id=f"{page.name}-score-table")
        reset = gr.Button("Reset the example", elem_id=f"{page.name}-reset")
    return table, score, reset


def _path(payload: Any) -> str | None:
    return payload.path if payload else None


def _add_uploads(page: Page) -> tuple[list[gr.File], gr.Button]:
    gr.HTML(markup.notice(page.upload_help), padding=False)
    with gr.Row():
        files = [
            gr.File(
                label=f"{upload.label} (optional)" if upload.optional else upload.label,
                file_types=list(upload.suffixes),
                height=150,
                min_width=220,
                elem_id=f"{page.name}-{upload.name}",
            )
            for upload in page.uploads
        ]
    for file in files:
        # The method itself leaves an empty file behind at each call.
        file.preprocess = _path
    with gr.Row(elem_classes="tc-buttons"):
        score = gr.Button("Score the files", variant="primary", elem_id=f"{page.name}-score-files")
    return files, score


def _add_choices(page: Page, *, files_only: bool) -> dict[str, Any]:
    wanted = [choice for choice in page.choices if choice.files_only == files_only]
    with gr.Row(visible=bool(wanted)):
        return {choice.name: _choice(page, choice) for choice in wanted}


def _choice(page: Page, choice: Choice) -> Any:
    shared = {
        "label": choice.label,
        "info": choice.info,
        "value": choice.value,
        "elem_id": f"{page.name}-{choice.name}",
    }
    if isinstance(choice.value, bool):
        return gr.Checkbox(**shared)
    return gr.Radio(list(choice.values), **shared)


def _add_figures(page: Page, result: Result) -> list[gr.Plot]:
    plots = []
    with gr.Row(elem_classes="tc-figures"):
        for number, ((title, reading), figure) in enumerate(zip(page.figures, result.figures, strict=True)):
            with gr.Column(min_width=320):
                gr.HTML(markup.section(title, reading), padding=False)
                plots.append(
                    gr.Plot(
                        figure, show_label=False, label=title, elem_id=f"{page.name}-figure-{number}", container=False
                    )
                )
    return plots


def _add_explanations(page: Page, result: gr.State, first: Result) -> list[Any]:
    """Add the choice of an item and its explanation; nothing where the page has none."""
    if first.explanations is None:
        return []
    names = list(first.explanations.names)
    gr.HTML(markup.section(page.explanations_title, ""), padding=False)
    item = gr.Dropdown(names, value=names[0], label="Show", elem_id=f"{page.name}-item")
    shown = gr.HTML(first.explanations.explain(names[0]), padding=False, elem_id=f"{page.name}-explanation")
    item.input(lambda own, name: own.explanations.explain(name), [result, item], shown, api_visibility="private")
    return [item, shown]


def _explanations_shown(result: Result) -> list[Any]:
    if result.explanations is None:
        return []
    names = list(result.explanations.names)
    return [gr.update(choices=names, value=names[0]), result.explanations.explain(names[0])]


def _add_errors(page: Page, result: gr.State, first: Result) -> list[Any]:
    """Add the list of errors and what filters and turns it; nothing where the page has none."""
    if not page.errors_title:
        return []
    table, number, has_previous, has_next = _error_page(first.errors, ALL_KINDS, "", 1)
    gr.HTML(markup.section(page.errors_title, ""), padding=False)
    with gr.Row():
        kind = gr.Dropdown(
            _kinds(first), value=ALL_KINDS, label="Kind", filterable=False, min_width=200, elem_id=f"{page.name}-kind"
        )
        words = gr.Textbox(
            label="Contains",
            placeholder="part of an id or text",
            max_lines=1,
            min_width=200,
            elem_id=f"{page.name}-contains",
        )
    shown = gr.HTML(table, padding=False, elem_id=f"{page.name}-errors")
    with gr.Row(elem_classes="tc-buttons"):
        back = gr.Button("Previous page", interactive=has_previous, size="sm", elem_id=f"{page.name}-previous")
        forward = gr.Button("Next page", interactive=has_next, size="sm", elem_id=f"{page.name}-next")
    at = gr.State(number)

    def turn(by: int | None, own: Result, chosen: str, text: str, now: int) -> list[Any]:
        return _error_updates(own, chosen, text, 1 if by is None else now + by)

    inputs, outputs = [result, kind, words, at], [shown, at, back, forward]
    shared: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
    gr.on([kind.input, words.input], partial(turn, None), inputs, outputs, trigger_mode="always_last", **shared)
    back.click(partial(turn, -1), inputs, outputs, **shared)
    forward.click(partial(turn, 1), inputs, outputs, **shared)
    return [kind, words, *outputs]


def _kinds(result: Result) -> list[str]:
    return [ALL_KINDS, *sorted({row[0] for row in result.errors.rows})]


def _errors_shown(result: Result) -> list[Any]:
    """Show a new list from its start: the kinds to choose from, an empty search, the first page."""
    return [gr.update(choices=_kinds(result), value=ALL_KINDS), "", *_error_updates(result, ALL_KINDS, "", 1)]


def _error_updates(result: Result, kind: str, search: str, number: int) -> list[Any]:
    table, number, has_previous, has_next = _error_page(result.errors, kind, search, number)
    return [table, number, gr.update(interactive=has_previous), gr.update(interactive=has_next)]


def _error_page(errors: Errors, kind: str, search: str, number: int) -> tuple[str, int, bool, bool]:
    """Lay out one page of the rows that match; give its number, and whether there are pages before and after it."""
    words = search.strip().casefold()
    rows = [
        row
        for row in errors.rows
        if kind in (ALL_KINDS, row[0]) and (not words or any(words in cell.casefold() for cell in row))
    ]
    last = max(1, -(-len(rows) // PAGE_ROWS))
    number = min(max(1, number), last)
    start = (number - 1) * PAGE_ROWS
    shown = rows[start : start + PAGE_ROWS]
    caption = f"{start + 1:,} to {start + len(shown):,} of {len(rows):,}" if rows else "Nothing to list."
    if errors.total > len(errors.rows):
        caption += f" (the first {len(errors.rows):,} of {errors.total:,} can be looked through)"
    return markup.table(caption, errors.headers, shown), number, number > 1, number < last


# The browser saves the text itself, so the server keeps no file.
_SAVE = """(text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], {type: "text/plain"}));
    link.download = %s;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}"""


def _add_downloads(page: Page, result: gr.State) -> None:
    text = gr.Textbox(visible=False)
    with gr.Row(elem_classes="tc-buttons tc-downloads"):
        for name in ("report.json", *page.downloads):
            button = gr.Button(f"Download {name}", size="sm", elem_id=f"{page.name}-download-{name.replace('.', '-')}")
            button.click(partial(_text_of, name), result, text, api_visibility="private").then(
                None, text, None, js=_SAVE % json.dumps(name)
            )


def _text_of(name: str, result: Result) -> str:
    return to_json(result.report()) if name == "report.json" else result.downloads[name]()


def _add_endpoints(page: Page, files: Sequence[gr.File], choices: Sequence[Any]) -> None:
    """Serve the page's two functions to programs: plain values, and files."""
    api(_endpoint(page), api_name=page.name)

    def score_uploads(*values: Any) -> dict[str, Any]:
        paths, chosen = values[: len(files)], values[len(files) :]
        try:
            return _score(page, FILES, [], paths, chosen).report()
        except TricordError as error:
            raise gr.Error(_shown(error, paths), print_exception=False) from None

    # The names and defaults of an endpoint's parameters are those of the function.
    kind, required = Parameter.POSITIONAL_OR_KEYWORD, Parameter.empty
    parameters = [
        *(Parameter(own.name, kind, default=None if own.optional else required) for own in page.uploads),
        *(Parameter(own.name, kind, default=own.value) for own in page.choices),
    ]
    score_uploads.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    score_uploads.__name__ = f"{page.name}_files"  # also that of the MCP tool
    score_uploads.__doc__ = f"{page.summary} Scores files: {', '.join(upload.label for upload in page.uploads)}."
    gr.Button(visible=False).click(
        score_uploads, [*files, *choices], gr.JSON(visible=False), api_name=f"{page.name}_files"
    )


def _endpoint(page: Page) -> Callable[..., dict[str, Any]]:
    """Give the typed function of a page its name, and let its errors reach the caller with their message."""

    @wraps(page.endpoint)
    def endpoint(*arguments: Any, **keywords: Any) -> dict[str, Any]:
        try:
            return page.endpoint(*arguments, **keywords)
        except TricordError as error:
            raise gr.Error(str(error), print_exception=False) from None

    endpoint.__name__ = page.name
    return endpoint
