"""`tricord app`: serve the pages of all metrics, or of one."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from tricord.commands import Command
from tricord.errors import TricordError, ValidationError
from tricord.tasks import checked_names, module_names

__all__ = ["main"]


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"a metric ({', '.join(module_names())}); several or all of them come in tabs (default: all)",
    )
    parser.add_argument("--mcp", action="store_true", help="serve the endpoints as MCP tools too")
    parser.add_argument("--host", help="the address to listen on (default: this machine alone)")
    parser.add_argument("--port", type=int, help="the port to listen on (default: the first free one from 7860)")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")


def _serve(options: argparse.Namespace) -> None:
    names = checked_names(options.names or None)
    needed = {"gradio": "spaces", "plotly": "spaces"} | ({"mcp": "mcp"} if options.mcp else {})
    for package, extra in needed.items():
        if find_spec(package) is None:
            raise ValidationError(f"the app needs {package}; install it with: pip install 'tricord[{extra}]'")
    from tricord.spaces.app import serve  # not at the top: it takes seconds

    try:
        serve(names, mcp=options.mcp, server_name=options.host, server_port=options.port, inbrowser=options.open)
    except OSError as error:
        raise TricordError(f"the app cannot be served: {error}; choose another --host or --port") from None


COMMAND = Command(
    "app",
    "serve the pages of the metrics to a browser and their endpoints to programs",
    "  %(prog)s\n  %(prog)s dico_nli --port 8000",
    _arguments,
    _serve,
)
main = COMMAND.main
