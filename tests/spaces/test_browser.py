"""What a person sees and does on the pages, in a real browser."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from spaces.cases import CASES, value_at, write_files
from spaces.conftest import KEPT_BRIEFLY, expect, wait_until_gone

ROOT = Path(__file__).resolve().parents[2]

each_space = pytest.mark.parametrize("name", CASES)


def shown_scores(page: Page, name: str) -> dict[str, str]:
    cards = page.locator(f"#{name}-scores .tc-score").all()
    return {card.locator("dt").inner_text(): card.locator("dd").get_attribute("title") for card in cards}


def first_score(page: Page, name: str) -> Locator:
    return page.locator(f"#{name}-scores dd").first


def edit_cell(page: Page, name: str, cell: tuple[int, int], text: str) -> None:
    place = page.locator(f"#{name}-table [data-testid=cell-{cell[0]}-{cell[1]}]")
    place.dblclick()
    editor = place.locator("textarea, input")
    editor.fill(text)
    editor.press("Enter")


def upload(page: Page, name: str, paths: dict[str, str]) -> None:
    page.get_by_role("tab", name="Upload files").click()
    for field, path in paths.items():
        page.locator(f"#{name}-{field} input[type=file]").set_input_files(path)


def take_pictures(page: Page, name: str, theme: str) -> None:
    """Save what the page looks like, wide and narrow; nothing may stick out to the side."""
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    (ROOT / "screenshots").mkdir(exist_ok=True)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(400)  # the pictures settle
        page.screenshot(path=ROOT / "screenshots" / f"{name}-{width}-{theme}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.body.classList.contains('dark')") == (theme == "dark")


def nameless_controls(page: Page) -> list[str]:
    return page.evaluate(
        """() => [...document.querySelectorAll("main input, main textarea, main select, main button")]
            .filter(control => control.offsetParent && control.type !== "file" && control.tabIndex >= 0)
            .filter(control => !(control.innerText || "").trim() && !control.getAttribute("aria-label")
                && !control.getAttribute("aria-labelledby") && !control.title && !(control.labels || []).length)
            .map(control => control.outerHTML.slice(0, 200))"""
    )


# Opening a page costs seconds of work, so each test looks at all that one visit shows.


@each_space
def test_a_visit_to_the_table(visit, name):
    page, case = visit(name), CASES[name]
    assert len(page.locator(".tc-heading p").inner_text()) > 100
    expect(page.locator(f"#{name}-scores code")).to_contain_text("version:")
    take_pictures(page, name, "light")
    assert nameless_controls(page) == []
    example = shown_scores(page, name)
    assert set(case.headline) <= set(example)

    edit_cell(page, name, case.cell, case.good)
    expect(first_score(page, name)).not_to_have_attribute("title", next(iter(example.values())))
    page.get_by_role("button", name="Reset the example").press("Enter")
    expect(first_score(page, name)).to_have_attribute("title", next(iter(example.values())))
    assert shown_scores(page, name) == example

    edit_cell(page, name, case.cell, case.bad)
    toast = page.get_by_test_id("toast-body")
    expect(toast).to_contain_text(f"'{case.bad}'")
    expect(toast).to_have_count(1)
    assert shown_scores(page, name) == example
    edit_cell(page, name, case.cell, case.good)
    expect(first_score(page, name)).not_to_have_attribute("title", next(iter(example.values())))


@each_space
def test_a_visit_with_files(visit, name, tmp_path):
    page, case = visit(name, "dark"), CASES[name]
    take_pictures(page, name, "dark")
    example = shown_scores(page, name)
    paths = write_files(case, tmp_path)
    field, text, message = case.bad_file
    bad_folder = tmp_path / "bad"
    bad_folder.mkdir()
    bad = bad_folder / Path(paths[field]).name
    bad.write_text(text, encoding="utf-8")

    page.get_by_role("tab", name="Upload files").click()
    page.get_by_role("button", name="Score the files").press("Enter")
    toast = page.get_by_test_id("toast-body")
    expect(toast).to_contain_text("first")
    page.get_by_test_id("toast-close").click()
    upload(page, name, {**paths, field: str(bad)})
    expect(toast).to_contain_text(message)
    assert "/" not in toast.inner_text()
    if name != "commonground_brier":  # where the export, which is good, is scored by itself
        assert shown_scores(page, name) == example

    page.locator(f"#{name}-{field}").get_by_label("Clear").click()
    upload(page, name, {field: paths[field]})
    expected = case.expected(tmp_path)
    expect(page.locator(f"#{name}-scores code")).to_have_text(expected["signature"])
    shown = shown_scores(page, name)
    assert {label: float(shown[label]) for label in case.headline} == {
        label: value_at(expected, key) for label, key in case.headline.items()
    }
    with page.expect_download() as download:
        page.get_by_role("button", name="Download report.json").click()
    assert json.loads(Path(download.value.path()).read_text("utf-8")) == expected


def test_markup_in_a_cell_and_in_files_is_shown_as_text(visit, tmp_path):
    page, markup = visit("dico_nli"), "<img/src=x/onerror=window.ran=true>"
    page.evaluate("window.ran = false")
    edit_cell(page, "dico_nli", (4, 0), f"{markup}<b>bold</b>")
    toast = page.get_by_test_id("toast-body")
    expect(toast).to_contain_text("<b>bold</b>")
    assert toast.locator("b, img").count() == 0
    paths = {}
    for field, (_, text) in CASES["dico_nli"].files.items():
        (tmp_path / f"{field}.csv").write_text(text.replace("p1_", f"{markup}_"), encoding="utf-8")
        paths[field] = str(tmp_path / f"{field}.csv")
    upload(page, "dico_nli", paths)
    expect(page.locator("#dico_nli-errors")).to_contain_text(markup)
    assert page.locator("#dico_nli-errors img").count() == 0
    assert page.evaluate("window.ran") is False


def test_files_that_are_no_longer_kept_are_asked_for_again(visit, tmp_path, apps):
    page = visit(KEPT_BRIEFLY)
    # Equal files of one name are one file on the server, whoever uploads them.
    paths = {
        field: str(Path(path).rename(tmp_path / f"brief-{field}.csv"))
        for field, path in write_files(CASES["dico_nli"], tmp_path).items()
    }
    upload(page, "dico_nli", paths)
    expect(page.locator("#dico_nli-scores code")).to_contain_text("instances:24")
    wait_until_gone(apps.uploads, "brief-*.csv")
    page.get_by_role("button", name="Score the files").click()
    expect(page.get_by_test_id("toast-body")).to_contain_text("upload again")


def test_errors_are_filtered_and_paged(visit, tmp_path):
    page, case = visit("dico_nli"), CASES["dico_nli"]
    upload(page, "dico_nli", write_files(case, tmp_path))
    listing = page.locator("#dico_nli-errors")
    expect(listing).to_contain_text("1 to 9 of 9")
    page.get_by_label("Contains").press_sequentially("p11__")
    expect(listing).to_contain_text("1 to 1 of 1")
    page.get_by_label("Contains").press_sequentially("nowhere")
    expect(listing).to_contain_text("Nothing to list")


def test_a_claim_is_explained_with_its_sentences(visit, tmp_path):
    page, name = visit("scifact_sentence"), "scifact_sentence"
    explained = page.locator(f"#{name}-explanation")
    assert explained.locator("mark.tc-correct").count() > 0
    upload(page, name, write_files(CASES[name], tmp_path))
    item = page.locator(f"#{name}-item input")
    expect(item).to_have_value("52: One <b>claim</b>")
    item.click()
    page.get_by_role("option", name="54: A third").click()
    expect(explained).to_contain_text("irrelevant document")
    assert explained.locator("b").count() == 0


def test_a_polis_export_alone_gives_the_map_and_bad_pairs_wait_for_each_other(visit, tmp_path):
    page, name = visit("commonground_brier"), "commonground_brier"
    paths = write_files(CASES[name], tmp_path)
    upload(page, name, {"export": paths["export"]})
    expect(page.locator(f"#{name}-scores")).to_contain_text("Participants")
    page.get_by_role("button", name="Score the files").click()
    expect(page.locator(f"#{name}-figure-0 .scatterlayer .point")).to_have_count(2)


def test_all_metrics_share_one_page_in_tabs(visit):
    page = visit("all")
    for tab in page.locator("#metrics > .tab-wrapper [role=tab]").all():
        tab.click()
        page.locator(".tc-heading:visible").wait_for()
