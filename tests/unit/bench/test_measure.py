# SPDX-License-Identifier: BSD-3-Clause
"""bench/measure: what stands in tables, charts and the document is what the CSV files say."""

import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BENCH = pathlib.Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH / "measure"))
import document
import onesided
import plots
import recording
import sanitizing
import svg
import table
import turns


def _load_soak():
    loader = importlib.machinery.SourceFileLoader("soak", str(BENCH / "soak"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("soak", loader))
    loader.exec_module(module)
    return module


TURNS = """# cpu: a processor
# cores: 2
benchmark,ranks,repeat,variant,seconds_loop,seconds_wall,cpu_seconds,other_cpu_seconds,records,searches,full_waits
ring,2,0,none,1.0,2.0,2.0,0.0,,,
ring,2,0,orknot,1.5,2.5,3.0,0.0,10,1,0
ring,2,1,none,1.0,2.0,2.0,2.0,,,
ring,2,1,orknot,3.0,4.0,4.0,2.0,10,1,0
ring,2,2,none,1.0,2.0,2.0,0.0,,,
ring,2,2,orknot,2.0,3.0,3.0,0.0,10,1,0
"""
SCALE = "run,program,ranks,ns_per_record\n0,farm,16,100\n1,farm,16,140\n2,farm,16,120\n0,farm,64,90\n"


def elsewhere():
    """The documents, which show some files themselves."""
    root = BENCH.parent
    pages = [*root.glob("docs/**/*.md"), root / "tests/README.md", root / "README.md", root / "CONTRIBUTING.md"]
    return "".join(page.read_text(encoding="utf-8") for page in pages)


class Measure(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        (self.path / "ring.csv").write_text(TURNS, encoding="utf-8")
        (self.path / "detector-scale.csv").write_text(SCALE, encoding="utf-8")

    def test_a_ratio_is_that_of_the_medians_with_the_range_of_the_pairs(self):
        text = table.of_file(self.path / "ring.csv")
        self.assertIn("| ring | 2 | 3 | 1 s | 2.00 (1.50-3.00) |", text)

    def test_the_last_column_is_of_quiet_pairs_only(self):
        self.assertTrue(table.of_file(self.path / "ring.csv").endswith("| 1.75 of 2 |"))

    def test_rows_of_several_runs_are_one_with_median_and_range(self):
        text = table.of_file(self.path / "detector-scale.csv")
        self.assertIn("| farm | 16 | 120 (100-140) |", text)
        self.assertIn("| farm | 64 | 90 |", text)

    def test_kernels_are_compared_with_the_plain_program(self):
        said = {"plain": "cg 0.5\nep 2e-1\n", "without": "cg 1\nep 0.2\n", "with": "cg 2\nep 0.3\n", "tsan": "cg 20\nep 0.4\n"}
        asked = []

        def run(command, _folder, variables):
            asked.append((command, variables))
            return said[("plain", "without", "with", "tsan")[len(asked) - 1]], 1.0, 0.0

        self.addCleanup(setattr, turns, "run", turns.run)
        turns.run = run
        path = self.path / "kernels.csv"
        sanitizing.measure(sanitizing.Sanitizing("kernels", "applications", "a", "b", "c"), 1, 1e9, "mustrun", [], path)
        text = table.of_file(path)
        self.assertIn("| cg | 2 | 2 | 4 | 40 | 0.5 |", text)
        self.assertIn("| ep | 2 | 1 | 1.5 | 2 | 0.2 |", text)
        self.assertEqual([(command[0], command[-1]) for command, _ in asked],
                         [("mpirun", "a"), ("mpirun", "b"), ("mustrun", "b"), ("mpirun", "c")])
        self.assertEqual(asked[3][1], {"TSAN_OPTIONS": "report_bugs=0"})

    def test_one_sided_accesses_are_compared_with_no_tool(self):
        asked = []

        def run(command, _folder):
            asked.append(command)
            return "lock 0.2\nfence 0.5\n", 1.0, 2.0

        def run_with_tool(mustrun, _benchmark, _ranks, _folder, *words):
            asked.append([mustrun, *words])
            scale = {"off": 2, "on": 3}[words[-1]]
            return {"lock": 0.2 * scale, "fence": 0.5 * scale}, 2.0 * scale, {}

        self.addCleanup(setattr, turns, "run", turns.run)
        self.addCleanup(setattr, recording, "run", recording.run)
        turns.run, recording.run = run, run_with_tool
        path = self.path / "one-sided.csv"
        onesided.measure(onesided.Onesided("one-sided", "onesided", "puts", runs=((2, 1000),)), 1, 1e9, "mustrun", [], path)
        text = table.of_file(path)
        self.assertIn("| lock | 2 | 1000 | 2 | 3 | 2 | 3 | 200 | 400 | 600 |", text)
        self.assertIn("| fence | 2 | 1000 | 2 | 3 | 2 | 3 | 500 | 1000 | 1500 |", text)
        self.assertEqual(asked, [["mpirun", "-np", "2", "puts", "1000"], ["mustrun", "--must:rma", "off"], ["mustrun", "--must:rma", "on"]])

    def test_the_document_is_refreshed_between_markers_only(self):
        page = self.path / "page.md"
        page.write_text("before\n<!-- table ring -->\nold\n<!-- end -->\nmiddle\n<!-- machine ring -->\n<!-- end -->\n"
                        "<!-- table none -->\n<!-- end -->\nafter\n", encoding="utf-8")
        self.assertTrue(document.refresh(page, self.path))
        text = page.read_text(encoding="utf-8")
        self.assertIn("2.00 (1.50-3.00)", text)
        self.assertIn("Measured on: a processor, 2 cores.", text)
        self.assertIn("<!-- table none -->\n" + document.MISSING, text)
        self.assertNotIn("old", text)
        self.assertTrue(text.startswith("before\n") and "\nmiddle\n" in text and text.endswith("\nafter\n"))
        self.assertFalse(document.refresh(page, self.path))

    def test_a_short_table_has_the_columns_and_rows_that_were_asked_for(self):
        page = self.path / "page.md"
        page.write_text("<!-- short detector-scale: ns per record, program; ranks = 64 -->\n<!-- end -->\n"
                        "<!-- short ring: benchmark, loop -->\n<!-- end -->\n", encoding="utf-8")
        document.refresh(page, self.path)
        text = page.read_text(encoding="utf-8")
        self.assertIn("-->\n| ns per record | program |\n|---|---|\n| 90 | farm |\n<!--", text)
        self.assertIn("-->\n| benchmark | loop |\n|---|---|\n| ring | 2.00 (1.50-3.00) |\n<!--", text)

    def test_the_pages_of_the_project_say_what_its_results_say(self):
        """If not: bench/run --document."""
        results = BENCH / "results"
        for page in (results / "README.md", BENCH.parent / "docs/explanation/performance.md"):
            before, after = document.refreshed(page, results)
            self.assertEqual(before, after)
            self.assertNotIn(document.MISSING, before)
            self.assertGreater(before.count("<!-- end -->"), 5)

    def test_each_file_of_results_is_on_the_page_or_has_another(self):
        page = (BENCH / "results/README.md").read_text(encoding="utf-8")
        shown = {name for words in re.findall(r"<!-- machine (.*?) -->", page) for name in words.split()}
        files = {path.stem for path in (BENCH / "results").glob("*.csv")}
        self.assertEqual(set(), shown - files)
        self.assertEqual(set(), {name for name in files - shown if f"{name}.csv" not in elsewhere()})

    def test_charts_are_drawn_of_what_is_there(self):
        self.assertEqual(plots.draw(self.path, self.path / "plots"), ["ratios", "detector"])
        for file in (self.path / "plots").iterdir():
            xml.etree.ElementTree.parse(file)

    def test_a_line_goes_through_all_its_points(self):
        text = svg.lines("t", "x", "y", {"a <b>": [(10, 1, 1, 1), (100, 10, 9, 12), (1000, 100, 100, 100)]})
        root = xml.etree.ElementTree.fromstring(text)
        line = next(e for e in root.iter() if e.tag.endswith("polyline"))
        places = [tuple(map(float, p.split(","))) for p in line.get("points").split()]
        self.assertEqual(len(places), 3)
        self.assertAlmostEqual(places[1][0] - places[0][0], places[2][0] - places[1][0], delta=0.2)
        self.assertAlmostEqual(places[0][1] - places[1][1], places[1][1] - places[2][1], delta=0.2)

    def test_memory_that_grows_is_told_from_memory_that_does_not(self):
        soak = _load_soak()
        flat = [(t, 0, 9000, 8000 + (t % 7) * 30) for t in range(100)]
        growing = [(t, 1, 9000, 8000 + t * 100) for t in range(100)]
        self.assertTrue(soak.judge(flat, 100)[1])
        self.assertFalse(soak.judge(flat + growing, 100)[1])
        self.assertFalse(soak.judge([], 100)[1])


if __name__ == "__main__":
    unittest.main()
