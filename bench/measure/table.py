# SPDX-License-Identifier: BSD-3-Clause
"""Tables of results, in Markdown: medians, and the ratio to no tool with the range over the pairs of runs."""

import csv
import statistics

# How many processors others may use during a run that tells something of the time of a loop.
_QUIET = 0.3
_QUANTITIES = (("loop", "seconds_loop"), ("wall", "seconds_wall"), ("CPU", "cpu_seconds"))
# Columns of the programs that measure by themselves that say what was measured, and those that are of no interest here.
_KEYS = {"program", "pattern", "shape", "variant", "ranks", "rounds", "processes", "fanin", "leaf_ranks", "layers", "tool_processes",
         "size", "jobs"}
_LEFT_OUT = {"run", "repeat", "other_cpu_seconds", "searches", "messages", "records", "fanin", "leaf_ranks", "seconds",
             "seconds_wall", "full_waits", "top_waves", "million_records_per_s_root"}


def rows(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def header(path):
    """[(key, value)] of the comments."""
    with open(path, encoding="utf-8") as lines:
        return [tuple(line[2:].rstrip("\n").split(": ", 1)) for line in lines if line.startswith("# ")]


def groups(read):
    """{(benchmark, ranks): (rows without the tool, rows with it)}, in the order of repeats"""
    found = {}
    for row in read:
        variants = found.setdefault((row["benchmark"], int(row["ranks"])), ([], []))
        variants[row["variant"] == "orknot"].append(row)
    return {key: pair for key, pair in found.items() if pair[0] and pair[1]}


def _seconds(value):
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if value * scale >= 1 or unit == "us" and value >= 1e-6:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.1f} ns"


def ratio(none, orknot, key):
    """(of the medians, least of the pairs, greatest); None: there is nothing to divide by."""
    pairs = [float(b[key]) / float(a[key]) for a, b in zip(none, orknot) if float(a[key]) > 0]
    base = statistics.median(float(r[key]) for r in none)
    if not pairs or base <= 0:
        return None
    return statistics.median(float(r[key]) for r in orknot) / base, min(pairs), max(pairs)


def _ratio(none, orknot, key):
    found = ratio(none, orknot, key)
    return f"{found[0]:.2f} ({found[1]:.2f}-{found[2]:.2f})" if found else "-"


def difference(none, orknot, key):
    middle = [statistics.median(float(r[key]) for r in side) for side in (none, orknot)]
    pairs = [float(b[key]) - float(a[key]) for a, b in zip(none, orknot)]
    return middle[1] - middle[0], min(pairs), max(pairs)


def _difference(none, orknot, key):
    middle, least, greatest = (v * 1e9 for v in difference(none, orknot, key))
    return f"{middle:.1f} ({least:.1f} to {greatest:.1f})"


def _load(row):
    """Processors that other processes kept busy during this run."""
    return float(row["other_cpu_seconds"]) / float(row["seconds_wall"])


def _quiet(none, orknot):
    """Of the pairs in which others did little: median of the loop's ratios, and how many they are."""
    ratios = [float(b["seconds_loop"]) / float(a["seconds_loop"]) for a, b in zip(none, orknot)
              if max(_load(a), _load(b)) <= _QUIET and float(a["seconds_loop"]) > 0]
    return f"{statistics.median(ratios):.2f} of {len(ratios)}" if ratios else "-"


def _costs(found):
    yield "| call | without | with | added ns a call (range) |"
    yield "|---|---|---|---|"
    for (name, _), (none, orknot) in found.items():
        middle = [statistics.median(float(r["seconds_loop"]) for r in side) for side in (none, orknot)]
        yield (f"| {name.split('.', 1)[1]} | {_seconds(middle[0])} | {_seconds(middle[1])} | "
               f"{_difference(none, orknot, 'seconds_loop')} |")


def _ratios(found):
    yield "| benchmark | ranks | pairs | loop, no tool | loop | wall | CPU | others' load | loop, quiet pairs |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for (name, ranks), (none, orknot) in found.items():
        base = statistics.median(float(r["seconds_loop"]) for r in none)
        ratios = " | ".join(_ratio(none, orknot, key) for _, key in _QUANTITIES)
        yield (f"| {name} | {ranks} | {min(len(none), len(orknot))} | {_seconds(base)} | {ratios} | "
               f"{statistics.median(_load(r) for r in none + orknot):.1f} | {_quiet(none, orknot)} |")


def _figure(values):
    numbers = [float(v) for v in values if v != ""]
    if not numbers:
        return "-"
    words = [f"{v:.3g}" if abs(v) < 1000 else f"{v:.0f}" for v in (statistics.median(numbers), min(numbers), max(numbers))]
    return words[0] if words[1] == words[2] else f"{words[0]} ({words[1]}-{words[2]})"


def _medians(read):
    """Rows that say the same of what was measured are one, with median and range of each figure."""
    columns = [c for c in read[0] if c not in _LEFT_OUT]
    keys = [c for c in columns if c in _KEYS or not _is_number(read[0][c])]
    figures = [c for c in columns if c not in keys]
    same = {}
    for row in read:
        same.setdefault(tuple(row[k] for k in keys), []).append(row)
    yield "| " + " | ".join(c.replace("_", " ") for c in keys + figures) + " |"
    yield "|" + "---|" * len(columns)
    for key, members in same.items():
        yield "| " + " | ".join([*key, *(_figure([m[c] for m in members]) for c in figures)]) + " |"


def _is_number(text):
    try:
        float(text or 0)
    except ValueError:
        return False
    return True


def of_files(paths):
    """One table of files of the same kind."""
    read = [row for path in paths for row in rows(path)]
    if not read:
        return ""
    if "benchmark" not in read[0]:
        return "\n".join(_medians(read))
    found = groups(read)
    is_cost = bool(found) and all("." in name for name, _ in found)
    return "\n".join(_costs(found) if is_cost else _ratios(found))


def of_file(path):
    return of_files([path])
