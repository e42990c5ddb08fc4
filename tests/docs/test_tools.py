# SPDX-License-Identifier: BSD-3-Clause
"""The checks of this folder find what they are for."""
import copy
import json
import os
import re
import unittest

import check_pages
import page
import run_page
import schema

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
with open(os.path.join(SOURCE, "docs", "reference", "report.schema.json")) as file:
    SCHEMA = json.load(file)

PLACE = {"function": "main", "file": "a.c", "line": 3}
WAIT = {
    "rank": 0, "call": "MPI_Recv", "comm": "MPI_COMM_WORLD", "peer": "MPI_ANY_SOURCE", "tag": 7, "semantics": "OR",
    "for": [1], "state": "blocked", "detail": None, "where": PLACE, "stack": [],
}
FINDING = {
    "id": "deadlock", "class": "manifest", "severity": "error", "message": "m", "summary": None, "details": [],
    "ranks": [0], "roots": [[0]], "independent": [], "waits": [WAIT], "decisions": [], "near_misses": [], "last_calls": [],
    "messages": [],
    "communicators": [], "resolve": [], "basis": {"kind": "strict", "text": None},
    "graph": {"nodes": [], "arcs": []}, "files": {"dot": None, "svg": None, "lanes": None},
}
REPORT = {
    "schema": 1, "tool": {"name": "orknot", "version": "1"}, "command": ["a"], "ranks": 2, "jobs": [], "seconds": 1.5,
    "application": {"exit_code": None, "signal": 9, "ended": True}, "complete": True, "verdict": "findings",
    "notes": [], "findings": [FINDING], "suppressed": 0,
    "statistics": {
        "calls": 1, "records": 1, "messages": 0, "collectives": 0, "searches": 1, "full_waits": 0, "tool_waits": 0,
        "tool_ranks": 1, "seconds_to_verdict": None,
    },
}


def changed(change):
    report = copy.deepcopy(REPORT)
    change(report)
    return report


class Schema(unittest.TestCase):
    def faults(self, change, closed=False):
        return schema.Validator(SCHEMA, closed).faults(changed(change))

    def test_a_report_is_valid(self):
        known = [key for key in SCHEMA["required"] if key not in REPORT]
        self.assertEqual([], known)
        self.assertEqual([], self.faults(lambda report: None, closed=True))

    def test_a_missing_key_is_named(self):
        for key in SCHEMA["required"]:
            self.assertEqual([f"$: the key {key} is missing"], self.faults(lambda report, key=key: report.pop(key)))

    def test_a_report_is_about_a_run_or_an_exploration(self):
        self.assertEqual(["$: the key jobs is missing"], self.faults(lambda report: report.pop("jobs")))
        with open(os.path.join(SOURCE, "tests", "unit", "report", "golden", "farm.json")) as golden:
            exploration = json.load(golden)
        self.assertEqual([], schema.Validator(SCHEMA, closed=True).faults(exploration))
        del exploration["exploration"]["outcomes"][0]["choices"][0]["instead"]
        faults = schema.Validator(SCHEMA, closed=True).faults(exploration)
        self.assertEqual(["$.exploration.outcomes[0].choices[0]: the key instead is missing"], faults)

    def test_a_value_of_the_wrong_type_is_named(self):
        self.assertIn("$.ranks", self.faults(lambda report: report.update(ranks="2"))[0])
        self.assertIn("$.complete", self.faults(lambda report: report.update(complete=1))[0])
        self.assertIn("$.schema", self.faults(lambda report: report.update(schema=True))[0])

    def test_faults_deep_inside_are_found(self):
        wait = lambda report: report["findings"][0]["waits"][0]  # noqa: E731
        self.assertIn("waits[0].semantics", self.faults(lambda report: wait(report).update(semantics="XOR"))[0])
        self.assertIn("waits[0].for[0]", self.faults(lambda report: wait(report)["for"].__setitem__(0, -1))[0])
        self.assertTrue(self.faults(lambda report: wait(report)["where"].update(line=0)))

    def test_keys_nobody_described_are_faults_only_of_what_the_tool_writes(self):
        change = lambda report: report["findings"][0].update(new=1)  # noqa: E731
        self.assertEqual([], self.faults(change))
        self.assertEqual(["$.findings[0]: the key new is not described"], self.faults(change, closed=True))

    def test_an_unknown_keyword_is_an_error_of_the_schema(self):
        with self.assertRaises(schema.BadSchema):
            schema.Validator({"patternProperties": {}}).faults({})

    def test_every_definition_is_used(self):
        text = json.dumps(SCHEMA)
        for name in SCHEMA["$defs"]:
            self.assertIn(f'"#/$defs/{name}"', text)


