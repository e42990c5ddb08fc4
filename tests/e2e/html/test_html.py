#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The HTML report in a real browser: reports of real runs, and made-up ones of sizes that do not run here.

usage: test_html.py --mustrun PATH --mustview PATH --programs FOLDER [--screenshots FOLDER]
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest

from browser import Browser

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import process  # noqa: E402 - it is in the folder above

WIDTHS = (1280, 390)
HEIGHT = 900
# program: ranks, what the first sentence says
PROGRAMS = {
    "tag": (2, "Rank 1 sends tag 8 to rank 0 (MPI_Ssend at tag.c:11), but rank 0 waits for tag 7 (MPI_Recv at tag.c:8)"),
    "odd": (8, "Ranks 0-6 wait in MPI_Barrier (odd.c:6) for rank 7, which waits in MPI_Recv (odd.c:10) for rank 0"),
    "mixture": (4, "Ranks 0-3 wait for each other"),
    "clean": (4, "No findings"),
}
EVIL = "\"'><script>window.evil = 1</script><img src=x onerror='window.evil = 1'>"


def run_program(name, ranks, folder):
    os.mkdir(folder)
    program = os.path.join(OPTIONS.programs, "e2e_html_" + name)
    command = [OPTIONS.mustrun, "--must:output-dir", folder, "--oversubscribe", "-np", str(ranks), program]
    outcome = process.run(command, folder)
    page = os.path.join(folder, "MUST_Output.html")
    if not os.path.exists(page):
        raise RuntimeError(f"{name}: no report\n{outcome.stderr.decode()}")
    return page


def view(report, path):
    """A page of a report that was made up."""
    with open(path, "wb") as out:
        subprocess.run([OPTIONS.mustview, "-f", "html", "-"], input=json.dumps(report).encode(), stdout=out, check=True,
                       timeout=900)
    return path


def wait(rank, call, to, **more):
    where = {"function": "step", "file": "halo.c", "line": 7}
    return {"rank": rank, "call": call, "comm": "MPI_COMM_WORLD", "for": [to], "where": where, "stack": [where, where],
            **more}


def node(number, kind, rank, label, root):
    return {"id": number, "kind": kind, "rank": rank, "label": label, "deadlocked": True, "root": root, "core": root}


def barrier(ranks, odd):
    """All ranks but one in a collective."""
    waits = [wait(r, "MPI_Recv", 0, peer=0, tag=17) if r == odd else wait(r, "MPI_Allreduce", odd) for r in range(ranks)]
    nodes = [node(r, "rank", r, w["call"], r in (0, odd)) for r, w in enumerate(waits)]
    nodes.append(node(ranks, "hub", 0, "not yet in\nMPI_Allreduce", True))
    arcs = [{"from": r, "to": 0 if r == odd else ranks} for r in range(ranks)] + [{"from": ranks, "to": odd}]
    sentence = f"All ranks wait in MPI_Allreduce for rank {odd}"
    finding = {"id": "deadlock", "class": "manifest", "message": sentence, "ranks": list(range(ranks)), "roots": [[0, odd]],
               "waits": waits, "graph": {"nodes": nodes, "arcs": arcs}}
    return {"command": ["./solver"], "ranks": ranks, "findings": [finding], "statistics": {"calls": ranks * 300}}


def chain(ranks):
    """Each rank waits for the next one, each in another call."""
    waits = [wait(r, f"MPI_Call_{r}", r + 1, state="") for r in range(ranks - 1)]
    nodes = [node(r, "rank", r, f"MPI_Call_{r}", r == ranks - 1) for r in range(ranks)]
    arcs = [{"from": r, "to": r + 1} for r in range(ranks - 1)]
    finding = {"id": "deadlock", "class": "manifest", "message": "A chain", "ranks": list(range(ranks)), "roots": [[ranks - 1]],
               "waits": waits, "graph": {"nodes": nodes, "arcs": arcs}}
    return {"command": ["./solver"], "ranks": ranks, "findings": [finding]}


def last_call(name, **more):
    return {"call": name, "where": {"function": "step", "file": "halo.c", "line": 70001}, **more}


