# SPDX-License-Identifier: BSD-3-Clause
"""Pages of the documentation that are made from other files."""

import difflib
import os
import sys


def write_or_check(verb, path, text, target):
    """verb "write": write the page. "check": the exit code is 1 if it is not what would be written. `target` makes it anew."""
    if verb == "write":
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    with open(path, encoding="utf-8") as file:
        old = file.read()
    if old == text:
        return 0
    sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), "the page", "as it should be", n=0))
    print(f"{os.path.basename(path)} is not up to date: build the target `{target}`", file=sys.stderr)
    return 1
