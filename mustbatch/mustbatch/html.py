# SPDX-License-Identifier: BSD-3-Clause
"""The summary as one page: no script, no network, nothing of a program's unescaped."""

import math
import os
import shlex
import urllib.parse
from html import escape

from mustbatch import expectation, progress, report, summary

STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.css")
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
COMMAND_MAX = 80  # characters
TITLE_MAX = 1000
RANGE_WIDTH, RANGE_HEIGHT = 96, 10  # of the picture of a slowdown
SCALE_MIN, SCALE_MAX = 0.25, 16.0
HEAD_RANKS, HEAD_TIME, HEAD_SLOWDOWN = (f'<th class="number">{word}</th>' for word in ("ranks", "time", "slowdown"))
BESIDE = "<code>summary.json</code> and <code>summary.xml</code> in the same folder hold the same results for programs."
SLOWDOWN = (
    " Slowdown: median of the times with the tool over median of those without;"
    " the bar is the range of the turns, on a logarithmic scale with its tick at 1."
)


def link(path, text):
    return f'<a href="{escape(urllib.parse.quote(path, errors="surrogateescape"))}">{escape(text)}</a>'


def strip(totals):
    parts = [
        f'<span class="{word}" style="flex:{totals[word]}" title="{word}: {totals[word]}"></span>'
        for word in summary.RESULTS
        if totals[word]
    ]
    return f'<div class="strip" role="img" aria-label="{counts(totals)}">{"".join(parts)}</div>'


def counts(totals):
    return ", ".join(f"{totals[word]} {word}" for word in summary.RESULTS if totals[word])


def filters(totals):
    bad = sum(totals[word] for word in summary.BAD)
    choices = [
        ("all", "all", sum(totals.values())),
        ("bad", "not as expected", bad),
        ("pass", "as expected", totals["pass"]),
        ("skipped", "skipped", totals["skipped"]),
    ]
    return "".join(
        f'<input class="filter" type="radio" name="only" id="only-{key}"{" checked" if key == "all" else ""}>'
        f'<label for="only-{key}">{number} {text}</label>\n'
        for key, text, number in choices
        if number or key == "all"
    )


def waits(found):
    rows = []
    for entry in found["waits"]:
        where = f' at <span class="mono">{escape(entry["place"])}</span>' if entry["place"] else ""
        rows.append(f'<li>rank {entry["rank"]}: <code>{escape(entry["call"] or "running")}</code>{where}</li>')
    if found["more_waits"]:
        rows.append(f'<li>and {found["more_waits"]} more ranks: see the report</li>')
    return f'<ul>{"".join(rows)}</ul>' if rows else ""


def seen_in(found, result):
    """In how many of the runs with the tool, if not in all."""
    runs = [run["name"] for run in result["runs"] if run["variant"] == "tool"]
    return "" if len(found["runs"]) == len(runs) else f' <span class="soft">in {len(found["runs"])} of {len(runs)} runs</span>'


def finding(found, result):
    class_ = f" ({escape(found['class'])})" if found["class"] else ""
    head = f'<b class="{escape(found["severity"])}">{escape(found["id"])}{class_}</b>: {escape(found["message"])}{seen_in(found, result)}'
    body = "".join(f"<p>{escape(detail)}</p>" for detail in found["details"]) + waits(found)
    return f'<li class="finding">{head}{f"<details><summary>where</summary>{body}</details>" if body else ""}</li>'


def says_a_finding(result):
    """The reason is one of the findings that are shown anyhow."""
    return any(result["reason"] == report.title(found) for found in result["findings"])


def verdict_line(result):
    if result["reason"]:
        return "" if says_a_finding(result) else f"<p>{escape(result['reason'])}</p>"
    if result["verdict"] is None:
        return ""
    return f"<p>{result['verdict']}{', as expected' if result['findings'] and result['expected'] != 'any' else ''}</p>"


def what(result):
    rows = [verdict_line(result)]
    if result["findings"]:
        rows.append(f'<ul class="findings">{"".join(finding(found, result) for found in result["findings"])}</ul>')
    if result["expected"] != "clean" and result["result"] != "pass":
        rows.append(f'<p class="soft">expected: {escape(expectation.show(result["expected"]))}</p>')
    if result["notes"]:
        notes = "".join(f"<p>{escape(note)}</p>" for note in result["notes"])
        rows.append(f'<details><summary>{count(len(result["notes"]), "note")} on the analysis</summary>{notes}</details>')
    return "".join(rows)


def count(number, word):
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def links_of(run):
    return " ".join(link(run[key], text) for key, text in (("report", "report"), ("stdout", "output"), ("stderr", "errors")) if run[key])


def best(runs):
    """The run to look at first: the last one with a report."""
    return next((run for run in reversed(runs) if run["report"]), runs[-1])


def links(result):
    runs = result["runs"]
    if not runs:
        return ""
    text = f"<div>{links_of(best(runs))}</div>"
    if len(runs) > 1:
        rows = (f'<div><span class="soft">{escape(run["name"])}{time_of(run)}</span> {links_of(run)}</div>' for run in runs)
        text += f'<details><summary>{len(runs)} runs</summary>{"".join(rows)}</details>'
    return text


def time_of(run):
    return f" {progress.seconds(run['seconds'])}" if run["seconds"] is not None else ""


