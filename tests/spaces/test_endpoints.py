"""The endpoints that programs call: typed, named, equal to the library, and safe under odd files and many clients."""

import inspect
import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from spaces.cases import CASES, dico_nli_files, write_files
from spaces.conftest import KEPT_BRIEFLY, wait_until_gone
from tricord.spaces.app import page_of
from tricord.tasks import MODULE_NAMES

gradio_client = pytest.importorskip("gradio_client")

each_space = pytest.mark.parametrize("name", CASES)


@pytest.fixture(scope="session")
def client(apps):
    opened = {}

    def open_client(name: str) -> gradio_client.Client:
        if name not in opened:
            opened[name] = gradio_client.Client(apps.urls[name], verbose=False, analytics_enabled=False)
        return opened[name]

    yield open_client
    for own in opened.values():
        own.close()


def files_of(paths: dict[str, str]) -> dict[str, object]:
    return {field: gradio_client.handle_file(path) for field, path in paths.items()}


@each_space
def test_files_score_as_in_the_library(client, name, tmp_path):
    paths = write_files(CASES[name], tmp_path)
    result = client(name).predict(**files_of(paths), api_name=f"/{name}_files")
    assert result == CASES[name].expected(tmp_path)


@each_space
def test_plain_values_score_as_in_the_library(client, name):
    page, case = page_of(name), CASES[name]
    assert client(name).predict(**case.values, api_name=f"/{name}") == page.endpoint(**case.values)


@each_space
def test_endpoints_have_names_and_types(client, name):
    endpoints = client(name).view_api(return_format="dict", print_info=False)["named_endpoints"]
    assert endpoints.keys() == {f"/{name}", f"/{name}_files"}
    parameters = {parameter["parameter_name"]: parameter for parameter in endpoints[f"/{name}"]["parameters"]}
    assert list(parameters) == list(inspect.signature(page_of(name).endpoint).parameters)
    assert all(parameter["type"] for parameter in parameters.values())
    uploads = [parameter["parameter_name"] for parameter in endpoints[f"/{name}_files"]["parameters"]]
    page = page_of(name)
    assert uploads == [*(upload.name for upload in page.uploads), *(choice.name for choice in page.choices)]


@each_space
def test_a_refused_file_is_explained_without_the_server_s_paths(client, name, tmp_path, apps):
    paths = write_files(CASES[name], tmp_path)
    field, text, message = CASES[name].bad_file
    Path(paths[field]).write_text(text, encoding="utf-8")
    with pytest.raises(gradio_client.exceptions.AppError, match=message) as caught:
        client(name).predict(**files_of(paths), api_name=f"/{name}_files")
    assert str(apps.uploads) not in str(caught.value)


def test_the_page_of_all_metrics_serves_all_endpoints_and_mcp_tools(client, apps):
    named = {f"/{name}{suffix}" for name in MODULE_NAMES for suffix in ("", "_files")}
    assert client("all").view_api(return_format="dict", print_info=False)["named_endpoints"].keys() == named
    with urllib.request.urlopen(f"{apps.urls['all']}gradio_api/mcp/schema") as answer:
        tools = {tool["name"] for tool in json.load(answer)}
    assert tools == {path[1:] for path in named}


def test_fifty_clients_at_once_get_their_own_results(client, tmp_path):
    own = client("dico_nli")

    def score(number: int) -> tuple[float, float]:
        pairs = number + 1
        ids = [f"p{pair}__en-en__{way}" for pair in range(pairs) for way in ("original", "flipped")]
        gold = ["FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT"] * pairs
        predictions = [*gold[:2], *["EQUIVALENCE"] * (2 * pairs - 2)]
        report = own.predict(ids, gold, predictions, None, api_name="/dico_nli")
        return report["hard_cons"], 1 / pairs

    with ThreadPoolExecutor(50) as pool:
        results = list(pool.map(score, range(50)))
    assert [found for found, _ in results] == [expected for _, expected in results]


ODD_FILES = {
    "UTF-16": ("gold.csv", "instance_id,label\nä,EQUIVALENCE\n".encode("utf-16"), "NUL byte"),
    "Latin-1": ("gold.csv", "instance_id,pair_id,reverse_pair_id,label\nä,".encode("latin-1"), "not UTF-8"),
    "a zip": ("gold.csv", b"PK\x03\x04\x14\x00\x00\x00", "NUL byte"),
    "a picture": ("gold.csv", b"\x89PNG\r\n\x1a\n\xff\xfe", "not UTF-8"),
    "empty": ("gold.csv", b"", "empty"),
    "markup": ("gold.csv", b"<script>alert(1)</script>\n", "missing column"),
}


@pytest.mark.parametrize("kind", ODD_FILES)
def test_odd_files_are_refused_in_one_line(client, kind, tmp_path):
    name, content, message = ODD_FILES[kind]
    paths = write_files(CASES["dico_nli"], tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(gradio_client.exceptions.AppError, match=message) as caught:
        client("dico_nli").predict(**files_of(paths), api_name="/dico_nli_files")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("gold.csv: ")


def post_file(url: str, name: str, content: bytes) -> str:
    """Upload a file under any name that a client may claim; give its path on the server."""
    boundary = b"-- a boundary --"
    head = f'Content-Disposition: form-data; name="files"; filename="{name}"\r\nContent-Type: text/csv\r\n\r\n'.encode()
    body = b"--" + boundary + b"\r\n" + head + content + b"\r\n--" + boundary + b"--\r\n"
    kind = f'multipart/form-data; boundary="{boundary.decode()}"'
    request = urllib.request.Request(f"{url}gradio_api/upload", data=body, headers={"Content-Type": kind})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)[0]


def test_a_name_that_is_a_path_stays_in_the_upload_folder(apps):
    path = post_file(apps.urls["dico_nli"], "../../../../tmp/outside.csv", b"a,b\n")
    assert Path(path).resolve().is_relative_to(apps.uploads.resolve())


def test_a_file_over_the_limit_is_refused(apps):
    with pytest.raises(urllib.error.HTTPError) as caught:
        post_file(apps.urls["dico_nli"], "large.csv", b"x" * ((64 << 20) + 1))
    assert caught.value.code == 413
    caught.value.close()


def test_files_of_the_server_cannot_be_scored(apps):
    secret = apps.uploads.parent / "secret.csv"
    secret.write_text("a secret\n")
    stolen = {"path": str(secret), "meta": {"_type": "gradio.FileData"}}
    # By hand, since the client would upload the file first.
    url = f"{apps.urls['dico_nli']}gradio_api/call/dico_nli_files"
    body = json.dumps({"data": [stolen, stolen, False]}).encode()
    request = urllib.request.Request(url, data=body, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        event = json.load(answer)["event_id"]
    with urllib.request.urlopen(f"{url}/{event}") as answer:
        events = answer.read().decode()
    assert events.startswith("event: error")
    assert "a secret" not in events


def test_uploads_are_gone_after_their_time(apps, client, tmp_path):
    own = client(KEPT_BRIEFLY)
    for name, (_, text) in dico_nli_files(pairs=7).items():
        (tmp_path / f"{name}-of-seven.csv").write_text(text)
    paths = {name: str(tmp_path / f"{name}-of-seven.csv") for name in ("gold", "predictions")}
    own.predict(**files_of(paths), infer_pairs=False, api_name="/dico_nli_files")
    assert list(apps.uploads.rglob("*-of-seven.csv"))
    wait_until_gone(apps.uploads, "*-of-seven.csv")
