# SPDX-License-Identifier: BSD-3-Clause
"""Running mustview, and what is in a graph."""
import json
import re
import subprocess


def view(mustview, *words, stdin=None, env=None):
    return subprocess.run([mustview, *words], input=stdin, capture_output=True, timeout=900, env=env, check=False)


def shown(test, mustview, *words):
    done = view(mustview, *words)
    test.assertEqual((done.returncode, done.stderr), (0, b""), words)
    return done.stdout


def labels(dot):
    """{number: label} of the nodes of a graph in DOT."""
    return {int(n): label for n, label in re.findall(r'^  n(\d+) \[label="((?:[^"\\]|\\.)*)"', dot, re.M)}


def arcs(dot):
    """(from, to, "and" or "or") of its arcs."""
    return [(int(a), int(b), kind) for a, b, kind in re.findall(r'^  n(\d+) -> n(\d+) \[class="(and|or)', dot, re.M)]


def save(path, report):
    with open(path, "w", encoding="utf-8") as out:
        json.dump(report, out)
