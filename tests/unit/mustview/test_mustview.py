#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mustview on its command line, and its HTML and SVG as a parser sees them.

usage: test_mustview.py <mustview> <golden folder>
"""
import html.parser
import json
import os
import resource
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

MUSTVIEW = os.path.abspath(sys.argv[1])
GOLDEN = os.path.abspath(sys.argv[2])
VOID = {"meta", "br", "img", "link", "input", "hr"}
EVIL = "\"'><script>alert(1)</script>&amp;\u202e\x1b[2J\\N"


class Page(html.parser.HTMLParser):
    """Keeps what was opened and not closed."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.tags = []
        self.text = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> inside {self.open}"
        self.open.pop()

    def handle_data(self, data):
        self.text.append(data)


# Of the objects of SARIF 2.1.0 (OASIS, sections 3.14 to 3.58) those that are written: their keys, and for each its type. A name in
# brackets is a list of such objects.
SARIF = {
    "run": {"tool": "tool", "invocations": ["invocation"], "automationDetails": "automation", "originalUriBaseIds": dict,
            "results": ["result"]},
    "automation": {"id": str},
    "tool": {"driver": "driver"},
    "driver": {"name": str, "fullName": str, "semanticVersion": str, "rules": ["rule"]},
    "rule": {"id": str, "name": str, "shortDescription": "message", "fullDescription": "message", "help": "message",
             "properties": dict},
    "invocation": {"executionSuccessful": bool, "arguments": list, "toolExecutionNotifications": ["notification"]},
    "notification": {"level": str, "message": "message"},
    "result": {"ruleId": str, "level": str, "message": "message", "locations": ["location"], "relatedLocations": ["location"],
               "baselineState": str, "partialFingerprints": dict},
    "location": {"id": int, "physicalLocation": "place", "logicalLocations": ["function"], "message": "message"},
    "place": {"artifactLocation": "artifact", "region": "region"},
    "artifact": {"uri": str, "uriBaseId": str},
    "region": {"startLine": int},
    "function": {"name": str, "kind": str},
    "message": {"text": str},
}
NEEDED = {"run": ["tool", "results"], "driver": ["name", "rules"], "rule": ["id", "help"], "invocation": ["executionSuccessful"],
          "result": ["ruleId", "message", "locations", "partialFingerprints"], "message": ["text"], "artifact": ["uri"]}


def check_sarif(case, kind, value):
    case.assertIsInstance(value, dict)
    for key in NEEDED.get(kind, []):
        case.assertIn(key, value, kind)
    for key, part in value.items():
        case.assertIn(key, SARIF[kind], kind)
        wanted = SARIF[kind][key]
        if isinstance(wanted, type):
            case.assertIsInstance(part, wanted, key)
        elif isinstance(wanted, str):
            check_sarif(case, wanted, part)
        else:
            case.assertIsInstance(part, list)
            for item in part:
                check_sarif(case, wanted[0], item)


