"""`python3 -m tricord.scifact` is `tricord scifact`."""

import sys

from tricord.scifact.cli import main

if __name__ == "__main__":
    sys.exit(main(prog="python3 -m tricord.scifact"))
