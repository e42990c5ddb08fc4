# SPDX-License-Identifier: BSD-3-Clause
"""The charts of bench/results/README.md, from the CSV files of the results."""

import pathlib
import statistics

import svg
import table


def _series(rows, name, across, up, scale=1.0):
    """{name: [(x, median, least, greatest)]}"""
    found = {}
    for row in rows:
        found.setdefault(row[name], {}).setdefault(float(row[across]), []).append(scale * float(row[up]))
    return {key: [(x, statistics.median(v), min(v), max(v)) for x, v in sorted(points.items())]
            for key, points in found.items()}


def _lines(file, title, name, across, up, words_across, words_up, scale=1.0, log_up=True):
    def draw(folder):
        rows = [r for r in table.rows(folder / file) if not log_up or float(r[up]) > 0]
        return svg.lines(title, words_across, words_up, _series(rows, name, across, up, scale), log_up=log_up) if rows else None
    return draw


def _ratios(folder):
    """The loops of all programs, as ratios to no tool."""
    rows = []
    for path in sorted(folder.glob("*.csv")):
        read = table.rows(path)
        is_cost = path.stem.startswith(("call-cost", "memory-cost", "start-up"))
        if not read or "variant" not in read[0] or "seconds_loop" not in read[0] or is_cost:
            continue
        for (name, ranks), (none, orknot) in table.groups(read).items():
            middle, least, greatest = table.ratio(none, orknot, "seconds_loop")
            rows.append((f"{name}, {ranks} ranks", middle, least, greatest))
    return svg.points("Time of the loop with the tool", "ratio to no tool: of the medians, and range of the pairs", rows, 1.0,
                      log=True) if rows else None


def _calls(folder):
    rows = []
    for language in ("c", "fortran"):
        path = folder / f"call-cost-{language}.csv"
        if not path.exists():
            continue
        for (name, _), (none, orknot) in table.groups(table.rows(path)).items():
            middle, least, greatest = table.difference(none, orknot, "seconds_loop")
            rows.append((f"{name.split('.', 1)[1]}, {'C' if language == 'c' else 'Fortran'}", 1e9 * middle, 1e9 * least, 1e9 * greatest))
    return svg.points("What a call costs the rank", "ns added: median, and range of the pairs", rows, 0.0) if rows else None


def _verdict(folder):
    series = {}
    for row in table.rows(folder / "verdict.csv"):
        for column, words in (("seconds_to_finding", "finding"), ("seconds_to_first_report", "report")):
            series.setdefault(f"{row['variant']}: {words}", {}).setdefault(float(row["ranks"]), []).append(float(row[column]))
    found = {key: [(x, statistics.median(v), min(v), max(v)) for x, v in sorted(points.items())] for key, points in series.items()}
    return svg.lines("From the last rank blocked to the finding and the report", "ranks", "seconds", found)


def _soak(folder):
    series = {}
    for row in table.rows(folder / "soak.csv"):
        series.setdefault(f"process {row['process']}", []).append((float(row["second"]), float(row["private_kib"]) / 1024))
    found = {key: [(x, y, y, y) for x, y in points] for key, points in series.items()}
    return svg.lines("Private memory of the tool's processes", "seconds", "MiB", found, log_across=False, log_up=False)


PLOTS = {
    "calls": _calls,
    "ratios": _ratios,
    "detector": _lines("detector-scale.csv", "The detector alone", "program", "ranks", "ns_per_record", "ranks", "ns a record"),
    "root": _lines("tree-scale.csv", "The root of the tree", "pattern", "ranks", "root_ns_per_record", "ranks", "ns a record"),
    "tree": _lines("tree-scale.csv", "All processes of the tree together", "pattern", "ranks", "all_ns_per_record", "ranks",
                   "ns a record"),
    "bytes": _lines("tree-scale.csv", "What a record needs on the links of the root", "pattern", "ranks", "top_bytes_per_record",
                    "ranks", "bytes"),
    "build": _lines("wfg-scale.csv", "Building the wait-for graph", "shape", "processes", "build_ms", "ranks", "ms"),
    "search": _lines("wfg-scale.csv", "Searching it", "shape", "processes", "search_ms", "ranks", "ms"),
    "verdict": _verdict,
    "soak": _soak,
}


def draw(results, out):
    """Write the charts whose figures are there; their names."""
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name, plot in PLOTS.items():
        try:
            text = plot(results)
        except FileNotFoundError:
            continue
        if text is not None:
            (out / f"{name}.svg").write_text(text, encoding="utf-8")
            drawn.append(name)
    return drawn
