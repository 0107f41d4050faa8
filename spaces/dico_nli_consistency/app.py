"""The Space of this metric: `python app.py` serves it, `python app.py --mcp` as MCP tools too."""

import sys

from tricord.spaces.cli import main

if __name__ == "__main__":
    sys.exit(main(["dico_nli_consistency", *sys.argv[1:]], prog="app.py"))
