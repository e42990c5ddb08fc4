# SPDX-License-Identifier: BSD-3-Clause
"""Compare a report (MUST_Output.json, schema 1) with an expectation. Every function yields sentences about what is wrong."""

import os
import re

from expectation import FINDINGS_EXIT, Deadlock


def found_deadlock(finding):
    roots = frozenset(frozenset(root) for root in finding["roots"])
    return Deadlock(finding["class"], frozenset(finding["ranks"]), roots)


def deadlock_findings(report):
    return [f for f in report["findings"] if f["id"] == "deadlock"]


def pair(expected, report):
    """[(expected deadlock, finding or None)] and the findings that nobody expected."""
    left = deadlock_findings(report)
    pairs = []
    for deadlock in expected:
        match = next((f for f in left if deadlock.matches(found_deadlock(f))), None)
        if match is not None:
            left.remove(match)
        pairs.append((deadlock, match))
    return pairs, left


def compare_findings(e, report):
    pairs, left = pair(e.required, report)
    for deadlock, finding in pairs:
        if finding is None:
            yield f"not reported: {deadlock}"
    for finding in left:
        found = found_deadlock(finding)
        if finding["id"] not in e.allowed_ids and not any(d.matches(found) for d in e.allowed):
            yield f"reported and not expected: {found}"
    for id_, severity in e.findings:
        if not any((f["id"], f["severity"]) == (id_, severity) for f in report["findings"]):
            yield f"not reported: {id_}, severity {severity}"
    for pattern in e.reports:
        if not any(re.search(pattern, f["message"]) for f in report["findings"]):
            yield f"no finding of the report says: {pattern}"
    for finding in report["findings"]:
        if (finding["id"], finding["severity"]) in e.findings:
            continue
        if finding["id"] != "deadlock" and e.expect != "no-deadlock" and finding["id"] not in e.allowed_ids:
            yield f"reported and not expected: {finding['id']}: {finding['message']}"
    incomplete = "unknown" if report["ranks"] else "not-checked"
    if report["verdict"] != ("findings" if report["findings"] else "clean" if report["complete"] else incomplete):
        yield f"verdict '{report['verdict']}' with {len(report['findings'])} findings"


def compare_calls(e, report):
    """CALL lines, against the first expected deadlock."""
    if not e.calls:
        return
    finding = pair(e.required, report)[0][0][1]
    if finding is None:
        return  # compare_findings() has said so
    waits = {wait["rank"]: wait for wait in finding["waits"]}
    for call in e.calls:
        wait = waits.get(call.rank)
        if wait is None:
            yield f"rank {call.rank} is not listed, expected in {call.name}"
            continue
        if wait["call"] != call.name:
            yield f"rank {call.rank} is in {wait['call'] or 'no call'}, expected {call.name}"
        if call.mark:
            yield from compare_place(e, call, wait["where"])


def compare_place(e, call, where):
    file = os.path.basename((where or {}).get("file") or "?")
    line = (where or {}).get("line")
    lines = e.marks[call.mark]
    if file != e.file or line not in lines:
        want = " or ".join(str(n) for n in lines)
        yield f"rank {call.rank}: {call.name} is at {file}:{line}, expected {e.file}:{want}"


def with_last_calls(e, report):
    """The finding that LAST, MESSAGES and PENDING are about, or None, which another comparison complains of."""
    if e.required:
        return pair(e.required, report)[0][0][1]
    return next((finding for finding in report["findings"] if finding["last_calls"]), {"last_calls": [], "messages": []})


def iteration_of(call):
    iteration = call.get("iteration")
    return (iteration["calls"], iteration["times"]) if iteration else (0, 0)


def are_calls(e, got, wanted):
    return len(got) == len(wanted) and all(
        g[:3] == want[:3] and (not want[3] or g[3] in e.marks[want[3]]) for g, want in zip(got, wanted)
    )


def compare_last(e, report):
    """LAST lines."""
    finding = with_last_calls(e, report) if e.last else None
    if finding is None:
        return
    for last in e.last:
        lists = [one["calls"] for one in finding["last_calls"] if last.rank in one["ranks"]]
        if not lists:
            yield f"there are no last calls of rank {last.rank}"
            continue
        got = [(c["call"], c["times"], iteration_of(c), (c["where"] or {}).get("line")) for c in lists[0]]
        first = 0 if last.may_go_on else max(len(got) - len(last.calls), 0)
        if not any(are_calls(e, got[i:i + len(last.calls)], last.calls) for i in range(first, len(got))):
            yield f"the last calls of rank {last.rank} are {got[first:]}, expected {last.calls}"


def places_of(e, finding, number, call):
    """(rank, mark) of a last call, for each rank of its list and each mark of its line."""
    one = finding["last_calls"][number]
    line = (one["calls"][call]["where"] or {}).get("line")
    marks = [mark for mark, lines in e.marks.items() if line in lines] or [f"line {line}"]
    return [(rank, mark) for rank in one["ranks"] for mark in marks]