def scale(cases):
    """(lowest, highest) of all slowdowns, within reason; None if there are none."""
    slowdowns = [result["slowdown"] for result in cases if result["slowdown"]]
    if not slowdowns:
        return None
    low = min(slowdown["low"] for slowdown in slowdowns)
    high = max(slowdown["high"] for slowdown in slowdowns)
    return max(SCALE_MIN, min(0.8, low)), min(SCALE_MAX, max(1.5, high))


def picture(slowdown, ends):
    """The range of the turns and the ratio of the medians, on a logarithmic scale that all rows share; the tick is at 1."""
    low, high = ends
    span = RANGE_WIDTH - 8

    def at(value):
        return 4 + span * math.log(max(low, min(value, high)) / low) / math.log(high / low)

    middle = RANGE_HEIGHT / 2
    return (
        f'<svg class="range" width="{RANGE_WIDTH}" height="{RANGE_HEIGHT}" aria-hidden="true">'
        f'<line x1="0" x2="{RANGE_WIDTH}" y1="{middle}" y2="{middle}"/>'
        f'<line class="one" x1="{at(1):.1f}" x2="{at(1):.1f}" y1="0" y2="{RANGE_HEIGHT}"/>'
        f'<line class="span" x1="{at(slowdown["low"]):.1f}" x2="{at(slowdown["high"]):.1f}" y1="{middle}" y2="{middle}"/>'
        f'<circle cx="{at(slowdown["ratio"]):.1f}" cy="{middle}" r="3.5"/></svg>'
    )


def slowdown_cell(result, ends):
    slowdown = result["slowdown"]
    if slowdown is None:
        return "<td></td>"
    turns = (
        f'<small class="soft">{slowdown["low"]:.2f}&ndash;{slowdown["high"]:.2f}</small> ' if slowdown["low"] != slowdown["high"] else ""
    )
    return f'<td class="number" data-label="slowdown">{turns}{slowdown["ratio"]:.2f}{picture(slowdown, ends)}</td>'


def command_of(result):
    """Without the program's folder; the whole is in the title."""
    if not result["command"]:
        return ""
    text = shlex.join([os.path.basename(result["command"][0])] + result["command"][1:])
    text = text if len(text) <= COMMAND_MAX else text[: COMMAND_MAX - 3] + "..."
    return f'<code title="{escape(shlex.join(result["command"])[:TITLE_MAX])}">{escape(text)}</code>'


def row(result, ends):
    word = result["result"]
    bad = " bad" if word in summary.BAD else ""
    seconds = result["times"]["tool"]
    time = f'<td class="number" data-label="time">{progress.seconds(seconds)}</td>' if seconds is not None else "<td></td>"
    ranks = f'<td class="number" data-label="ranks">{result["ranks"]}</td>' if result["ranks"] else "<td></td>"
    cells = [
        f'<td><span class="badge {word}">{word}</span></td>',
        f'<td class="name">{escape(result["name"])}{command_of(result)}</td>',
        ranks,
        f'<td class="what">{what(result)}</td>',
        time,
        slowdown_cell(result, ends) if ends else "",
        f'<td class="links">{links(result)}</td>',
    ]
    return f'<tr class="case {word}{bad}">{"".join(cells)}</tr>\n'


def table(cases):
    """What is not as expected stands first, what was skipped last."""
    ends = scale(cases)
    ranking = {word: 0 for word in summary.BAD} | {"pass": 1, "skipped": 2}
    ordered = sorted(cases, key=lambda result: ranking[result["result"]])
    columns = [HEAD_RANKS, "<th>what was found</th>", HEAD_TIME, HEAD_SLOWDOWN if ends else "", "<th>files</th>"]
    head = f'<thead><tr><th>result</th><th>case</th>{"".join(columns)}</tr></thead>'
    return f'<div class="card"><table>{head}<tbody>\n{"".join(row(result, ends) for result in ordered)}</tbody></table></div>\n'


def about(made):
    text = f"{escape(made['started'][:16].replace('T', ' '))} on {escape(made['host'])}, {progress.seconds(made['seconds'])}"
    settings = made["settings"] or {}
    if settings.get("extra"):
        text += f", with <code>{escape(shlex.join(settings['extra']))}</code>"
    return text


def remarks(made):
    settings = made["settings"] or {}
    rows = []
    if made["interrupted"]:
        rows.append("The run was interrupted; <code>--resume</code> continues it.")
    if made["resumed"]:
        rows.append(f"{count(made['resumed'], 'result')} {'is' if made['resumed'] == 1 else 'are'} from an earlier run.")
    if settings.get("compare") and settings.get("jobs", 1) > 1:
        rows.append("Cases ran in parallel, so times and slowdowns are not reliable.")
    return "".join(f'<p class="remark">{text}</p>\n' for text in rows)


def footer(made):
    slowdown = SLOWDOWN if any(result["slowdown"] for result in made["cases"]) else ""
    return f'<footer>mustbatch {escape(made["tool"]["version"])}. {BESIDE}{slowdown}</footer>\n'


def make(made):
    with open(STYLE, encoding="utf-8") as file:
        style = file.read()
    title = escape(f"{made['suite']}: {summary.sentence(made)}")
    description = f' &middot; <span class="soft">{escape(made["description"])}</span>' if made["description"] else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f'<p class="suite">{escape(made["suite"])}{description}</p>\n<h1>{escape(summary.sentence(made))}</h1>\n'
        f'<p class="soft">{about(made)}</p>\n{remarks(made)}'
        f'{strip(made["totals"])}\n{filters(made["totals"])}{table(made["cases"])}{footer(made)}'
        "</main>\n</body>\n</html>\n"
    )
