#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print the folders and what each may use (check_sources.ARROWS) as a DOT graph: docs/explanation/rooms.svg. An arrow that follows
from others is left out, and so are the arrows to common/, which all folders use."""

import sys

from check_sources import ARROWS

PROCESSES = {  # where the code of a folder runs; a folder in none of them runs in several
    "application": ["interceptor/memory/runtime", "interceptor"],
    "must-tool": [
        *(name for name in ARROWS if name.startswith("overlay/")),
        *["detector/fold", "detector", "detector/interleave", "wfg", "order/arbiter", "order/causality", "order/comms", "windows/onesided"],
    ],
    "mustrun and mustview": ["viz", "mustrun", "mustview"],
}


def follows(name, used):
    """Does the arrow follow from those of another folder that `name` uses?"""
    return any(used in ARROWS[other] for other in ARROWS[name] if other != used)


def graph():
    yield "// SPDX-License-Identifier: BSD-3-Clause"
    yield "digraph rooms {"
    yield '    graph [fontname="Helvetica", fontsize=12, fontcolor="#3e4c59", bgcolor="white", pad=0.2, nodesep=0.35, ranksep=0.5]'
    yield '    node [fontname="Helvetica", fontsize=12, shape=box, style="rounded,filled", fillcolor="#f0f4f8"'
    yield '          color="#3e4c59", fontcolor="#1f2933"]'
    yield '    edge [color="#3e4c59", arrowsize=0.7]'
    for number, (process, folders) in enumerate(PROCESSES.items()):
        yield f"    subgraph cluster_{number} {{"
        yield f'        graph [label="{process}", style="rounded,dashed", color="#9fb3c8", margin=12]'
        for folder in folders:
            yield f'        "{folder}" [label="{folder.removeprefix("overlay/").removeprefix("interceptor/")}"]'
        yield "    }"
    for name, used_by_it in ARROWS.items():
        for used in sorted(used_by_it):
            if used != "common" and not follows(name, used):
                yield f'    "{name}" -> "{used}"'
    yield "}"


if __name__ == "__main__":
    sys.stdout.write("\n".join(graph()) + "\n")