def compare_messages(e, report):
    """MESSAGES and PENDING lines."""
    finding = with_last_calls(e, report) if e.messages is not None or e.pending is not None else None
    if finding is None:
        return
    got = {
        (start, end)
        for m in finding["messages"]
        for start in places_of(e, finding, m["from_list"], m["from_call"])
        for end in places_of(e, finding, m["to_list"], m["to_call"])
    }
    if e.messages is not None and got != e.messages:
        yield f"the messages between the last calls are {sorted(got)}, expected {sorted(e.messages)}"
    got = {
        place
        for number, one in enumerate(finding["last_calls"])
        for index, call in enumerate(one["calls"])
        for place in (places_of(e, finding, number, index) if call["pending"] else ())
    }
    if e.pending is not None and got != e.pending:
        yield f"the last calls without a match are {sorted(got)}, expected {sorted(e.pending)}"


def compare_gone(e, report):
    """CALLS_GONE."""
    gone = [finding["id"] for finding in report["findings"] if finding.get("calls_gone")]
    if e.calls_gone and not gone:
        yield "no finding lacks the calls that it is about"


def compare_advice(e, report):
    if not deadlock_findings(report):
        return  # compare_findings() has said so
    advice = [remedy["message"] for finding in deadlock_findings(report) for remedy in finding["resolve"]]
    for pattern in e.advises:
        if not any(re.search(pattern, message) for message in advice):
            yield f"no advice is: {pattern}; there is {advice}"


def compare_text(e, text):
    for pattern in e.says:
        if not re.search(pattern, text):
            yield f"the text does not say: {pattern}"
    for pattern in e.never_says:
        if found := re.search(pattern, text):
            yield f"the text says: {found[0]}"
    for mark in e.says_lines:
        for line in e.marks[mark]:
            if not re.search(rf"{re.escape(e.file)}:{line}\b", text):
                yield f"the text does not name {e.file}:{line}"


def compare_run(e, report):
    if report["schema"] != 1 or report["tool"]["name"] != "orknot":
        yield "not a report of schema 1"
    if report["ranks"] != e.report_ranks:
        yield f"the report names {report['ranks']} ranks, expected {e.report_ranks}"
    if report["complete"] != (e.report_ranks > 0 and not e.incomplete):
        yield f"the report is {'' if report['complete'] else 'not '}complete: {report.get('notes')}"


def expected_exits(e, report, plain_exit):
    """Exit codes that are right: as the program says, else 66 after an error that has no exit
    code of its own, else those of the plain run."""
    if e.exits:
        return e.exits
    errors = {f["id"] for f in report["findings"] if f["severity"] == "error"}
    if errors == {"abnormal-end"} and plain_exit:
        return [plain_exit]
    if errors:
        return [FINDINGS_EXIT]
    return [0 if plain_exit is None else plain_exit]


def compare_exit(e, report, exit_code, plain_exit):
    right = expected_exits(e, report, plain_exit)
    if exit_code not in right:
        yield f"exit code {exit_code}, expected {' or '.join(str(code) for code in right)}"


def compare_files(report, folder):
    """The files that belong to the report lie in the folder."""
    if not os.path.isfile(os.path.join(folder, "MUST_Output.html")):
        yield "MUST_Output.html is missing"
    for finding in deadlock_findings(report):
        for kind in ("dot", "svg"):
            name = (finding.get("files") or {}).get(kind)
            if not name or not os.path.isfile(os.path.join(folder, name)):
                yield f"the {kind} file of a deadlock is missing: {name}"
    if not report["findings"] and os.path.exists(os.path.join(folder, "MUST_Output-files")):
        yield "MUST_Output-files exists without a finding"


def compare(e, report, text, exit_code, plain_exit=None):
    """All that is wrong with a report, its text and the exit code."""
    problems = list(compare_run(e, report))
    problems += compare_findings(e, report)
    problems += compare_calls(e, report)
    problems += compare_last(e, report)
    problems += compare_messages(e, report)
    problems += compare_advice(e, report)
    problems += compare_gone(e, report)
    # A finding is printed when it is certain; how often it was made is known at the end, and stands in the report.
    kinds = [(f"{finding['severity']}: {finding['id']}", finding["message"]) for finding in report["findings"]]
    final = [f"{kind}: {message}" for kind, message in kinds if kind in text]
    problems += compare_text(e, "\n".join([text, *final]))
    problems += compare_exit(e, report, exit_code, plain_exit)
    return problems


def describe_finding(finding):
    if finding["id"] == "deadlock":
        yield str(found_deadlock(finding))
    else:
        yield finding["id"]
    yield f"  {finding['severity']}: {finding['message']}"
    for wait in finding["waits"]:
        where = wait["where"] or {}
        place = f"{os.path.basename(where.get('file') or '?')}:{where.get('line')}"
        yield f"  rank {wait['rank']}: {wait['call']} at {place}, waits for {wait['for']}"


def describe(e, report):
    """Expectation and report side by side, for a reader of a failed test."""
    lines = [f"expected ({e.expect}):"]
    lines += [f"  {deadlock}" for deadlock in e.required] or ["  no deadlock"]
    lines += [f"  perhaps {deadlock}" for deadlock in e.allowed]
    lines.append(f"reported ({report['verdict']}):")
    for finding in report["findings"]:
        lines += ["  " + line for line in describe_finding(finding)]
    lines += [f"  note: {note}" for note in report.get("notes") or []]
    return "\n".join(lines)
