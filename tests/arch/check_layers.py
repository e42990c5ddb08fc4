#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Show from the object files of a library that no layer calls a higher one, and that its files are in no circle of calls."""

import argparse
import os
import re
import sys

from check_pure import nm, symbols
from check_sources import LAYERS

# A layer is a folder of the library; files in no folder are above all of them.
OBJECT = re.compile(r"\.dir/(?:\./)?(?:([^/]+)/)?([^/]+)\.o$")


def place_of(path):
    """(folder, file) of an object file; folder "" for those above all layers."""
    match = OBJECT.search(path)
    return (match.group(1) or "", match.group(2)) if match else ("", os.path.basename(path))


def uses(texts):
    """{place: {place: [symbol]}} of what each object file uses of the others; `texts`: {place: output of nm}."""
    owner = {}
    wanted = {}
    for place, text in texts.items():
        for kind, name in symbols(text):
            if kind == "U":
                wanted.setdefault(place, []).append(name)
            elif kind.isupper() and kind not in "WV":
                owner[name] = place
    result = {place: {} for place in texts}
    for place, names in wanted.items():
        for name in names:
            if name in owner and owner[name] != place:
                result[place].setdefault(owner[name], []).append(name)
    return result


def upward(arrows, layers):
    """What is used against the order; `layers` from low to high."""
    height = {layer: i for i, layer in enumerate(layers)}
    height[""] = len(layers)
    for place in arrows:
        if place[0] not in height:
            yield f"{place[0]}/{place[1]}: {place[0]} is no layer"
    for place, used in sorted(arrows.items()):
        for other, names in sorted(used.items()):
            if height.get(other[0], 0) > height.get(place[0], 0):
                yield f"{place[0]}/{place[1]} uses {', '.join(sorted(names))} of {other[0]}/{other[1]}, which is above it"


def reached_from(arrows, start):
    """All places that `start` uses, directly or not."""
    seen = set()
    todo = [start]
    while todo:
        for other in arrows.get(todo.pop(), {}):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def circles(arrows):
    """The files that are in a circle: they reach themselves."""
    reached = {place: reached_from(arrows, place) for place in arrows}
    for place in sorted(arrows):
        by = sorted("/".join(other) for other in arrows[place] if place in reached[other])
        if by:
            yield f"{'/'.join(place)} is in a circle of calls, by {', '.join(by)}"


def problems(texts, layers):
    arrows = uses(texts)
    if not any(arrows.values()):
        yield "no object file uses another one: is that a library?"
    yield from upward(arrows, layers)
    yield from circles(arrows)


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("module")
    parser.add_argument("objects", nargs="+")
    arguments = parser.parse_args(argv)
    texts = {}
    for line in nm(arguments.nm, "--print-file-name", *arguments.objects).splitlines():
        path, _, symbol = line.partition(":")
        texts[place_of(path)] = texts.get(place_of(path), "") + symbol + "\n"
    found = list(problems(texts, LAYERS.get(arguments.module, [])))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
