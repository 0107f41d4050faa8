"""Start apps in a process of their own, each on a free port, and print where they are; ends when standard input does.

One argument an app: names of metrics joined by commas, "all", or one of these followed by ":" and options for `build_app` as
JSON.
"""

import json
import sys
from contextlib import redirect_stdout

from tricord.spaces.app import build_app, launch_options


def start(argument: str) -> str:
    names, _, options = argument.partition(":")
    app = build_app([] if names == "all" else names.split(","), **json.loads(options or "{}"))
    _, url, _ = app.launch(**launch_options(mcp=names == "all"), prevent_thread_lock=True, quiet=True)
    return url


with redirect_stdout(sys.stderr):  # what gradio has to say
    urls = {argument: start(argument) for argument in sys.argv[1:]}
print(json.dumps(urls), flush=True)
sys.stdin.read()
