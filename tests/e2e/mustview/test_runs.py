#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mustview on reports that mustrun wrote.

usage: test_runs.py <mustview> <mustrun> <mixture program>
"""
import json
import os
import struct
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import process  # noqa: E402
import view  # noqa: E402

MUSTVIEW, MUSTRUN, MIXTURE = (os.path.abspath(word) for word in sys.argv[1:4])
SVG = "{http://www.w3.org/2000/svg}"


def run(folder, ranks):
    words = [MUSTRUN, "--must:output-dir", folder, "--oversubscribe", "-np", str(ranks), MIXTURE]
    outcome = process.run(words, folder, 90)
    assert outcome.exit_code == 66, outcome.stderr.decode(errors="replace")
    return os.path.join(folder, "MUST_Output.json")


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.small, cls.large = (os.path.join(cls.folder.name, name) for name in ("small", "large"))
        for folder in (cls.small, cls.large):
            os.mkdir(folder)
        cls.small_report = run(cls.small, 6)
        cls.large_report = run(cls.large, 44)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def shown(self, *words):
        return view.shown(self, MUSTVIEW, *words)

    def dot(self, *words):
        return self.shown("-f", "dot", *words).decode()

    def test_every_rank_has_its_call_and_place(self):
        found = set(view.labels(self.dot(self.small_report)).values())
        expected = {"0: MPI_Recv", "1: MPI_Waitall", "2: MPI_Waitall"} | {f"{r}: MPI_Barrier" for r in (3, 4, 5)}
        self.assertEqual({label.split("\\n")[0] for label in found if "MPI_" in label and ":" in label}, expected)
        self.assertTrue(all("\\nat mixture.c:" in label for label in found if ": MPI_" in label), found)

    def test_dashed_arcs_leave_what_waits_for_any(self):
        dot = self.dot(self.small_report)
        label = view.labels(dot)
        kinds = {(label[a].split("\\n")[0], kind) for a, _, kind in view.arcs(dot)}
        self.assertIn(("any of", "or"), kinds)
        self.assertIn(("not yet in", "and"), kinds)
        self.assertIn(("1: MPI_Waitall", "and"), kinds)
        self.assertEqual(dot.count("style=dashed"), sum(kind == "or" for _, _, kind in view.arcs(dot)))

    def test_a_large_run_is_folded_where_it_is_found(self):
        with open(self.large_report, encoding="utf-8") as file:
            graph = json.load(file)["findings"][0]["graph"]
        self.assertLess(len(graph["nodes"]), 12)
        self.assertLess(len(json.dumps(graph)), 5000)
        self.assertEqual(sum(n["count"] for n in graph["nodes"] if n["kind"] == "rank"), 44)
        found = view.labels(self.dot(self.large_report)).values()
        self.assertTrue(any(label.startswith("22-43: MPI_Barrier\\nat mixture.c:") for label in found), found)
        self.assertTrue(any("MPI_Waitall for rank-1\\nat mixture.c:" in label for label in found), found)

    def test_the_files_of_the_run_are_what_mustview_draws(self):
        for kind in ("dot", "svg"):
            with open(os.path.join(self.small, "MUST_Output-files", "deadlock-1." + kind), "rb") as file:
                self.assertEqual(file.read(), self.shown("-f", kind, self.small_report))

    def test_svg_says_which_ranks_a_node_stands_for(self):
        root = xml.etree.ElementTree.fromstring(self.shown("-f", "svg", self.large_report))
        titles = {g.get("data-ranks"): g.find(SVG + "title").text for g in root.iter(SVG + "g") if g.get("data-ranks")}
        self.assertTrue(titles["22-43"].startswith("ranks 22-43: MPI_Barrier at mixture.c:"), titles)
        self.assertTrue(titles["0"].startswith("rank 0: MPI_Recv"), titles)

    def test_png_and_pdf_are_files_of_that_sort(self):
        path = os.path.join(self.folder.name, "graph.png")
        self.shown("-f", "png", "-o", path, self.large_report)
        with open(path, "rb") as file:
            png = file.read()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", png[16:24])
        self.assertTrue(200 < width < 4000 and 200 < height < 4000, (width, height))
        pdf = self.shown("-f", "pdf", self.large_report)
        self.assertTrue(pdf.startswith(b"%PDF-") and pdf.endswith(b"%%EOF\n"))

    def test_text_html_and_json_are_those_of_the_run(self):
        self.assertIn(b"orknot report", self.shown(self.small_report))
        self.assertIn(b"</html>", self.shown("-f", "html", self.small_report))
        with open(self.small_report, encoding="utf-8") as file:
            self.assertEqual(json.loads(self.shown("-f", "json", self.small_report)), json.load(file))

    def test_a_run_is_no_different_from_itself_and_another_one_is(self):
        done = view.view(MUSTVIEW, "--diff", self.small_report, self.small_report)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(done.stdout.endswith(b"finding: 1 stayed\n"))
        done = view.view(MUSTVIEW, "--diff", self.small_report, self.large_report)
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        text = done.stdout.decode()
        self.assertTrue(text.startswith("~ error: deadlock (manifest): "), text)
        self.assertIn("    ranks 22-43 new, in MPI_Barrier at mixture.c:", text)
        self.assertRegex(text, r"ranks 3-5 were in MPI_Barrier at mixture\.c:\d+, now in MPI_Waitall at mixture\.c:\d+")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
