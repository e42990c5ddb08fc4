# SPDX-License-Identifier: BSD-3-Clause
"""Tables of results, in Markdown: medians, and the ratio to no tool with the range over the pairs of runs."""

import csv
import statistics

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


def _other(rows):
    """Processors that other processes kept busy during these runs."""
    return statistics.median(float(r["other_cpu_seconds"]) / float(r["seconds_wall"]) for r in rows)


def _costs(groups):
    yield "| call | without | with | added ns a call (range) |"
    yield "|---|---|---|---|"
    for (name, _), group in groups.items():
        none, orknot = group["none"], group["orknot"]
        middle = [statistics.median(float(r["seconds_loop"]) for r in rows) for rows in (none, orknot)]
        yield (f"| {name.split('.', 1)[1]} | {_seconds(middle[0])} | {_seconds(middle[1])} | "
               f"{_difference(none, orknot, 'seconds_loop')} |")


def _ratios(groups):
    yield "| benchmark | ranks | pairs | loop, no tool | loop | wall | CPU | others' load |"
    yield "|---|---|---|---|---|---|---|---|"
    for (name, ranks), group in groups.items():
        none, orknot = group["none"], group["orknot"]
        base = statistics.median(float(r["seconds_loop"]) for r in none)
        ratios = " | ".join(_ratio(none, orknot, key) for _, key in _QUANTITIES)
        yield (f"| {name} | {ranks} | {min(len(none), len(orknot))} | {_seconds(base)} | {ratios} | "
               f"{_other(none + orknot):.1f} |")


def of_file(path):
    groups = {key: group for key, group in _groups(_rows(path)).items() if group["none"] and group["orknot"]}
    is_cost = bool(groups) and all("." in name for name, _ in groups)
    return "\n".join(_costs(groups) if is_cost else _ratios(groups))
