#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check static libraries: every name that one gives to others begins with ork_, and its files are in no circle of calls.

With --objects the arguments are the object files of one shared library, which gives names of its own to others: only the latter is
checked, by the names that begin with ork_."""

import argparse
import os
import re
import sys

from check_layers import circles, uses
from check_pure import SANITIZER_DATA, nm, symbols

PREFIX = "ork_"


def members(text):
    """{place: output of nm} of each object, from `nm --print-file-name` of a library; see check_layers.py for places."""
    found = {}
    for line in text.splitlines():
        file, colon, symbol = line.rpartition(":")
        if colon:
            name = re.sub(r"\.o$", "", file.split(":")[-1])
            found[("", name)] = found.get(("", name), "") + symbol + "\n"
    return found


def problems_of_objects(text):
    own = "\n".join(line for line in text.splitlines() if line.split(" ")[-1].startswith(PREFIX))
    arrows = uses(members(own))
    if not any(arrows.values()):
        yield "no object file uses another one: are these of a library?"
    yield from circles(arrows)


def problems(text):
    texts = members(text)
    defined = [(place[1], name) for place, own in texts.items() for kind, name in symbols(own) if kind.isupper() and kind != "U"]
    if not defined:
        yield "the library defines nothing"
    for file, name in sorted(defined):
        if not name.startswith(PREFIX) and not SANITIZER_DATA.match(name):
            yield f"{file}: {name} does not begin with {PREFIX}"
    yield from circles(uses(texts))


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--objects", action="store_true")
    parser.add_argument("library", nargs="+")
    arguments = parser.parse_args(argv)
    bad = 0
    if arguments.objects:
        for problem in problems_of_objects(nm(arguments.nm, "--print-file-name", *arguments.library)):
            print(problem)
            bad = 1
        return bad
    for library in arguments.library:
        for problem in problems(nm(arguments.nm, "--print-file-name", library)):
            print(f"{os.path.basename(library)}: {problem}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