class Mustview(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        with open(os.path.join(GOLDEN, "pair.json"), encoding="utf-8") as golden:
            self.report = json.load(golden)
        self.report["tool"]["version"] = self.shown("--version").split()[1]
        self.save()

    def tearDown(self):
        self.folder.cleanup()

    def save(self):
        with open(os.path.join(self.folder.name, "r.json"), "w", encoding="utf-8") as out:
            json.dump(self.report, out)

    def run_it(self, *words, stdin=None):
        return subprocess.run([MUSTVIEW, *words], cwd=self.folder.name, input=stdin, timeout=900,
                              capture_output=True, check=False)

    def shown(self, *words):
        done = self.run_it(*words)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def refused(self, code, sentence, *words):
        done = self.run_it(*words)
        self.assertEqual(done.returncode, code)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(done.stderr.decode(), f"mustview: {sentence}\n")

    def poison(self):
        finding = self.report["findings"][0]
        finding.update(id=EVIL, message=EVIL, details=[EVIL])
        finding["waits"][0].update(call=EVIL, comm=EVIL, peer=EVIL, tag=EVIL, state=EVIL, detail=EVIL)
        finding["waits"][0]["where"] = {"function": EVIL, "file": EVIL}
        finding["graph"]["nodes"][0]["label"] = EVIL
        finding["graph"]["arcs"][0]["label"] = EVIL
        self.report["command"] = [EVIL]
        self.report["notes"] = [EVIL]
        self.save()

    def test_text_is_the_default(self):
        text = self.shown("r.json")
        self.assertTrue(text.startswith("orknot report\n"))
        self.assertIn("ranks 0 and 1 wait for each other", text)
        self.assertNotIn("\x1b", text)

    def test_json_comes_out_as_it_went_in(self):
        self.assertEqual(json.loads(self.shown("--format", "json", "r.json")), self.report)

    def read_farm(self):
        with open(os.path.join(GOLDEN, "farm.json"), encoding="utf-8") as golden:
            self.report = json.load(golden)
        self.report["tool"]["version"] = self.shown("--version").split()[1]
        self.save()

    def test_an_exploration_is_shown_whole(self):
        self.read_farm()
        text = self.shown("r.json")
        self.assertIn("24 orders: 21 end with the same output, 2 with another, 1 deadlocks.", text)
        self.assertIn("took the message of rank 4, tag 0 (first run: of rank 3)", text)
        self.assertEqual(json.loads(self.shown("--format", "json", "r.json")), self.report)
        self.assertIn("0: MPI_Recv", self.shown("-f", "dot", "r.json"))
        self.assertNotIn("24 orders", self.shown("--finding", "1", "r.json"))
        self.report["exploration"]["tree"][3]["run"] = -1
        self.save()
        self.refused(64, 'r.json: "run" must be a whole number from 0 to 9223372036854775807', "r.json")

    def test_the_page_of_an_exploration_is_well_formed(self):
        self.read_farm()
        self.poison()
        exploration = self.report["exploration"]
        exploration["outcomes"][0].update(message=EVIL, folder=EVIL, order=EVIL, replay=EVIL)
        exploration["sites"][0].update(call=EVIL, place=EVIL)
        exploration["bounds"]["symmetric"] = exploration["resume"] = EVIL
        for choice in (exploration["outcomes"][0]["choices"][0], exploration["tree"][1]["change"]):
            choice.update(call=EVIL, place=EVIL, outcome=EVIL, instead=EVIL)
        self.save()
        page = Page()
        page.feed(self.shown("--format=html", "r.json"))
        page.close()
        self.assertEqual(page.open, [])
        self.assertEqual(page.tags.count("script"), 1)
        self.assertGreater(sum("<script>alert(1)</script>" in text for text in page.text), 10)

    def test_sarif_keeps_to_its_structure(self):
        self.poison()
        for name in ("r.json", os.path.join(GOLDEN, "farm.json")):
            document = json.loads(self.shown("--format", "sarif", name))
            self.assertEqual(sorted(document), ["$schema", "runs", "version"])
            check_sarif(self, "run", document["runs"][0])
            rules = [rule["id"] for rule in document["runs"][0]["tool"]["driver"]["rules"]]
            self.assertEqual(len(rules), len(set(rules)))

    def test_sarif_has_paths_below_the_source_root(self):
        self.report["findings"][0]["waits"][0]["where"]["file"] = "/home/ada/src/a.c"
        self.save()
        os.makedirs(os.path.join(self.folder.name, "src"))

        def place(*words):
            run = json.loads(self.shown("--format", "sarif", *words, "r.json"))["runs"][0]
            return run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]

        self.assertEqual(place("--source-root", "src"), {"uri": "file:///home/ada/src/a.c"})
        self.report["findings"][0]["waits"][0]["where"]["file"] = os.path.join(os.path.realpath(self.folder.name), "src", "a.c")
        self.save()
        self.assertEqual(place("--source-root", "src"), {"uri": "a.c", "uriBaseId": "%SRCROOT%"})
        self.assertEqual(place("--source-root", "."), {"uri": "src/a.c", "uriBaseId": "%SRCROOT%"})
        self.refused(64, "cannot use the source root nowhere: No such file or directory",
                     "--format", "sarif", "--source-root", "nowhere", "r.json")

    def test_a_report_can_come_from_standard_input(self):
        done = self.run_it("-f", "json", "-", stdin=json.dumps(self.report).encode())
        self.assertEqual(json.loads(done.stdout), self.report)

    def test_html_is_well_formed(self):
        self.poison()
        page = Page()
        page.feed(self.shown("--format=html", "r.json"))
        page.close()
        self.assertEqual(page.open, [])
        self.assertEqual(page.tags.count("script"), 1)  # the page's own
        self.assertIn("svg", page.tags)
        self.assertTrue(any("<script>alert(1)</script>" in text for text in page.text))

    def test_svg_is_well_formed(self):
        self.poison()
        root = xml.etree.ElementTree.fromstring(self.shown("--format=svg", "r.json"))
        names = {element.tag.rsplit("}", 1)[-1] for element in root.iter()}
        self.assertLessEqual(names, {"svg", "style", "g", "polygon", "path", "text", "title", "ellipse"})
        labels = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("1: MPI_Recv", labels)
        self.assertTrue(any("<script>alert(1)</script>&amp;" in label for label in labels))

    def test_dot_and_svg_take_the_first_finding_with_a_graph(self):
        self.report["findings"].insert(0, {"id": "leak", "message": "no graph here"})
        self.save()
        self.assertIn("0: MPI_Recv", self.shown("-f", "dot", "r.json"))
        self.assertIn("0: MPI_Recv", self.shown("-f", "svg", "--finding", "2", "r.json"))
        self.refused(64, "r.json: there is no graph to draw", "-f", "dot", "-n", "1", "r.json")

    def test_one_finding_can_be_chosen(self):
        self.report["findings"].append({"id": "leak", "message": "a request is left"})
        self.save()
        text = self.shown("--finding=2", "r.json")
        self.assertIn("a request is left", text)
        self.assertNotIn("wait for each other", text)
        self.refused(64, "there is no finding 3: the report has 2", "--finding", "3", "r.json")

    def test_an_output_file_is_not_overwritten_unless_forced(self):
        self.shown("-o", "out.txt", "r.json")
        path = os.path.join(self.folder.name, "out.txt")
        with open(path, encoding="utf-8") as out:
            self.assertIn("wait for each other", out.read())
        with open(path, "w", encoding="utf-8") as out:
            out.write("x" * 100000)
        self.refused(64, "out.txt exists already (--force overwrites it)", "-o", "out.txt", "r.json")
        self.shown("--force", "-o", "out.txt", "r.json")
        self.assertLess(os.path.getsize(path), 10000)

    def test_force_follows_no_link_and_waits_for_no_reader(self):
        path = os.path.join(self.folder.name, "out.txt")
        victim = os.path.join(self.folder.name, "victim")
        with open(victim, "w", encoding="utf-8") as out:
            out.write("a letter")
        os.symlink(victim, path)
        self.refused(64, "cannot replace out.txt: it is a symbolic link", "--force", "-o", "out.txt", "r.json")
        with open(victim, encoding="utf-8") as letter:
            self.assertEqual(letter.read(), "a letter")
        os.unlink(path)
        os.mkfifo(path)
        self.refused(64, "cannot replace out.txt: it is no regular file", "--force", "-o", "out.txt", "r.json")
        os.unlink(path)
        os.link(victim, path)  # a second name of somebody's file
        self.shown("--force", "-o", "out.txt", "r.json")
        with open(victim, encoding="utf-8") as letter:
            self.assertEqual(letter.read(), "a letter")

    def test_an_output_that_cannot_be_written_is_69(self):
        self.refused(69, "cannot write no/where: No such file or directory", "-o", "no/where", "r.json")

    def test_a_wrong_command_line_is_one_sentence_and_64(self):
        end = " (--help shows all options)"
        self.refused(64, "no report is given" + end)
        self.refused(64, "mustview takes only one report" + end, "r.json", "r.json")
        self.refused(64, "there is no option --colour" + end, "--colour", "r.json")
        self.refused(64, "a value is missing after --format" + end, "r.json", "--format")
        formats = "text, html, json, sarif, junit, github, gitlab, dot, svg, png, pdf or lanes-svg"
        self.refused(64, f"the format is {formats}, not gif{end}", "-fgif", "r.json")
        self.refused(64, "--show needs knot, waiters or all, not some" + end, "--show", "some", "r.json")
        self.refused(64, "--diff needs two reports" + end, "--diff", "r.json")
        self.refused(64, "--diff writes text or json, not svg" + end, "--diff", "-f", "svg", "r.json", "r.json")
        self.refused(64, "--diff cannot be combined with --finding" + end, "-d", "-n", "1", "r.json", "r.json")
        self.refused(64, "--diff cannot be combined with --show" + end, "-d", "-s", "knot", "r.json", "r.json")
        self.refused(64, "only one of the reports can come from standard input" + end, "-d", "-", "-")
        for word in ("0", "-1", "x", "1x", "99999999999999999999"):
            self.refused(64, "--finding needs a number from 1, not " + word + end, "-n", word, "r.json")

    def test_a_wrong_report_is_one_sentence_and_64(self):
        self.refused(64, "cannot read none.json: No such file or directory", "none.json")
        with open(os.path.join(self.folder.name, "other.json"), "w", encoding="utf-8") as out:
            out.write('{"name": "orknot", "version": 1}')
        for words in ((), ("-fhtml",), ("--suppression", "1")):
            self.refused(64, 'other.json: this is not a report of mustrun: it has no "findings"', *words, "other.json")
        self.refused(64, 'other.json: this is not a report of mustrun: it has no "findings"', "--diff", "r.json", "other.json")
        self.report["findings"][0]["waits"][1]["rank"] = "x"
        self.save()
        self.refused(64, 'r.json: finding 1: wait 2: "rank" must be a whole number from 0 to 4294967295',
                     "r.json")
        with open(os.path.join(self.folder.name, "r.json"), "wb") as out:
            out.write(b'{"a": \x1b[2J}')
        done = self.run_it("r.json")
        self.assertEqual(done.returncode, 64)
        self.assertNotIn(b"\x1b", done.stderr)
        self.assertEqual(done.stderr.count(b"\n"), 1)

    def test_lines_for_suppression_that_have_no_effect_are_doubted(self):
        done = self.run_it("--suppression", "1", "r.json")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.startswith(b"deadlock:manifest "))
        self.assertIn(b"mustview: warning: mustrun always shows a manifest deadlock", done.stderr)
        self.report["findings"][0]["class"] = "potential"
        self.save()
        self.assertIn("deadlock:potential ", self.shown("--suppression", "1", "r.json"))

    def test_lines_for_suppression_carry_the_date_and_a_reason(self):
        line = self.run_it("--suppression", "1", "--reason", "until version 3", "r.json").stdout.decode().splitlines()[0]
        self.assertRegex(line, r' since \d{4}-\d\d-\d\d because "until version 3"$')
        self.refused(64, "--reason needs --suppression (--help shows all options)", "--reason", "x", "r.json")

    def test_a_part_of_an_output_does_not_stay(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        for words in (("-fhtml", "-o", "out"), ("-fjson", "--force", "-o", "out")):
            done = subprocess.run([MUSTVIEW, *words, "r.json"], cwd=self.folder.name, timeout=900, capture_output=True, preexec_fn=limit)
            self.assertEqual((done.returncode, done.stderr), (69, b"mustview: cannot write out: File too large\n"))
            self.assertEqual(os.listdir(self.folder.name), ["r.json"])
            with open(os.path.join(self.folder.name, "out"), "w", encoding="utf-8") as earlier:
                earlier.write("earlier")
        with open("/dev/full", "wb") as full:
            for words in (["--help"], ["r.json"]):
                done = subprocess.run([MUSTVIEW, *words], cwd=self.folder.name, timeout=900, stdout=full, stderr=subprocess.PIPE)
                self.assertEqual((done.returncode, done.stderr),
                                 (69, b"mustview: cannot write standard output: No space left on device\n"))

    def test_help_and_version(self):
        self.assertTrue(self.shown("--help").startswith("Usage: mustview "))
        self.assertRegex(self.shown("--version"), r"^mustview \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
