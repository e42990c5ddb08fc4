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
from pictures import pictures
from pictures import view as view_file

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import process  # noqa: E402 - it is in the folder above

WIDTHS = (1400, 800, 360)
HEIGHT = 1000
HERE = os.path.dirname(os.path.abspath(__file__))
REPORTS = os.path.join(HERE, "reports")  # of real runs: see docs/images/gallery.py
PICTURES = os.path.join(HERE, "../../../docs/images/gallery")
PROGRAMS = {"tag": 2, "mixture": 4}  # and their ranks
# What the first sentence says.
SENTENCES = {
    "tag": "Rank 1 sends tag 8 to rank 0 (MPI_Ssend at tag.c:11), but rank 0 waits for tag 7 (MPI_Recv at tag.c:8)",
    "mixture": "Ranks 0-3 wait for each other",
    "report-odd-rank-out": "Ranks 0-4, 6 and 7 wait in MPI_Barrier (odd_rank_out.c:31) for rank 5, which waits in MPI_Recv "
                           "(odd_rank_out.c:29) for rank 0",
    "report-clean": "No findings",
}
# As "many", but for its size.
LARGEST = "endless"
# What a page must fulfil, as JavaScript that returns what does not.
# Text of a drawing inside of its box and of the drawing, apart from other text; lines of messages to the right.
DRAWINGS = """[...document.querySelectorAll('svg.lanes')].flatMap((svg) => {
    const whole = svg.getBoundingClientRect(), texts = [...svg.querySelectorAll('text')];
    const rect = new Map(texts.map((text) => [text, text.getBoundingClientRect()]));
    const bad = [];
    for (const box of svg.querySelectorAll('.box')) {
        const r = box.querySelector('rect').getBoundingClientRect();
        for (const text of box.querySelectorAll('text')) {
            const t = rect.get(text);
            if (t.left < r.left || t.right > r.right || t.top < r.top || t.bottom > r.bottom) bad.push('outside: ' + text.textContent);
        }
    }
    for (const text of texts) {
        const t = rect.get(text);
        if (t.left < whole.left || t.right > whole.right || t.top < whole.top || t.bottom > whole.bottom)
            bad.push('outside the drawing: ' + text.textContent);
    }
    texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => {
        if (!a.closest('.follows') !== !b.closest('.follows')) return; // it is in front when the calls are scrolled
        const p = rect.get(a), q = rect.get(b);
        if (p.left < q.right && q.left < p.right && p.top + 3 < q.bottom && q.top + 3 < p.bottom)
            bad.push(a.textContent + ' over ' + b.textContent);
    }));
    for (const path of svg.querySelectorAll(':scope > path.message')) {
        const length = path.getTotalLength();
        if (path.getPointAtLength(0).x >= path.getPointAtLength(length).x) bad.push('a message to the left');
    }
    return bad;
})"""
# WCAG AA: text against the nearest background; in a drawing, against its box.
CONTRAST = """(() => {
    const parse = (colour) => {
        const n = colour.match(/[\\d.]+/g).map(Number), scale = colour.startsWith('color(') ? 255 : 1;
        return [n[0] * scale, n[1] * scale, n[2] * scale, n.length > 3 ? n[3] : 1];
    };
    const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const box = at.matches('.box, .node') ? at.querySelector('rect, polygon, path') : null;
            const colour = parse(box ? getComputedStyle(box).fill : getComputedStyle(at).backgroundColor);
            if (colour[3] > 0.99) return colour;
        }
        return [255, 255, 255];
    };
    const bad = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement, text = walk.currentNode.textContent.trim();
        if (text === '' || !element.checkVisibility() || element.matches('script, title, title *')) continue;
        const style = getComputedStyle(element);
        const a = light(parse(element.closest('svg') ? style.fill : style.color)), b = light(behind(element));
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) bad.add(ratio.toFixed(2) + ': ' + text.slice(0, 40));
    }
    return [...bad];
})()"""
# Nothing of the page is beyond the window; only what scrolls may be wider.
WIDE = """[...document.querySelectorAll('main *')].filter((e) => !e.closest('svg') && e.checkVisibility() &&
    e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, .table, .source ol, .view, thead'))
    .map((e) => e.tagName + '.' + e.className + ': ' + e.textContent.slice(0, 40))"""
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
        [last_call("MPI_Ireduce_scatter_block", comm="W" * 200, position=3, iteration={"calls": 2, "times": 2147483647}),
         last_call("MPI_Recv", peer="MPI_ANY_SOURCE", tag=1),
         last_call("MPI_Allreduce", position=4, inside=True)],
        [last_call("MPI_Isend", peer=0, tag=5, pending=1), last_call("MPI_Recv", peer=0, tag=17, inside=True)],
    ]
    finding["last_calls"] = [{"ranks": [rank], "calls": some} for rank, some in zip((0, 1, 2), calls)]
    finding["messages"] = [{"from_list": 0, "from_call": 1, "to_list": 1, "to_call": 1}]
    end = {"call": "MPI_Isend", "rank": 0, "where": calls[0][0]["where"]}
    finding["near_misses"] = [{"waits": {**end, "call": "MPI_Recv", "rank": 2}, "pending": end, "differs": "communicator"}]
    return report


