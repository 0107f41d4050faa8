"""Building an app from pages and serving it: what `tricord app` and the `app.py` of every Space call."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import gradio as gr

from tricord.errors import ValidationError
from tricord.spaces.page import Page, add_page
from tricord.tasks import checked_names, task_of_module

__all__ = ["build_app", "launch_options", "page_of", "serve"]

MAX_UPLOAD = "64mb"
KEPT_SECONDS = 1800
# Scoring is arithmetic, which one interpreter does one after another; a few at once keep short jobs from waiting.
PARALLEL = 4
# The result of each open page is kept in memory, for the list of errors and the downloads.
MAX_SESSIONS = 500


def build_app(names: Sequence[str] = (), *, kept_seconds: int = KEPT_SECONDS) -> gr.Blocks:
    """Build the app of one metric, or of several in tabs.

    Args:
        names: The metrics; all of them where left out.
        kept_seconds: How long an uploaded file stays on the server at most, unless the server stops before.

    Returns:
        The app, to be launched.

    Raises:
        ValidationError: There is no metric of a name, or it has no page.
    """
    pages = [page_of(name) for name in checked_names(names or None)]
    title = pages[0].title if len(pages) == 1 else "tricord"
    sweep = (max(1, kept_seconds // 10), kept_seconds)
    app: gr.Blocks
    with gr.Blocks(title=title, analytics_enabled=False, delete_cache=sweep) as app:
        if len(pages) == 1:
            add_page(pages[0])
        else:
            with gr.Tabs(elem_id="metrics"):
                for page in pages:
                    with gr.Tab(page.title, id=page.name):
                        add_page(page)
    app.queue(default_concurrency_limit=PARALLEL)
    return app


def page_of(name: str) -> Page:
    """Give the description of a metric's page.

    Raises:
        ValidationError: There is no metric of that name, or it has no page.
    """
    home = task_of_module(name).part("page")
    try:
        page: Page = import_module(home).PAGES[name]
    except (ModuleNotFoundError, KeyError) as error:
        if isinstance(error, ModuleNotFoundError) and error.name != home:
            raise
        raise ValidationError(f"The metric {name} has no page") from None
    return page


def serve(names: Sequence[str] = (), *, mcp: bool = False, **options: Any) -> None:
    """Build an app and serve it until it is interrupted.

    Args:
        names: The metrics; all of them where left out.
        mcp: Whether to serve the endpoints as MCP tools too; needs the extra `mcp`.
        **options: Passed on to `gr.Blocks.launch`: `server_name`, `server_port`, `inbrowser`, ...

    Raises:
        ValidationError: There is no metric of a name.
    """
    build_app(names).launch(**launch_options(mcp=mcp), **options)


def launch_options(*, mcp: bool = False) -> dict[str, Any]:
    """Give the options of `gr.Blocks.launch` that make the app look and behave as it should."""
    return {
        "theme": _theme(),
        "css_paths": [Path(__file__).with_name("style.css")],
        "max_file_size": MAX_UPLOAD,
        "mcp_server": mcp,
        "ssr_mode": False,
        "run_history": False,
        "state_session_capacity": MAX_SESSIONS,
        "footer_links": ["api"],
    }


def _theme() -> gr.themes.Base:
    # Fonts of the reader's machine: the page asks no other host for anything.
    system = ["ui-sans-serif", "system-ui", "sans-serif"]
    mono = ["ui-monospace", "Consolas", "monospace"]
    theme = gr.themes.Base(primary_hue="blue", neutral_hue="slate", radius_size="md", font=system, font_mono=mono)
    return theme.set(
        body_text_color_subdued="*neutral_600",
        body_text_color_subdued_dark="*neutral_300",
        block_label_text_color="*neutral_700",
        block_label_text_color_dark="*neutral_200",
        input_placeholder_color="*neutral_500",
        input_placeholder_color_dark="*neutral_400",
        block_info_text_color="*neutral_600",
        block_info_text_color_dark="*neutral_300",
    )
