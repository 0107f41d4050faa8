"""`tricord app`: serve the pages of all metrics, or of one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from tricord.errors import TricordError, ValidationError
from tricord.tasks import checked_names, module_names
from tricord.terminal import run

__all__ = ["build_parser", "main"]


def build_parser(prog: str) -> argparse.ArgumentParser:
    """Build the parser.

    Args:
        prog: The program's name for usage lines.
    """
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Serve the pages of the metrics to a browser and their endpoints to programs.",
        epilog=f"metrics: {', '.join(module_names())}",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a metric; several or all of them come in tabs (default: all)"
    )
    parser.add_argument("--mcp", action="store_true", help="serve the endpoints as MCP tools too")
    parser.add_argument("--host", help="the address to listen on (default: this machine alone)")
    parser.add_argument("--port", type=int, help="the port to listen on (default: the first free one from 7860)")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    return parser


def main(argv: Sequence[str] | None = None, prog: str = "tricord app") -> int:
    """Run the command.

    Args:
        argv: The arguments after the program's name; those of the process by default.
        prog: The program's name for usage lines.

    Returns:
        The exit status: 0 for success, 2 for wrong usage or a missing extra.
    """
    options = build_parser(prog).parse_args(sys.argv[1:] if argv is None else argv)
    return run(lambda: _serve(options))


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
