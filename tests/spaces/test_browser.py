"""What a person sees and does on the pages, in a real browser."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from spaces.cases import CASES, write_files

expect.set_options(timeout=20_000)  # a busy machine is slow; that is no fault of the page

ROOT = Path(__file__).resolve().parents[2]

each_space = pytest.mark.parametrize("name", CASES)


def shown_scores(page: Page, name: str) -> dict[str, str]:
    cards = page.locator(f"#{name}-scores .tc-score").all()
    return {card.locator("dt").inner_text(): card.locator("dd").get_attribute("title") for card in cards}


def first_score(page: Page, name: str) -> Locator:
    return page.locator(f"#{name}-scores dd").first


def edit_cell(page: Page, name: str, row: int, column: int, text: str) -> None:
    page.locator(f"#{name}-table [data-testid=cell-{row}-{column}]").dblclick()
    page.keyboard.press("Control+A")
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def upload(page: Page, name: str, paths: dict[str, str]) -> None:
    page.get_by_role("tab", name="Upload files").click()
    for field, path in paths.items():
        page.locator(f"#{name}-{field} input[type=file]").set_input_files(path)


@each_space
def test_the_example_is_scored_and_drawn_at_once(visit, name):
    page = visit(name)
    assert len(page.locator(".tc-heading p").inner_text()) > 100
    assert set(CASES[name].headline) <= set(shown_scores(page, name))
    expect(page.locator(f"#{name}-scores code")).to_contain_text("version:")
    page.locator(".js-plotly-plot .main-svg").first.wait_for()


@each_space
def test_editing_a_cell_changes_the_scores_and_reset_brings_them_back(visit, name):
    page = visit(name)
    before = shown_scores(page, name)
    edit_cell(page, name, *CASES[name].edit)
    expect(first_score(page, name)).not_to_have_attribute("title", next(iter(before.values())))
    assert shown_scores(page, name).keys() == before.keys()
    page.get_by_role("button", name="Reset the example").click()
    expect(first_score(page, name)).to_have_attribute("title", next(iter(before.values())))
    assert shown_scores(page, name) == before


@each_space
def test_a_bad_cell_is_named_in_a_toast_and_the_page_stays_usable(visit, name):
    page = visit(name)
    before = shown_scores(page, name)
    *place, text, message = CASES[name].bad_edit
    edit_cell(page, name, *place, text)
    toast = page.get_by_test_id("toast-body")
    expect(toast).to_contain_text(message)
    assert shown_scores(page, name) == before
    edit_cell(page, name, *CASES[name].edit)
    expect(first_score(page, name)).not_to_have_attribute("title", next(iter(before.values())))


@each_space
def test_uploaded_files_are_scored_as_the_library_does_and_the_report_is_saved(visit, name, tmp_path):
    page, case = visit(name), CASES[name]
    before = page.locator(f"#{name}-scores code").inner_text()
    upload(page, name, write_files(case, tmp_path))
    expect(page.locator(f"#{name}-scores code")).not_to_have_text(before)
    expected = case.expected(tmp_path)
    shown = shown_scores(page, name)
    assert {label: float(shown[label]) for label in case.headline} == {
        label: expected[key] for label, key in case.headline.items()
    }
    with page.expect_download() as download:
        page.get_by_role("button", name="Download report.json").click()
    assert json.loads(Path(download.value.path()).read_text("utf-8")) == expected


@each_space
def test_a_bad_file_is_named_as_the_user_knows_it(visit, name, tmp_path):
    page, case = visit(name), CASES[name]
    before = shown_scores(page, name)
    paths = write_files(case, tmp_path)
    field, text, message = case.bad_file
    Path(paths[field]).write_text(text, encoding="utf-8")
    upload(page, name, paths)
    toast = page.get_by_test_id("toast-body")
    expect(toast).to_contain_text(message)
    assert "/" not in toast.inner_text()
    assert shown_scores(page, name) == before


@each_space
def test_scoring_files_that_are_not_there_says_which(visit, name):
    page = visit(name)
    page.get_by_role("tab", name="Upload files").click()
    page.get_by_role("button", name="Score the files").click()
    expect(page.get_by_test_id("toast-body")).to_contain_text("first")


@each_space
def test_every_control_has_a_name_and_scoring_needs_no_mouse(visit, name):
    page = visit(name)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("main input, main textarea, main select, main button")]
            .filter(control => control.offsetParent && control.type !== "file" && control.tabIndex >= 0)
            .filter(control => !(control.innerText || "").trim() && !control.getAttribute("aria-label")
                && !control.getAttribute("aria-labelledby") && !control.title && !(control.labels || []).length)
            .map(control => control.outerHTML.slice(0, 200))"""
    )
    assert nameless == []
    page.get_by_role("button", name="Score the table").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#{name}-scores .tc-score").first).to_be_visible()


@each_space
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_are_taken_and_nothing_sticks_out(visit, name, theme):
    page = visit(name, theme)
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    (ROOT / "screenshots").mkdir(exist_ok=True)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(500)  # the pictures settle
        page.screenshot(path=ROOT / "screenshots" / f"{name}-{width}-{theme}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.body.classList.contains('dark')") == (theme == "dark")


def test_markup_in_ids_is_shown_as_text(visit):
    page = visit("dico_nli")
    page.evaluate("window.ran = false")
    bad = "<img/src=x/onerror=window.ran=true><b>bold</b>"
    edit_cell(page, "dico_nli", 4, 0, bad)
    expect(page.get_by_test_id("toast-body")).to_contain_text("<b>bold</b>")
    assert page.get_by_test_id("toast-body").locator("b, img").count() == 0
    assert page.evaluate("window.ran") is False


def test_markup_in_a_file_is_listed_as_text(visit, tmp_path):
    page = visit("dico_nli")
    page.evaluate("window.ran = false")
    files = {name: text.replace("p1_", "<img/src=x/onerror=window.ran=true>_") for name, text in _dico_nli_texts()}
    paths = {}
    for field, text in files.items():
        (tmp_path / f"{field}.csv").write_text(text, encoding="utf-8")
        paths[field] = str(tmp_path / f"{field}.csv")
    upload(page, "dico_nli", paths)
    expect(page.locator("#dico_nli-errors")).to_contain_text("<img/src=x/onerror=window.ran=true>")
    assert page.locator("#dico_nli-errors img").count() == 0
    assert page.evaluate("window.ran") is False


def _dico_nli_texts():
    return [(field, text) for field, (_, text) in CASES["dico_nli"].files.items()]


def test_errors_are_filtered_and_paged(visit, tmp_path):
    page, case = visit("dico_nli"), CASES["dico_nli"]
    upload(page, "dico_nli", write_files(case, tmp_path))
    listing = page.locator("#dico_nli-errors")
    expect(listing).to_contain_text("1 to 9 of 9")
    page.get_by_label("Contains").press_sequentially("p11__")
    expect(listing).to_contain_text("1 to 1 of 1")
    page.get_by_label("Contains").press_sequentially("nowhere")
    expect(listing).to_contain_text("Nothing to list")


def test_all_metrics_share_one_page_in_tabs(visit):
    page = visit("all")
    for tab in page.locator("#metrics > .tab-wrapper [role=tab]").all():
        tab.click()
        page.locator(".tc-heading:visible").wait_for()
