"""A browser, and the apps that it looks at: one process serves all of them."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gradio", reason="the Spaces need gradio")
sync_api = pytest.importorskip("playwright.sync_api", reason="the browser is driven by Playwright")

from tricord.tasks import MODULE_NAMES  # noqa: E402

# Nothing that a browser does for itself may look like a request of the page.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# How long anything may take on a busy machine, in seconds, while something is still going on.
AT_MOST = 300
# How often in a row nothing may be going on before what is waited for is given up.
IDLE_LOOKS = 5
KEPT_BRIEFLY = 'dico_nli:{"kept_seconds": 10}'


@dataclass(frozen=True)
class Apps:
    urls: dict[str, str]
    uploads: Path


@pytest.fixture(scope="session")
def apps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Apps]:
    """The address of every app: of each metric, of all in tabs ("all"), and of one that keeps files for ten seconds."""
    uploads = tmp_path_factory.mktemp("uploads")
    environment = {**os.environ, "GRADIO_TEMP_DIR": str(uploads), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, str(Path(__file__).with_name("serve.py")), *MODULE_NAMES, "all", KEPT_BRIEFLY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True) as server:
        line = server.stdout.readline()
        assert line, "the server has ended; see its messages above"
        yield Apps(json.loads(line), uploads)
        server.stdin.close()
        server.wait(AT_MOST)


@pytest.fixture(scope="session")
def browser() -> Iterator[sync_api.BrowserContext]:
    """A headless Chromium, the system's or Playwright's own; its pages share the cache of scripts."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    with sync_api.sync_playwright() as playwright:
        if path is None and not Path(playwright.chromium.executable_path).exists():
            pytest.skip("there is no Chromium or Chrome on PATH, and Playwright has not installed its own")
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium.new_context(viewport={"width": 1280, "height": 900})
        chromium.close()


def wait_until_gone(folder: Path, pattern: str) -> None:
    """Wait until no file of that name is left."""
    deadline = time.monotonic() + AT_MOST
    while left := list(folder.rglob(pattern)):
        assert time.monotonic() < deadline, f"still there: {left}"
        time.sleep(0.2)


# Resolves when the page has done what it had to do.
_IDLE = "new Promise(done => requestIdleCallback(() => requestAnimationFrame(() => done())))"


@dataclass
class Activity:
    """What goes on between the pages and their server."""

    pending: set[sync_api.Request] = field(default_factory=set)
    seen: int = 0

    def watch(self, page: sync_api.Page) -> None:
        page.on("request", self._begin)
        for event in ("requestfinished", "requestfailed"):
            page.on(event, self._end)

    def _begin(self, request: sync_api.Request) -> None:
        self.seen += 1
        if "heartbeat" not in request.url:  # which lasts as long as the page
            self.pending.add(request)

    def _end(self, request: sync_api.Request) -> None:
        self.seen += 1
        self.pending.discard(request)


_ACTIVITY = Activity()


class expect:  # noqa: N801, as Playwright's
    """Playwright's `expect`, but it gives up only when the page and its server have nothing left to do."""

    def __init__(self, locator: sync_api.Locator) -> None:
        self._locator = locator

    def __getattr__(self, name: str) -> Callable[..., None]:
        return partial(self._wait, name)

    def _wait(self, name: str, *arguments: Any, **keywords: Any) -> None:
        page = self._locator.page
        deadline, idle, seen = time.monotonic() + AT_MOST, 0, -1
        while True:
            try:
                return getattr(sync_api.expect(self._locator), name)(*arguments, **keywords, timeout=1000)
            except AssertionError:
                page.evaluate(_IDLE)
                busy = _ACTIVITY.pending or _ACTIVITY.seen != seen
                idle, seen = 0 if busy else idle + 1, _ACTIVITY.seen
                if idle == IDLE_LOOKS or time.monotonic() > deadline:
                    raise


@dataclass
class Visit:
    """An open page, and what went wrong on it."""

    page: sync_api.Page
    faults: list[str] = field(default_factory=list)

    def watch(self, url: str) -> None:
        _ACTIVITY.watch(self.page)
        self.page.on("console", lambda message: self._note(message.type == "error", f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self._note(True, f"script: {error}"))
        own = (url, "data:", "blob:")
        self.page.on("request", lambda request: self._note(not request.url.startswith(own), f"request: {request.url}"))
        self.page.on("response", lambda answer: self._note(answer.status >= 400, f"{answer.status}: {answer.url}"))

    def _note(self, wrong: bool, what: str) -> None:
        if wrong:
            self.faults.append(what)


@pytest.fixture
def visit(browser: sync_api.BrowserContext, apps: Apps):
    """Open the page of an app; afterwards nothing may have gone wrong on it."""
    visits = []

    def open_page(name: str, theme: str = "light") -> sync_api.Page:
        page = browser.new_page()
        page.emulate_media(color_scheme=theme)
        page.set_default_timeout(AT_MOST * 1000)
        own = Visit(page)
        own.watch(apps.urls[name])
        visits.append(own)
        page.goto(apps.urls[name])
        page.locator(".tc-scores").first.wait_for()
        return page

    yield open_page
    for own in visits:
        own.page.close()
    _ACTIVITY.pending.clear()
    assert [fault for own in visits for fault in own.faults] == []
