"""Claim: a DiCo-NLI upload of 20,000 rows shows its result within a second of the upload's end.

Measured in headless Chromium, from the answer to the last upload until the new signature stands on the page. Beside it stands
the scorer alone on the same files, in the same run, so that the share of the page can be told on a busy machine.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tricord import dico_nli
from tricord.spaces.app import build_app, launch_options

PAIRS = 10_000
BAR_SECONDS = 1.0
RUNS = 5


def write_files(folder: Path) -> tuple[Path, Path]:
    gold = ["instance_id,pair_id,reverse_pair_id,label"]
    predictions = ["instance_id,label"]
    for number in range(PAIRS):
        first, second = f"p{number:07}__en-en__original", f"p{number:07}__en-en__flipped"
        gold += [f"{first},p{number},{second},FORWARD_ENTAILMENT", f"{second},p{number},{first},BACKWARD_ENTAILMENT"]
        predictions += [
            f"{first},FORWARD_ENTAILMENT",
            f"{second},{'EQUIVALENCE' if number % 2 else 'BACKWARD_ENTAILMENT'}",
        ]
    paths = folder / "gold.csv", folder / "predictions.csv"
    for path, lines in zip(paths, (gold, predictions), strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


def page_seconds(page: Page, url: str, gold: Path, predictions: Path) -> float:
    page.goto(url)
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    page.get_by_role("tab", name="Upload files").click()
    ends: list[float] = []
    page.on("response", lambda answer: ends.append(time.perf_counter()) if "/upload?" in answer.url else None)
    page.locator("#dico_nli-gold input[type=file]").set_input_files(gold)
    page.locator("#dico_nli-gold").get_by_label("Clear").wait_for()
    page.locator("#dico_nli-predictions input[type=file]").set_input_files(predictions)
    page.wait_for_function(
        f"document.querySelector('#dico_nli-scores code').innerText.includes('instances:{2 * PAIRS}')"
    )
    return time.perf_counter() - ends[-1]


def main() -> int:
    path = shutil.which("chromium") or shutil.which("google-chrome")
    app = build_app(["dico_nli"])
    _, url, _ = app.launch(**launch_options(), prevent_thread_lock=True, quiet=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        gold, predictions = write_files(Path(folder))
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context().new_page()
        shown, alone = [], []
        for _ in range(RUNS):
            shown.append(page_seconds(page, url, gold, predictions))
            start = time.perf_counter()
            dico_nli.score(dico_nli.read_reference(gold), predictions)
            alone.append(time.perf_counter() - start)
        browser.close()
    app.close()
    seconds, scorer = statistics.median(shown), statistics.median(alone)
    print(
        f"{2 * PAIRS:,} rows: on the page {seconds:.2f} s after the upload (bar {BAR_SECONDS:.1f} s); "
        f"the scorer alone {scorer:.3f} s"
    )
    return 0 if seconds <= BAR_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