def lanes():
    """Last calls with long names and large numbers, a message, a collective, and a call that almost matches."""
    report = barrier(4, 2)
    finding = report["findings"][0]
    calls = [
        [last_call("MPI_Ireduce_scatter_block", comm="W" * 200, position=3),
         last_call("MPI_Isend", peer=2147483647, tag=2147483647, times=2147483647), last_call("MPI_Allreduce", position=4, inside=True)],
        [last_call("MPI_Ireduce_scatter_block", comm="W" * 200, position=3), last_call("MPI_Recv", peer="MPI_ANY_SOURCE", tag=1),
         last_call("MPI_Allreduce", position=4, inside=True)],
        [last_call("MPI_Isend", peer=0, tag=5, pending=1), last_call("MPI_Recv", peer=0, tag=17, inside=True)],
    ]
    finding["last_calls"] = [{"ranks": [rank], "calls": some} for rank, some in zip((0, 1, 2), calls)]
    finding["messages"] = [{"from_list": 0, "from_call": 1, "to_list": 1, "to_call": 1}]
    end = {"call": "MPI_Isend", "rank": 0, "where": calls[0][0]["where"]}
    finding["near_misses"] = [{"waits": {**end, "call": "MPI_Recv", "rank": 2}, "pending": end, "differs": "communicator"}]
    return report


def hostile():
    report = barrier(4, 2)
    finding = report["findings"][0]
    finding.update(message=EVIL, summary=EVIL, details=[EVIL], basis={"kind": "strict", "text": EVIL})
    finding["waits"][0].update(call=EVIL, comm=EVIL, peer=EVIL, tag=EVIL, detail=EVIL, state=EVIL)
    finding["waits"][0]["where"] = {"function": EVIL, "file": EVIL, "line": 1}
    finding["graph"]["nodes"][0]["label"] = EVIL
    report["command"] = [EVIL]
    report["notes"] = [EVIL]
    return report


