# SPDX-License-Identifier: BSD-3-Clause
"""Tables of results, in Markdown: medians, and the ratio to no tool with the range over the pairs of runs."""

import csv
import statistics

# How many processors others may use during a run that tells something of the time of a loop.
_QUIET = 0.3
_QUANTITIES = (("loop", "seconds_loop"), ("wall", "seconds_wall"), ("CPU", "cpu_seconds"))


def _rows(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def _groups(rows):
    """{(benchmark, ranks): {variant: rows in the order of repeats}}"""
    groups = {}
    for row in rows:
        variants = groups.setdefault((row["benchmark"], int(row["ranks"])), {"none": [], "orknot": []})
        variants[row["variant"]].append(row)
    return groups


def _seconds(value):
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if value * scale >= 1 or unit == "us" and value >= 1e-6:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.1f} ns"


def _ratio(none, orknot, key):
    pairs = [float(b[key]) / float(a[key]) for a, b in zip(none, orknot) if float(a[key]) > 0]
    base = statistics.median(float(r[key]) for r in none)
    if not pairs or base <= 0:
        return "-"
    ratio = statistics.median(float(r[key]) for r in orknot) / base
    return f"{ratio:.2f} ({min(pairs):.2f}-{max(pairs):.2f})"


def _difference(none, orknot, key):
    middle = [statistics.median(float(r[key]) for r in rows) for rows in (none, orknot)]
    pairs = [float(b[key]) - float(a[key]) for a, b in zip(none, orknot)]
    return f"{(middle[1] - middle[0]) * 1e9:.1f} ({min(pairs) * 1e9:.1f} to {max(pairs) * 1e9:.1f})"


def _load(row):
    """Processors that other processes kept busy during this run."""
    return float(row["other_cpu_seconds"]) / float(row["seconds_wall"])


def _quiet(none, orknot):
    """Of the pairs in which others did little: median of the loop's ratios, and how many they are."""
    ratios = [float(b["seconds_loop"]) / float(a["seconds_loop"]) for a, b in zip(none, orknot)
              if max(_load(a), _load(b)) <= _QUIET and float(a["seconds_loop"]) > 0]
    return f"{statistics.median(ratios):.2f} of {len(ratios)}" if ratios else "-"


def _costs(groups):
    yield "| call | without | with | added ns a call (range) |"
    yield "|---|---|---|---|"
    for (name, _), group in groups.items():
        none, orknot = group["none"], group["orknot"]
        middle = [statistics.median(float(r["seconds_loop"]) for r in rows) for rows in (none, orknot)]
        yield (f"| {name.split('.', 1)[1]} | {_seconds(middle[0])} | {_seconds(middle[1])} | "
               f"{_difference(none, orknot, 'seconds_loop')} |")


def _ratios(groups):
    yield "| benchmark | ranks | pairs | loop, no tool | loop | wall | CPU | others' load | loop, quiet pairs |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for (name, ranks), group in groups.items():
        none, orknot = group["none"], group["orknot"]
        base = statistics.median(float(r["seconds_loop"]) for r in none)
        ratios = " | ".join(_ratio(none, orknot, key) for _, key in _QUANTITIES)
        yield (f"| {name} | {ranks} | {min(len(none), len(orknot))} | {_seconds(base)} | {ratios} | "
               f"{statistics.median(_load(r) for r in none + orknot):.1f} | {_quiet(none, orknot)} |")


def _plain(rows):
    """Of programs that run no MPI job: as it stands."""
    yield "| " + " | ".join(rows[0]) + " |"
    yield "|" + "---|" * len(rows[0])
    yield from ("| " + " | ".join(row.values()) + " |" for row in rows)


def of_file(path):
    rows = _rows(path)
    if rows and "repeat" not in rows[0]:
        return "\n".join(_plain(rows))
    groups = {key: group for key, group in _groups(rows).items() if group["none"] and group["orknot"]}
    is_cost = bool(groups) and all("." in name for name, _ in groups)
    return "\n".join(_costs(groups) if is_cost else _ratios(groups))
