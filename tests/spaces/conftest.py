"""A browser, and the apps that it looks at: one process serves all of them.

Their tests are one group, so that one worker of several runs them.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

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
        server.wait(30)


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
    """Wait until no file of that name is left, for a minute at most."""
    deadline = time.monotonic() + 60
    while left := list(folder.rglob(pattern)):
        assert time.monotonic() < deadline, f"still there: {left}"
        time.sleep(0.2)


@dataclass
class Visit:
    """An open page, and what went wrong on it."""

    page: sync_api.Page
    faults: list[str] = field(default_factory=list)

    def watch(self, url: str) -> None:
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
        page.set_default_timeout(20_000)
        own = Visit(page)
        own.watch(apps.urls[name])
        visits.append(own)
        page.goto(apps.urls[name])
        page.locator(".tc-scores").first.wait_for()
        return page

    yield open_page
    for own in visits:
        own.page.close()
    assert [fault for own in visits for fault in own.faults] == []
