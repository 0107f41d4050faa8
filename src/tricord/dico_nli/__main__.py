"""`python3 -m tricord.dico_nli` is a drop-in for the organisers' scorer."""

import sys

from tricord.dico_nli.cli import main

if __name__ == "__main__":
    sys.exit(main(prog="python3 -m tricord.dico_nli"))
