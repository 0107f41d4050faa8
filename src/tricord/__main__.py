"""`python3 -m tricord` is the `tricord` command, also where the package is only unpacked and not installed."""

import sys

from tricord.cli import main

if __name__ == "__main__":
    sys.exit(main())
