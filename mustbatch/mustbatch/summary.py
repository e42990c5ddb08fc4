# SPDX-License-Identifier: BSD-3-Clause
"""The summary of a run: a plain structure, written as summary.json; HTML and JUnit are made of it."""

import json
import platform

RESULTS = ("pass", "fail", "error", "timeout", "skipped")
BAD = ("fail", "error", "timeout")
SCHEMA = 1


def make(suite, results, version, started, seconds, settings, resumed=0):
    """`settings`: what the runs have in common, or None for collected reports. `resumed`: how many results are of an earlier run."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "mustbatch", "version": version},
        "suite": suite.name,
        "description": suite.description,
        "host": platform.node(),
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "settings": settings,
        "interrupted": any(result.get("interrupted") for result in results),
        "resumed": resumed,
        "totals": {word: sum(result["result"] == word for result in results) for word in RESULTS},
        "cases": results,
    }


def to_json(summary):
    return json.dumps(summary, indent=1, ensure_ascii=True) + "\n"


def is_as_expected(summary):
    return not any(summary["totals"][word] for word in BAD)


def sentence(summary):
    """ "1 of 12 cases is not as expected; 2 were skipped."."""
    totals = summary["totals"]
    cut = sum(bool(result.get("interrupted")) for result in summary["cases"])
    skipped = totals["skipped"] - cut
    run = sum(totals.values()) - totals["skipped"]
    bad = sum(totals[word] for word in BAD)
    if run == 0:
        text = "No case was run"
    elif bad == 0:
        text = "The case is as expected" if run == 1 else f"All {run} cases are as expected"
    else:
        text = f"{bad} of {run} {'case' if run == 1 else 'cases'} {'is' if bad == 1 else 'are'} not as expected"
    if skipped:
        text += f"; {skipped} {'was' if skipped == 1 else 'were'} skipped"
    if cut:
        text += f"; interrupted before {cut} more"
    return text + "."
