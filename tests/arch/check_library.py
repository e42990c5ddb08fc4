#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check a static library: every name that it gives to others begins with ork_, and its objects need each other in one direction
only (no circle between the files of a folder)."""

import argparse
import os
import re
import subprocess
import sys

PREFIX = "ork_"
# What compiler flags (sanitizers, coverage) add.
ADDED = re.compile(r"__(asan|ubsan|tsan|sanitizer|gcov|llvm)_|__odr_asan|_GLOBAL__")


def members(text):
    """{object: (defined, used)} from `nm --print-file-name` of a library."""
    found = {}
    for line in text.splitlines():
        match = re.fullmatch(r"(.*):(?:[0-9a-f]+)?\s*([A-Za-z?])\s(\S+)", line.strip())
        if not match or ADDED.match(match[3]):
            continue
        name = re.sub(r"\.o$", "", match[1].split(":")[-1])
        defined, used = found.setdefault(name, (set(), set()))
        if match[2] in "Uw":
            used.add(match[3])
        elif match[2].isupper():
            defined.add(match[3])
    return found


def arrows(found):
    """{object: objects that it needs}"""
    owner = {symbol: name for name, (defined, _) in found.items() for symbol in defined}
    return {name: {owner[symbol] for symbol in used if owner.get(symbol, name) != name} for name, (_, used) in found.items()}


def circle(graph):
    """Some circle as a list of objects, or None."""
    state = {}

    def visit(node, path):
        state[node] = 1
        for other in sorted(graph[node]):
            if state.get(other) == 1:
                return path[path.index(other) :] if other in path else [other]
            if other not in state:
                result = visit(other, path + [other])
                if result:
                    return result
        state[node] = 2
        return None

    for node in sorted(graph):
        if node not in state:
            result = visit(node, [node])
            if result:
                return result
    return None


def problems(text):
    found = members(text)
    if not any(defined for defined, _ in found.values()):
        yield "the library defines nothing"
    for name, (defined, _) in sorted(found.items()):
        for symbol in sorted(defined):
            if not symbol.startswith(PREFIX):
                yield f"{name}: {symbol} does not begin with {PREFIX}"
    files = circle(arrows(found))
    if files:
        yield "a circle: " + " -> ".join(files + files[:1])


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("library", nargs="+")
    arguments = parser.parse_args(argv)
    bad = 0
    for library in arguments.library:
        text = subprocess.run([arguments.nm, "--print-file-name", library], capture_output=True, text=True, check=True).stdout
        for problem in problems(text):
            print(f"{os.path.basename(library)}: {problem}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
