"""`python3 -m tricord.commonground` is `tricord commonground`, also where the package is only unpacked."""

import sys

from tricord.commonground.cli import main

if __name__ == "__main__":
    sys.exit(main(prog="python3 -m tricord.commonground"))
