# SPDX-License-Identifier: BSD-3-Clause
"""Puts tables and what was measured on into a Markdown file, between markers:

  <!-- table ring halo -->     the files ring.csv and halo.csv of the results, as one table
  <!-- short ring halo: benchmark, ranks, loop -->      these columns of it
  <!-- short races: program, races; program = farm -->  and only the rows that have this there
  <!-- machine ring halo -->   on what they were measured
  <!-- plot search Words -->   plots/search.svg
  <!-- end -->

What stands between a marker and its end is replaced."""

import re
import textwrap

import table

_MARKED = re.compile(r"(<!-- (table|short|machine|plot) ([^>]*?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_ON_WHAT = ("cpu", "cores", "kernel", "mpi", "compiler", "build", "commit")
MISSING = "*Not measured yet.*\n"


def _table(folder, names):
    paths = [folder / f"{name}.csv" for name in names.split()]
    known = [path for path in paths if path.exists()]
    return table.of_files(known) + "\n" if known else MISSING


def _cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def _short(folder, words):
    names, _, wanted = words.partition(":")
    columns, _, condition = wanted.partition(";")
    lines = _table(folder, names).splitlines()
    if lines == [MISSING.rstrip()]:
        return MISSING
    head = _cells(lines[0])
    chosen = [head.index(column.strip()) for column in columns.split(",")]
    key, _, values = (part.strip() for part in condition.partition("="))
    rows = [_cells(line) for line in lines[2:]]
    if key:
        rows = [row for row in rows if row[head.index(key)] in [value.strip() for value in values.split("|")]]
    shown = ["| " + " | ".join(row[i] for i in chosen) + " |\n" for row in [head, *rows]]
    return "".join([shown[0], "|" + "---|" * len(chosen) + "\n", *shown[1:]])


def _sentence(path):
    """On what, and what else the head says that is of interest here."""
    head = [(key, value) for key, value in table.header(path) if key != "command" and not key.startswith("pairs")]
    known = dict(head)
    words = ", ".join(f"{known[key]} cores" if key == "cores" else known[key] for key in _ON_WHAT if key in known)
    return words, "".join(f"* {key}: {value}\n" for key, value in head if key not in _ON_WHAT)


def _machine(folder, names):
    same = {}
    for name in names.split():
        path = folder / f"{name}.csv"
        if path.exists():
            same.setdefault(_sentence(path), []).append(name)
    text = ""
    for (words, rest), members in same.items():
        sentence = f"Measured on{'' if len(same) == 1 else ' (' + ', '.join(members) + ')'}: {words}."
        text += textwrap.fill(sentence, 120, break_long_words=False, break_on_hyphens=False) + "\n\n"
        text += rest + "\n" if rest else ""
    return text or MISSING


def _plot(document, words):
    name, _, title = words.partition(" ")
    path = document.parent / "plots" / f"{name}.svg"
    return f"![{title}](plots/{name}.svg)\n" if path.exists() else MISSING


def refreshed(document, results):
    """(what the file says, what it should say)"""
    makers = {"table": lambda words: _table(results, words), "short": lambda words: _short(results, words),
              "machine": lambda words: _machine(results, words),
              "plot": lambda words: _plot(document, words)}
    before = document.read_text(encoding="utf-8")
    return before, _MARKED.sub(lambda m: m[1] + makers[m[2]](m[3]) + m[5], before)


def refresh(document, results):
    """True: the file has changed."""
    before, after = refreshed(document, results)
    document.write_text(after, encoding="utf-8")
    return after != before