def keys_of(value):
    """All names of properties in the schema."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value)) if value else set()
    if not isinstance(value, dict):
        return set()
    found = set(value["properties"]) if isinstance(value.get("properties"), dict) else set()
    return found.union(*map(keys_of, value.values())) if value else found


class Description(unittest.TestCase):
    """The schema and the page about it speak of the same keys."""

    def test_schema_and_page_agree(self):
        with open(os.path.join(SOURCE, "docs", "reference", "json.md")) as file:
            rows = [line.split("|")[1] for line in file.read().split("## A difference")[0].split("\n") if line.startswith("| `")]
        page_keys = {word for row in rows for word in re.findall(r"`(\w+)`", row)}
        inside_of_cells = {"errors", "warnings", "name", "version", "kind", "text", "dot", "svg", "lanes", "nodes", "arcs"}
        self.assertEqual(set(), keys_of(SCHEMA) - page_keys - inside_of_cells)
        self.assertEqual(set(), page_keys - keys_of(SCHEMA))


class Output(unittest.TestCase):
    def test_streams_may_be_mixed_but_not_changed(self):
        self.assertTrue(run_page.agrees(["a", "1", "b"], ["1"], ["a", "b"]))
        self.assertTrue(run_page.agrees(["1", "a", "b"], ["1"], ["a", "b"]))
        self.assertFalse(run_page.agrees(["b", "1", "a"], ["1"], ["a", "b"]))
        self.assertFalse(run_page.agrees(["a", "b"], ["1"], ["a", "b"]))
        self.assertFalse(run_page.agrees(["a", "1", "b"], [], ["a", "b"]))

    def test_times_may_differ_and_counts_may_not(self):
        self.assertTrue(run_page.agrees(["4 ranks, 8 calls, 1.4 s"], [], ["4 ranks, 8 calls, 0.6 s"]))
        self.assertFalse(run_page.agrees(["4 ranks, 8 calls, 1.4 s"], [], ["4 ranks, 9 calls, 1.4 s"]))

    def test_dots_stand_for_any_lines(self):
        self.assertTrue(run_page.agrees(["a", "...", "z"], ["a", "b", "z"], ["c"]))
        self.assertTrue(run_page.agrees(["a", "..."], ["a"], []))
        self.assertFalse(run_page.agrees(["a", "...", "y"], ["a", "b", "z"], []))


class Pages(unittest.TestCase):
    def test_anchors_are_those_of_the_headings(self):
        self.assertEqual({"a-b", "a-b-1", "the-json-report"}, page.anchors(["# A b", "## A b", "### The `JSON` report!"]))

    def test_what_stands_in_code_is_no_link(self):
        self.assertEqual(["x.md"], page.links(["[a](x.md) `[b](y.md)`", "```", "[c](z.md)", "```"]))

    def test_links_to_nowhere_are_named(self):
        here = os.path.join(SOURCE, "README.md")
        self.assertTrue(list(check_pages.link_faults(here, "docs/no-such-page.md")))
        self.assertTrue(list(check_pages.link_faults(here, "docs/reference/findings.md#no-such-heading")))
        self.assertEqual([], list(check_pages.link_faults(here, "docs/reference/findings.md#deadlock")))

    def test_options_that_do_not_exist_are_named(self):
        names, view = check_pages.known_names(SOURCE)
        for line in ("`--must:no-such-thing`", "MUST_NO_SUCH=1", "$ mustview --no-such a.json"):
            self.assertEqual(1, len(list(check_pages.option_faults("p", line, names, view))), line)
        for line in ("`--must:output-dir`", "MUST_QUIET=1", "$ mustview --format dot a.json"):
            self.assertEqual([], list(check_pages.option_faults("p", line, names, view)), line)

    def test_findings_of_list_and_page_are_compared(self):
        text = "| `a` | manifest | error | x |\n| `b` | | note | x |\n\n## a\n\n## b\n"
        ids = 'ORK_FINDING_ID(A, "a")\nORK_FINDING_ID(B, "b")\n'
        kinds = ids + 'ORK_FINDING(A, ORK_MANIFEST,\n"")\nORK_FINDING(B, ORK_CLASS_NONE, "", "")\n'
        self.assertEqual(list(check_pages.finding_faults(text, kinds)), [])
        faults = list(check_pages.finding_faults(text, kinds.replace('"b"', '"c"')))
        self.assertEqual(len(faults), 3)
        twice = kinds + 'ORK_FINDING(\n    B, ORK_CLASS_NONE,\n    "another text", "")\n'
        self.assertEqual(list(check_pages.finding_faults(text, twice)), ["findings.def: b is listed 2 times"])

    def test_a_command_has_its_output(self):
        block = page.blocks(["```console", "$ a", "b", "$ c", "```"])[0]
        self.assertEqual([("a", ["b"], 2), ("c", [], 4)], [(c.words, c.output, c.first) for c in page.commands(block)])


if __name__ == "__main__":
    unittest.main()