def strips(ranks):
    """A hang, and the calls of the ranks in the minute before it: one of them stopped first."""
    report = barrier(ranks, 3)
    report["findings"][0]["calls_by_second"] = {"ago": 12.3, "ranks": [
        {"rank": rank, "calls": [0 if second >= (30 if rank == 3 else 50) else 1 + second * rank % 90 for second in range(60)]}
        for rank in range(ranks)]}
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


def many(count):
    """Findings of several kinds, with names of 200 characters."""
    findings = []
    for i in range(count):
        where = {"function": "g" * 200, "file": "src/" + "n" * 200 + ".c", "line": i + 1}
        kind = ("request-leak", "warning") if i % 3 else ("invalid-argument", "error")
        findings.append({"id": kind[0], "class": None, "severity": kind[1], "message": f"finding {i} of the program",
                         "waits": [{"rank": i % 64, "call": "MPI_Isend", "comm": "MPI_COMM_WORLD", "state": "", "where": where}]})
    findings.insert(count // 2, barrier(8, 3)["findings"][0])
    return {"command": ["./solver"], "ranks": 64, "findings": findings,
            "application": {"exit_code": None, "ended": True, "ended_by": "tool"},
            "run": {"started": "2026-11-30 07:46:12 +0000", "host": "n1", "folder": "/scratch/runs", "launcher": "mpirun",
                    "mpi": "Open MPI 4.1.4", "exit_code": 66,
                    "command": ["mustrun", "-np", "64", "./solver", "--title", "it's a test", "x" * 200]}}


def conflict(low, high, other_low, other_high, **more):
    def access(rank, first, end):
        return {"rank": rank, "call": "MPI_Compare_and_swap", "target": 0, "first": first, "end": end, "reads": rank == 1,
                "epoch": "an epoch of MPI_Win_lock_all", "where": {"function": "swap", "file": "table.c", "line": 20 + rank}, **more}

    finding = {"id": "rma-conflict", "message": "rank 1 and rank 2 access the same bytes of the window of rank 0", "ranks": [1, 2],
               "accesses": [access(1, low, high), access(2, other_low, other_high)]}
    return {"command": ["./table"], "ranks": 3, "findings": [finding]}


def reports():
    return sorted(name[:-5] for name in os.listdir(REPORTS) if name.endswith(".json"))


class Html(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.pages = {name: run_program(name, ranks, os.path.join(cls.folder, name)) for name, ranks in PROGRAMS.items()}
        for name, report in (("large", barrier(10000, 613)), ("hostile", hostile()), ("tall", chain(40)), ("lanes", lanes()),
                             ("strips", strips(8)), ("thin", strips(64)), ("many", many(600)), (LARGEST, many(10000)),
                             ("conflict", conflict(80, 160, 120, 240)),
                             ("onebyte", conflict(1 << 40, (1 << 40) + 1, 0, 1 << 41)),
                             ("addresses", conflict(140187732541440, 140187732541448, 140187732541444, 140187732541504, address=True))):
            cls.pages[name] = view(report, os.path.join(cls.folder, name + ".html"))
        for name in reports():
            cls.pages["report-" + name] = os.path.join(cls.folder, "report-" + name + ".html")
            with open(cls.pages["report-" + name], "wb") as page:
                page.write(view_file(OPTIONS.mustview, "html", os.path.join(REPORTS, name + ".json")).stdout)
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

    def test_every_page_is_readable_at_each_width(self):
        """The verdict, and the sentence of the worst finding, without scrolling; also when the window is made narrower."""
        for name in self.pages:
            page = None
            for width in WIDTHS[:1] if name == LARGEST else WIDTHS:
                with self.subTest(name=name, width=width):
                    if page is None:
                        page = self.open(name, width)
                    else:
                        page.resize(width, HEIGHT, dark=width == WIDTHS[1])
                    self.check_readable(page, name, width)
            self.doCleanups()

    def check_readable(self, page, name, width):
        box = page.evaluate("(() => { const b = document.querySelector('h1').getBoundingClientRect();"
                            "return [b.left, b.top, b.right, b.bottom, b.height]; })()")
        self.assertGreater(box[4], 10)
        self.assertTrue(box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= HEIGHT, box)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
        self.assertEqual(page.evaluate(WIDE)[:3], [])
        self.assertEqual(page.evaluate(DRAWINGS), [])
        if width != WIDTHS[2]:  # once in each theme
            self.assertEqual(page.evaluate(CONTRAST), [])
        first = page.evaluate("(() => { const e = document.querySelector('.sentence') || document.querySelector('h1');"
                              "return [e.innerText, e.getBoundingClientRect().top]; })()")
        self.assertIn(SENTENCES.get(name, ""), first[0])
        self.assertLess(first[1], HEIGHT)

    def test_the_cause_is_in_the_first_screen(self):
        """Of the worst finding the sentence, the places and the calls of its drawing, without scrolling; of an exploration the
        difference and what decides."""
        ends = ("(() => {{ const f = document.querySelector('{}'), svg = f.querySelector('svg.lanes');"
                "return [...f.querySelectorAll('{}'), ...(svg ? svg.querySelectorAll('.box') : [])]"
                ".filter((e) => !e.closest('.follows')).map((e) => e.getBoundingClientRect().bottom); }})()")
        for name in reports():
            if name == "clean":
                continue
            is_exploration = name.startswith("exploration")
            parts = ("section.outcome", ".diff") if is_exploration else (".finding", ".sentence, .chips")
            with self.subTest(name=name):
                page = self.open("report-" + name, WIDTHS[2])
                narrow = page.evaluate(ends.format(*parts))
                self.assertLess(0 if is_exploration else narrow[0], HEIGHT)
                page.resize(WIDTHS[0], HEIGHT)
                found = page.evaluate(ends.format(*parts))
                self.assertGreater(len(found), 0)
                self.assertLess(max(found), HEIGHT)
            self.doCleanups()

    def test_a_narrow_window_shows_what_does_not_fit(self):
        """Although it is not at the end of the drawing."""
        for name, mark in (("other-count", ".access rect"), ("message-race", "polygon.other"), ("unordered-accesses", ".access rect")):
            page = self.open("report-" + name, 360)
            seen = (f"[...document.querySelector('.lanes {mark}').closest('svg').querySelectorAll('{mark}')].every((e) => {{"
                    "const b = e.getBoundingClientRect(), f = e.closest('.scroll').getBoundingClientRect();"
                    "return b.left >= f.left && b.right <= f.right; })")
            self.assertTrue(page.settled(seen, True), name)
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
        for name, width in zip(("tag", "tag", "report-odd-rank-out", "mixture", "large"), WIDTHS * 2):
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
        self.assertEqual(self.open("tall").evaluate(heads), "rank call waits for rank where")
        self.assertNotIn("state", self.open("tag").evaluate(heads))  # all are blocked

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
        folded = "document.querySelectorAll('details:not([open]):not(.as-text)').length"
        before = page.evaluate(folded)
        self.assertGreater(before, 0)
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(page.evaluate(folded), 0)
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(page.evaluate(folded), before)

    def test_the_last_calls_say_what_almost_matches(self):
        page = self.open("lanes")
        self.assertGreater(page.evaluate("document.querySelectorAll('.lanes .stuck').length"), 0)
        self.assertEqual(page.evaluate("document.querySelectorAll('.lanes path.message').length"), 2)  # with its key
        self.assertIn("communicator", page.evaluate("document.querySelector('.lanes .why').textContent"))

    def test_calls_a_second_say_which_rank_fell_behind(self):
        page = self.open("thin")
        self.assertIn("Rank 3 made its last call 20 s before the other ranks.", page.evaluate("document.querySelector('main').innerText"))
        self.assertGreater(page.evaluate("document.querySelectorAll('.rates path').length"), 1)

    def test_the_ranks_stay_in_sight_when_the_calls_are_scrolled(self):
        page = self.open("lanes", 360)
        place = ("(() => { const f = document.querySelector('.scroll').getBoundingClientRect();"
                 "const t = document.querySelector('.lanes .rank').getBoundingClientRect(); return t.left - f.left; })()")
        self.assertGreater(page.evaluate("document.querySelector('.scroll').scrollWidth"), 360)
        for left in (0, -100, -10000):  # the latest calls are seen first
            page.evaluate(f"document.querySelector('.scroll').scrollLeft = {left}")
            page.drawn()
            self.assertTrue(page.settled(f"(() => {{ const x = {place}; return x >= 0 && x < 40; }})()", True), left)

    def test_a_narrow_window_shows_where_a_rank_hangs(self):
        page = self.open("report-both-receive-first", 360)
        boxes = page.evaluate("[...document.querySelectorAll('.lanes .stuck rect')].slice(0, 2).map((e) => {"
                              "const b = e.getBoundingClientRect(), f = e.closest('.scroll').getBoundingClientRect();"
                              "return b.left >= f.left && b.right <= f.right; })")
        self.assertEqual(boxes, [True, True])

    def test_drawings_are_readable_on_paper(self):
        for name in ("lanes", "conflict", "strips"):
            page = self.open(name, dark=True)
            page.emulate("print", True)
            page.drawn()
            self.assertEqual(page.evaluate(DRAWINGS), [])
            self.assertEqual(page.evaluate(CONTRAST), [])
            self.assertEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
            self.doCleanups()

    def test_the_pictures_of_the_documents_are_current(self):
        """docs/images/gallery.py makes both again."""
        drawn = set()
        for name in reports():
            made = pictures(OPTIONS.mustview, os.path.join(REPORTS, name + ".json"), os.path.join(REPORTS, "wrong-tag.json"))
            for end, bytes_of_picture in made.items():
                drawn.add(name + end)
                with open(os.path.join(PICTURES, name + end), "rb") as picture:
                    self.assertEqual(picture.read(), bytes_of_picture, name + end)
        self.assertEqual(set(os.listdir(PICTURES)), drawn)

    SHOWN = "[...document.querySelectorAll('details.finding, p.brief')].filter((e) => e.checkVisibility()).length"

    def test_findings_are_filtered(self):
        page = self.open("many")
        self.assertEqual(page.evaluate("document.querySelector('h1').innerText"), "Deadlock, and 600 more findings")
        self.assertEqual(page.evaluate(self.SHOWN), 601)
        page.evaluate("document.querySelector('#filter input[value=warning]').click()")
        self.assertEqual(page.evaluate(self.SHOWN), 201)
        page.evaluate("(() => { const e = document.querySelector('#filter input[type=search]'); e.value = 'finding 33 ';"
                      "e.dispatchEvent(new Event('input', { bubbles: true })); })()")
        self.assertEqual(page.evaluate(self.SHOWN), 1)
        self.assertEqual(page.evaluate("document.getElementById('left').textContent"), "1 of 601")

    def test_findings_are_folded_and_a_link_opens_one(self):
        page = self.open("many")
        self.assertEqual(page.evaluate("document.querySelectorAll('details.finding[open]').length"), 1)
        page.evaluate("location.hash = '#f7'")
        self.assertTrue(page.settled("document.getElementById('f7').open", True))
        top = page.evaluate("document.getElementById('f7').getBoundingClientRect().top")
        self.assertTrue(-1 <= top < HEIGHT, top)
        page.evaluate("document.getElementById('unfold').click()")
        self.assertEqual(page.evaluate("document.querySelectorAll('details.finding:not([open])').length"), 0)
        page.evaluate("document.getElementById('fold').click()")
        self.assertEqual(page.evaluate("document.querySelectorAll('details.finding[open]').length"), 0)

    def test_a_finding_is_also_text(self):
        text = self.open("tag").evaluate("document.querySelector('.as-text pre').textContent")
        self.assertIn("orknot: error: deadlock (manifest): ", text)
        self.assertIn("  * rank 0: MPI_Recv(peer 1, tag 7, MPI_COMM_WORLD) at ", text)

    def test_a_place_leads_to_its_line(self):
        page = self.open("tag")
        page.evaluate("document.querySelector('a.chip').click()")
        href = page.evaluate("document.querySelector('a.chip').getAttribute('href')")
        self.assertEqual(page.settled("location.hash", href), href)
        self.assertIn("MPI_", page.evaluate(f"document.querySelector('{href} code').innerText"))

    def test_a_conflict_has_its_bytes(self):
        page = self.open("conflict")
        self.assertEqual(page.evaluate("document.querySelector('.ruler .why').textContent"), "in both: bytes 120-159")
        heads = page.evaluate("[...document.querySelectorAll('.table th[scope=col]')].map((e) => e.innerText).join(' ')")
        self.assertEqual(heads, "rank access bytes memory of in where")

    def test_ten_thousand_findings_are_below_two_megabytes(self):
        self.assertLess(os.path.getsize(self.pages["endless"]), 2_000_000)

    def test_ten_thousand_ranks_are_small(self):
        self.assertLess(os.path.getsize(self.pages["large"]), 100_000)
        self.assertIn("1-612, 614-9999", self.open("large").evaluate("document.querySelector('tbody').innerText"))

    def test_nothing_of_the_application_is_obeyed(self):
        page = self.open("hostile")
        self.assertEqual(page.evaluate("typeof window.evil"), "undefined")
        self.assertIn("<script>window.evil = 1</script>", page.evaluate("document.querySelector('.sentence').innerText"))

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
