# SPDX-License-Identifier: BSD-3-Clause
import html.parser
import json
import os
import unittest
import urllib.parse
import xml.etree.ElementTree as ET

from support import Folder, case, finding, report

EVIL = '<script>alert(1)</script> & "quoted" \u0001\ufffe ]]>'
VOID = ("meta", "input", "line", "circle", "br")


class Page(html.parser.HTMLParser):
    """Elements are closed in the right order; collects what matters."""

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.tags, self.text, self.wrong = [], [], set(), "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        attrs = dict(attrs)
        self.links += [attrs[name] for name in ("href", "src") if name in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.text += data


class Summary(Folder):
    """All tests look at one run."""

    @classmethod
    def setUpClass(cls):
        cls.shared = cls("make")
        Folder.setUp(cls.shared)
        cls.addClassCleanup(cls.shared.doCleanups)
        cls.shared.make()

    def setUp(self):
        self.folder = self.shared.folder

    def make(self):
        waits = [{"rank": 0, "call": "MPI_Recv<b>", "where": {"file": "a<b>.c", "line": 3, "function": "main"}}]
        evil = finding(message=EVIL, details=[EVIL], waits=waits)
        self.suite(
            case("good", ["/bin/sh", "-c", ": '<i>'"], package="a&b"),
            case("evil", "true", files=report(findings=[evil], notes=[EVIL])),
            case("crash", "printf 'bad \\001 byte\\n' >&2; exit 2"),
            case("late", "exec sleep 60", time_limit=1),
            case("gone", ["nowhere"], package="p"),
            head='name = "small"\ndescription = "<b>bold</b>"\n',
        )
        self.run_suite("--compare")

    def test_the_page_escapes_what_programs_say_and_needs_nothing_else(self):
        text = self.read("out", "summary.html")
        page = Page(text)
        self.assertEqual((page.open, page.wrong), ([], []))
        self.assertFalse(page.tags & {"script", "i", "img", "link", "iframe"})
        self.assertNotIn("<b>bold", text)
        self.assertIn("<b>bold</b>", page.text)
        self.assertIn(EVIL, page.text)
        self.assertIn("MPI_Recv<b>", page.text)
        self.assertIn("default-src 'none'", text)
        self.assertIn("prefers-color-scheme: dark", text)
        self.assertTrue(page.links)
        for link in page.links:
            self.assertFalse(urllib.parse.urlparse(link).scheme, link)
            self.assertTrue(os.path.exists(self.path("out", urllib.parse.unquote(link))), link)

    def test_what_is_not_as_expected_stands_first(self):
        text = self.read("out", "summary.html")
        places = [text.index(f'<td class="name">{name}') for name in ("evil", "crash", "late", "good", "gone")]
        self.assertEqual(places, sorted(places))

    def test_junit_parses_and_has_a_test_case_for_each_case(self):
        root = ET.parse(self.path("out", "summary.xml")).getroot()
        suite = root.find("testsuite")
        self.assertEqual(
            {key: suite.get(key) for key in ("name", "tests", "failures", "errors", "skipped")},
            {"name": "small", "tests": "5", "failures": "1", "errors": "2", "skipped": "1"},
        )
        found = {entry.get("name"): entry for entry in suite.iter("testcase")}
        self.assertEqual(list(found), ["good", "evil", "crash", "late", "gone"])
        self.assertEqual({entry.get("classname") for entry in found.values()}, {"small"})
        self.assertIsNone(found["good"].find("failure"))
        failure = found["evil"].find("failure")
        self.assertEqual(failure.get("type"), "deadlock")
        self.assertIn('<script>alert(1)</script> & "quoted" \ufffd\ufffd ]]>', failure.get("message"))
        self.assertIn("rank 0: MPI_Recv<b> at a<b>.c:3 in main", failure.text)
        self.assertEqual(found["evil"].findtext("system-out"), "the report as text\n")
        self.assertEqual(found["crash"].find("error").get("message"), "the application ended with exit code 2")
        self.assertIn("bad \ufffd byte", found["crash"].findtext("system-err"))
        self.assertEqual(found["late"].find("error").get("type"), "timeout")
        self.assertIn("install the Debian package p", found["gone"].find("skipped").get("message"))
        properties = {entry.get("name"): entry.get("value") for entry in found["good"].iter("property")}
        self.assertEqual(
            (properties["ranks"], properties["expected"], properties["verdict"], properties["package"]), ("2", "clean", "clean", "a&b")
        )
        self.assertGreater(float(properties["slowdown"]), 0)
        self.assertGreater(float(found["good"].get("time")), 0)

    def test_the_order_of_a_test_case_is_that_of_the_schema(self):
        for entry in ET.parse(self.path("out", "summary.xml")).getroot().iter("testcase"):
            order = [child.tag for child in entry]
            known = ["properties", "skipped", "error", "failure", "system-out", "system-err"]
            self.assertEqual(order, sorted(order, key=known.index))

    def test_json_has_the_documented_keys(self):
        made = self.summary()
        self.assertEqual(made["schema"], 1)
        self.assertEqual(made["totals"], {"pass": 1, "fail": 1, "error": 1, "timeout": 1, "skipped": 1})
        with open(os.path.join(os.environ["BATCH_SOURCE"], "docs", "reference", "mustbatch.md"), encoding="utf-8") as file:
            page = file.read()
        evil = self.results()["evil"]
        for part in (made, evil, evil["runs"][0], evil["findings"][0]):
            for key in part:
                self.assertIn(f"| `{key}` |", page)
        self.assertFalse(evil["findings"][0]["expected"])
        self.assertEqual(evil["findings"][0]["runs"], ["tool-1"])


class Files(Folder):
    def test_files_are_as_readable_as_the_umask_says(self):
        self.suite(case("a", "true"))
        self.run_suite()
        mask = os.umask(0)
        os.umask(mask)
        for name in ("summary.html", "summary.json", "summary.xml", "state.json"):
            self.assertEqual(os.stat(self.path("out", name)).st_mode & 0o777, 0o666 & ~mask)
        self.assertEqual([name for name in os.listdir(self.path("out")) if name.startswith(".new")], [])
        self.assertEqual(json.loads(self.read("out", "state.json"))["schema"], 1)


if __name__ == "__main__":
    unittest.main()
