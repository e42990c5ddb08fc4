#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pairs of accesses (cases.py) under the tool: those that conflict are reported, with the lines of both accesses, and no other ones.

usage: test_pairs.py <mustrun> <compiler> <c or fortran> <family> <direct or typed> [level of optimisation, library for loads and stores]
"""

import json
import os
import re
import sys
import tempfile

import cases
import languages

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import process  # noqa: E402

CASES_MOST = 16  # in a program: a report has 20 findings of a kind
LANGUAGES = {"c": languages.C, "fortran": languages.Fortran}


def groups_of(all_cases):
    for first in range(0, len(all_cases), CASES_MOST):
        yield all_cases[first : first + CASES_MOST]


def compile_for_loads(compiler, level, library, path):
    """RATIONALE: two steps, because with the option the compiler links a library of its own. Returns what to link."""
    made = os.path.splitext(path)[0] + ".o"
    folder = os.path.dirname(path)
    outcome = process.run([compiler, "-g", level, "-fsanitize=thread", "-c", "-o", made, path], folder, 60)
    assert outcome.exit_code == 0, outcome.stderr.decode(errors="replace")
    return [made, library, "-ldl"]


def build(compiler, language, options, source, folder):
    path = os.path.join(folder, "pairs." + language.suffix)
    with open(path, "w", encoding="utf-8") as out:
        out.write(source)
    executable = os.path.join(folder, "pairs")
    inputs = compile_for_loads(compiler, *options, path) if options else [path]
    outcome = process.run([compiler, "-g", "-o", executable, *inputs], folder, 60)
    assert outcome.exit_code == 0, outcome.stderr.decode(errors="replace")
    return executable


def conflicts_of(report):
    for finding in report["findings"]:
        assert finding["id"] == "rma-conflict", finding["message"]
        yield frozenset(int(n) for n in re.findall(r"\bpairs\.\w+:(\d+)", finding["message"])), finding["message"]


def run(mustrun, executable, folder):
    words = [mustrun, "--must:output", "json", "--must:output-dir", folder, "--oversubscribe", "-np", "3", executable]
    outcome = process.run(words, folder, 100)
    assert outcome.exit_code in (0, 66), outcome.stderr.decode(errors="replace")
    with open(os.path.join(folder, "MUST_Output.json"), encoding="utf-8") as file:
        return json.load(file)


def compare(report, expected, source):
    """Sentences about what is wrong."""
    lines = source.splitlines()
    found = dict(conflicts_of(report))
    for pair in found.keys() - expected.keys():
        yield "a false conflict: " + found[pair]
    for pair in expected.keys() - found.keys():
        yield f"no conflict of {expected[pair]}: " + " and ".join(lines[n - 1].strip() for n in sorted(pair))
    for note in report.get("notes", []):
        if "not compared" in note:
            yield note


def main(argv):
    mustrun, compiler, language, family, layout, *options = argv
    language = LANGUAGES[language]
    wrong = conflicts = count = 0
    for group in groups_of(list(cases.cases_of(family))):
        source, expected = languages.write(language, group, layout)
        with tempfile.TemporaryDirectory() as folder:
            executable = build(compiler, language, options, source, folder)
            for sentence in compare(run(os.path.abspath(mustrun), executable, folder), expected, source):
                print(sentence)
                wrong += 1
        count += len(group)
        conflicts += len(expected)
    print(f"{count} cases, {conflicts} that conflict, {wrong} wrong")
    return 1 if wrong or (conflicts == 0 and family != "hand_over") or conflicts == count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