class Html(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.pages = {name: run_program(name, ranks, os.path.join(cls.folder, name))
                     for name, (ranks, _) in PROGRAMS.items()}
        for name, report in (("large", barrier(10000, 613)), ("hostile", hostile()), ("tall", chain(40)), ("lanes", lanes())):
            cls.pages[name] = view(report, os.path.join(cls.folder, name + ".html"))
        cls.browser = cls.enterClassContext(Browser())

    def open(self, name, width=WIDTHS[0], dark=False):
        page = self.browser.open(self.pages[name], width, HEIGHT, dark)
        self.addCleanup(self.close, page, name, width)
        return page

    def close(self, page, name, width):
        """Whatever was done to the page, it never complained and asked nobody."""
        self.assertEqual(page.complaints(), [])
        if OPTIONS.screenshots:
            page.screenshot(os.path.join(OPTIONS.screenshots, f"{self.id().split('.')[-1]}-{name}-{width}.png"))
        page.close()

    def test_every_page_is_readable_at_both_widths(self):
        for name in self.pages:
            for width in WIDTHS:
                with self.subTest(name=name, width=width):
                    page = self.open(name, width, dark=width == WIDTHS[1])
                    box = page.evaluate("(() => { const b = document.querySelector('h1').getBoundingClientRect();"
                                        "return [b.left, b.top, b.right, b.bottom, b.height]; })()")
                    self.assertGreater(box[4], 10)
                    self.assertTrue(box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= HEIGHT, box)
                    self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                    sentence = PROGRAMS[name][1] if name in PROGRAMS else ""
                    self.assertIn(sentence, page.evaluate("document.querySelector('h1').innerText"))
                self.doCleanups()

    def test_a_near_miss_and_its_source_are_shown(self):
        text = self.open("tag").evaluate("document.querySelector('main').innerText")
        self.assertIn("Rank 1 sends tag 8 to rank 0", text)
        self.assertIn("rank 0 waits for tag 7", text)
        self.assertIn("MPI_Ssend(value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);", text)
        self.assertIn("What would resolve it", text)

    def scroll_to_graph(self, page):
        page.evaluate("document.querySelector('.view').scrollIntoView()")
        page.drawn()

    def link_at(self, page, number):
        """Middle of a node, and the row that it leads to."""
        self.scroll_to_graph(page)
        return page.evaluate(f"(() => {{ const a = document.querySelectorAll('.graph a')[{number}];"
                             "const b = a.getBoundingClientRect();"
                             "return [b.left + b.width / 2, b.top + b.height / 2, a.getAttribute('href')]; })()")

    def assert_at_row(self, page, href):
        self.assertEqual(page.settled("location.hash", href), href)  # the browser gives the row the focus then, once more
        page.drawn()
        self.assertEqual(page.settled("'#' + document.activeElement.id", href), href)
        box = page.evaluate(f"(() => {{ const b = document.querySelector('{href}').getBoundingClientRect();"
                            "return [b.top, b.bottom]; })()")
        self.assertTrue(box[0] >= -1 and box[1] <= HEIGHT + 1, box)

    def test_a_click_on_a_node_leads_to_its_row(self):
        for name, width in zip(("tag", "tag", "odd", "mixture", "large"), WIDTHS * 3):
            with self.subTest(name=name, width=width):
                page = self.open(name, width)
                x, y, href = self.visible_link(page)
                page.click(x, y)
                self.assert_at_row(page, href)
            self.doCleanups()

    def visible_link(self, page):
        """As link_at(), of a drawing that may be wider than its frame."""
        self.scroll_to_graph(page)
        return page.evaluate("(() => { const f = document.querySelector('.view').getBoundingClientRect();"
                             "for (const a of document.querySelectorAll('.graph a')) {"
                             "const b = a.getBoundingClientRect(); const x = b.left + b.width / 2, y = b.top + b.height / 2;"
                             "if (x > f.left && x < f.right && y > f.top + 60 && y < f.bottom)"
                             "return [x, y, a.getAttribute('href')]; } })()")

    def test_the_keyboard_does_what_the_mouse_does(self):
        page = self.open("tag")
        href = page.evaluate("(() => { const a = document.querySelector('.graph a'); a.focus();"
                             "return a.getAttribute('href'); })()")
        page.press("Enter", 13, "\r")
        self.assert_at_row(page, href)
        page.evaluate("document.querySelector('.view').focus()")
        before = self.view_box(page)
        page.press("+", 187, "+")
        zoomed = self.view_box(page, before)
        self.assertLess(zoomed[2], before[2])
        page.press("ArrowRight", 39)
        moved = self.view_box(page, zoomed)
        self.assertGreater(moved[0], zoomed[0])
        page.press("0", 48, "0")
        self.assertEqual(self.view_box(page, moved), before)

    def view_box(self, page, before=None):
        """What of the drawing is seen, as soon as it is not what it was before, or a second later."""
        box = "document.querySelector('.view svg').getAttribute('viewBox')"
        if before is not None:
            page.settled(f"{box}.split(' ').map(Number).join() !== '{','.join(f'{n:g}' for n in before)}'", True)
        return [float(n) for n in page.evaluate(box).split()]

    def test_a_drag_moves_the_graph_and_is_no_click(self):
        page = self.open("tag")
        x, y, _ = self.link_at(page, 0)
        before = self.view_box(page)
        page.drag(x, y, 80, 10)
        self.assertLess(self.view_box(page, before)[0], before[0])
        self.assertEqual(page.evaluate("location.hash"), "")
        page.press("Escape", 27)
        x, y, href = self.link_at(page, 0)
        page.click(x, y)
        self.assert_at_row(page, href)

    def test_a_tall_graph_opens_at_its_top(self):
        page = self.open("tall")
        x, y, width, height = self.view_box(page)
        self.assertLess(height, page.evaluate("document.querySelector('.view svg .graph').getBBox().height"))
        self.assertLessEqual(y, 0)  # the drawing begins at 0, 0
        self.assertGreater(y, -height * 0.2)
        self.assertLessEqual(x, 0)
        self.assertGreater(width, 0)

    def test_columns_without_a_word_are_left_out(self):
        heads = "[...document.querySelectorAll('.table thead tr')].map((row) => row.innerText.replace(/\\s+/g, ' '))[0]"
        self.assertEqual(self.open("tall").evaluate(heads), "rank call waits for rank where communicator")
        self.assertIn("state", self.open("tag").evaluate(heads))

    def test_a_node_tells_its_call_when_it_is_pointed_at(self):
        page = self.open("tag")
        x, y, _ = self.link_at(page, 0)
        self.assertTrue(page.evaluate("document.getElementById('tip').hidden"))
        page.mouse("mouseMoved", x, y)
        self.assertFalse(page.settled("document.getElementById('tip').hidden", False))
        self.assertIn("MPI_", page.evaluate("document.getElementById('tip').innerText"))

    def test_the_theme_follows_the_system_until_it_is_chosen(self):
        colour = "getComputedStyle(document.body).backgroundColor"
        light, dark = self.open("tag").evaluate(colour), self.open("tag", dark=True).evaluate(colour)
        self.assertNotEqual(light, dark)
        page = self.open("tag")
        for expected in (light, dark, light):  # light, dark, as the system
            page.evaluate("document.getElementById('theme').click()")
            self.assertEqual(page.evaluate(colour), expected)

    def test_paper_shows_what_is_folded(self):
        page = self.open("large")
        folded = "document.querySelectorAll('details:not([open])').length"
        before = page.evaluate(folded)
        self.assertGreater(before, 0)
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(page.evaluate(folded), 0)
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(page.evaluate(folded), before)

    def test_the_last_calls_are_readable(self):
        inside = """[...document.querySelectorAll('.lanes .box')].flatMap((box) => {
            const r = box.querySelector('rect').getBoundingClientRect();
            return [...box.querySelectorAll('text')].filter((text) => {
                const t = text.getBoundingClientRect();
                return t.left < r.left || t.right > r.right || t.top < r.top || t.bottom > r.bottom;
            }).map((text) => text.textContent);
        })"""
        apart = """(() => {
            const all = [...document.querySelectorAll('.lanes text')].map((t) => [t.textContent, t.getBoundingClientRect()]);
            return all.flatMap(([a, p], i) => all.slice(i + 1).filter(([, q]) => p.left < q.right && q.left < p.right &&
                p.top + 3 < q.bottom && q.top + 3 < p.bottom).map(([b]) => a + ' over ' + b)); })()"""
        backward = """[...document.querySelectorAll('.lanes > path')].filter((path) => path.getAttribute('d').includes('C'))
            .filter((path) => path.getPointAtLength(0).x >= path.getPointAtLength(path.getTotalLength()).x).length"""
        outside = """(() => { const s = document.querySelector('.lanes').getBoundingClientRect();
            return [...document.querySelectorAll('.lanes text')].filter((t) => t.getBoundingClientRect().right > s.right).length; })()"""
        for name in ("tag", "odd", "lanes"):
            for width in WIDTHS:
                with self.subTest(name=name, width=width):
                    page = self.open(name, width)
                    self.assertEqual(page.evaluate(inside), [])
                    self.assertEqual(page.evaluate(apart), [])
                    self.assertEqual(page.evaluate(backward), 0)
                    self.assertEqual(page.evaluate(outside), 0)
                    self.assertGreater(page.evaluate("document.querySelectorAll('.lanes .stuck').length"), 0)
                self.doCleanups()
        page = self.open("lanes")
        self.assertEqual(page.evaluate("document.querySelectorAll('.lanes path.message').length"), 2)  # with its key
        self.assertIn("communicator", page.evaluate("document.querySelector('.lanes .why').textContent"))

    def test_ten_thousand_ranks_are_small(self):
        self.assertLess(os.path.getsize(self.pages["large"]), 100_000)
        self.assertIn("1-612, 614-9999", self.open("large").evaluate("document.querySelector('tbody').innerText"))

    def test_nothing_of_the_application_is_obeyed(self):
        page = self.open("hostile")
        self.assertEqual(page.evaluate("typeof window.evil"), "undefined")
        self.assertIn("<script>window.evil = 1</script>", page.evaluate("document.querySelector('h1').innerText"))

    def test_the_policy_forbids_the_network(self):
        page = self.browser.open(self.pages["tag"], WIDTHS[0], HEIGHT)
        self.addCleanup(page.close)
        blocked = page.evaluate("new Promise((told) => {"
                                "addEventListener('securitypolicyviolation', (event) => told(event.effectiveDirective));"
                                "const image = new Image(); image.src = 'http://127.0.0.1:9/x.png';"
                                "document.body.append(image); })")
        self.assertEqual(blocked, "img-src")
        self.assertTrue(page.complaints())  # so that other tests would see it


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for option in ("--mustrun", "--mustview", "--programs"):
        parser.add_argument(option, required=True, type=os.path.abspath)
    parser.add_argument("--screenshots", type=os.path.abspath)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
