#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mustview on reports that are large, hostile or broken, and where it writes to.

usage: test_reports.py <mustview> <mustview.1>
"""
import copy
import glob
import json
import os
import pty
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import view  # noqa: E402

MUSTVIEW, PAGE = (os.path.abspath(word) for word in sys.argv[1:3])
RANKS = 10000


def node(number, label="MPI_Recv", kind="rank", rank=None, semantics="AND", core=True):
    return {
        "id": number,
        "kind": kind,
        "semantics": semantics,
        "rank": number if rank is None else rank,
        "label": label,
        "deadlocked": True,
        "root": True,
        "core": core,
        "comm": "MPI_COMM_WORLD",
        "place": "halo.c:40",
        "towards": "from",
    }


def report(nodes, arcs, waits=()):
    graph = {"nodes": nodes, "arcs": [{"from": a, "to": b} for a, b in arcs]}
    finding = {"id": "deadlock", "class": "manifest", "severity": "error", "message": "they wait"}
    finding.update(graph=graph, waits=list(waits))
    return {"schema": 1, "tool": {"name": "orknot", "version": "0.1.0"}, "ranks": RANKS, "findings": [finding]}


def wait(rank, target, line=40):
    where = {"function": "exchange", "file": "halo.c", "line": line}
    return {"rank": rank, "call": "MPI_Recv", "comm": "MPI_COMM_WORLD", "peer": target, "tag": 1, "for": [target], "where": where}


def ring(ranks=RANKS):
    arcs = [(i, (i + 1) % ranks) for i in range(ranks)]
    return report([node(i) for i in range(ranks)], arcs, [wait(a, b) for a, b in arcs])


def pairs():
    return report([node(i) for i in range(RANKS)], [(i, i ^ 1) for i in range(RANKS)])


def farm():
    """Even ranks wait for any message, odd ones in a barrier, two of them in the knot; rank 9 waits for rank 2."""
    nodes = [node(i, "MPI_Barrier" if i % 2 else "MPI_Recv", semantics="AND" if i % 2 else "OR", core=i < 2) for i in range(RANKS)]
    nodes[9]["label"] = "MPI_Ssend"
    nodes.append(node(RANKS, "any of\nMPI_COMM_WORLD", "hub", 0, "OR"))
    nodes.append(node(RANKS + 1, "not yet in\nMPI_Barrier", "hub", 0))
    arcs = [(i, RANKS + i % 2) for i in range(RANKS) if i != 9] + [(9, 2)]
    arcs += [(RANKS, i) for i in range(RANKS)] + [(RANKS + 1, i) for i in range(0, RANKS, 2)]
    return report(nodes, arcs)


class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "r.json")

    def tearDown(self):
        self.folder.cleanup()

    def save(self, made, name="r.json"):
        path = os.path.join(self.folder.name, name)
        view.save(path, made)
        return path

    def shown(self, *words):
        return view.shown(self, MUSTVIEW, *words)

    def refused(self, code, sentence, *words):
        done = view.view(MUSTVIEW, *words)
        self.assertEqual((done.returncode, done.stdout, done.stderr.decode()), (code, b"", f"mustview: {sentence}\n"))

    # --- size ---

    def test_a_ring_of_10000_ranks_is_one_node(self):
        dot = self.shown("-f", "dot", self.save(ring())).decode()
        self.assertEqual(view.labels(dot), {0: "0-9999: MPI_Recv from rank+1 mod 10000\\nat halo.c:40"})
        self.assertEqual(view.arcs(dot), [(0, 0, "and")])

    def test_pairs_of_10000_ranks_are_two_nodes(self):
        dot = self.shown("-f", "dot", self.save(pairs())).decode()
        expected = {
            0: "0,2,..,9998: MPI_Recv from rank+1\\nat halo.c:40",
            1: "1,3,..,9999: MPI_Recv from rank-1\\nat halo.c:40",
        }
        self.assertEqual(view.labels(dot), expected)
        self.assertEqual(view.arcs(dot), [(0, 1, "and"), (1, 0, "and")])

    def test_wildcards_of_10000_ranks_keep_their_hubs(self):
        dot = self.shown("-f", "dot", self.save(farm())).decode()
        found = [label.split("\\n")[0] for label in view.labels(dot).values()]
        for label in ("0: MPI_Recv", "1: MPI_Barrier", "2: MPI_Recv", "9: MPI_Ssend", "any of", "not yet in"):
            self.assertIn(label, found)
        self.assertLess(len(found), 12)

    def test_10000_ranks_are_laid_out_in_every_format(self):
        self.save(farm())
        for kind in ("svg", "png", "pdf", "html", "text", "json"):
            with self.subTest(kind=kind):
                self.assertGreater(len(self.shown("-f", kind, self.path)), 100)

    # --- parts ---

    def test_the_knot_its_waiters_or_all(self):
        nodes = [node(0), node(1), node(2, core=False), node(3, core=False), node(4, core=False)]
        waits = [wait(i, 0) for i in range(5)]
        self.save(report(nodes, [(0, 1), (1, 0), (2, 1), (3, 2), (0, 4)], waits))
        for part, ranks in (("knot", [0, 1]), ("waiters", [0, 1, 2, 3]), ("all", [0, 1, 2, 3, 4])):
            with self.subTest(part=part):
                found = view.labels(self.shown("-f", "dot", "--show", part, self.path).decode())
                self.assertEqual([label.split(":")[0] for label in found.values()], [str(rank) for rank in ranks])
                finding = json.loads(self.shown("-f", "json", "-s", part, self.path))["findings"][0]
                self.assertEqual([w["rank"] for w in finding["waits"]], ranks)

    def test_parts_of_what_was_folded(self):
        self.save(farm())
        found = view.labels(self.shown("-f", "dot", "-s", "knot", self.path).decode())
        first = sorted(label.split("\\n")[0] for label in found.values())
        self.assertEqual(first, ["0: MPI_Recv", "1: MPI_Barrier", "any of", "not yet in"])

    # --- differences ---

    def test_differences_as_text_and_json(self):
        before, after = ring(4), ring(6)
        after["findings"][0]["waits"][1]["where"]["line"] = 44
        after["findings"].append({"id": "leak", "severity": "warning", "message": "a request is left"})
        before["findings"].append({"id": "mismatch", "message": "another tag"})
        words = ("--diff", self.save(before, "a.json"), self.save(after, "b.json"))
        done = view.view(MUSTVIEW, *words)
        expected = (
            "~ error: deadlock (manifest): they wait\n"
            "    rank 1 was in MPI_Recv at halo.c:40, now in MPI_Recv at halo.c:44\n"
            "    ranks 4, 5 new, in MPI_Recv at halo.c:40\n"
            "+ warning: leak: a request is left\n"
            "- error: mismatch: another tag\n"
            "findings: 1 appeared, 1 disappeared, 1 changed\n"
        )
        self.assertEqual((done.returncode, done.stdout.decode(), done.stderr), (1, expected, b""))
        done = view.view(MUSTVIEW, *words, "-f", "json")
        self.assertEqual(done.returncode, 1)
        found = json.loads(done.stdout)
        self.assertEqual((found["schema"], found["equal"]), (1, False))
        states = [(f["state"], f["before"], f["after"], f["id"]) for f in found["findings"]]
        self.assertEqual(states, [("changed", 1, 1, "deadlock"), ("appeared", None, 2, "leak"), ("disappeared", 2, None, "mismatch")])
        moved = [{"ranks": [1], "before": "MPI_Recv at halo.c:40", "after": "MPI_Recv at halo.c:44"}]
        moved.append({"ranks": [4, 5], "before": None, "after": "MPI_Recv at halo.c:40"})
        self.assertEqual(found["findings"][0]["changes"], {"ranks": moved})

    def test_equal_findings_are_exit_code_0_whatever_the_run_took(self):
        after = ring(4)
        after.update(seconds=9.5, notes=["something else"], command=["./other"])
        done = view.view(MUSTVIEW, "-d", self.save(ring(4), "a.json"), self.save(after, "b.json"))
        self.assertEqual((done.returncode, done.stdout), (0, b"= error: deadlock (manifest): they wait\nfinding: 1 stayed\n"))

    def test_a_report_that_cannot_be_read_is_64_not_1(self):
        good = self.save(ring(2), "a.json")
        self.refused(64, "cannot read none.json: No such file or directory", "--diff", good, "none.json")
        self.refused(64, "cannot read none.json: No such file or directory", "--diff", "none.json", good)

    # --- where it goes ---

    def test_a_picture_is_not_written_to_a_terminal(self):
        self.save(ring(2))
        for kind in ("png", "pdf"):
            master, slave = pty.openpty()
            with os.fdopen(master, "rb", buffering=0), os.fdopen(slave, "wb", buffering=0) as terminal:
                words = [MUSTVIEW, "-f", kind, self.path]
                done = subprocess.run(words, stdout=terminal, stderr=subprocess.PIPE, check=False, timeout=900)
            self.assertEqual(done.returncode, 64)
            self.assertEqual(done.stderr.decode(), f"mustview: {kind} output is not written to a terminal: name a file with --output\n")

    def test_a_missing_plugin_is_one_sentence(self):
        self.save(ring(2))
        dynamic = subprocess.run(["readelf", "-d", MUSTVIEW], stdout=subprocess.PIPE, text=True, check=True, timeout=900).stdout
        folder = re.search(r"runpath: \[([^]:]*graphviz)", dynamic)[1]
        for name in ("core", "dot_layout"):  # found first, and cairo's is not beside them
            for path in glob.glob(f"{folder}/libgvplugin_{name}.so.*"):
                shutil.copy(path, self.folder.name)
        done = view.view(MUSTVIEW, "-f", "png", self.path, env=dict(os.environ, LD_LIBRARY_PATH=self.folder.name))
        self.assertEqual((done.returncode, done.stdout), (69, b""))
        self.assertRegex(
            done.stderr.decode(),
            r"^mustview: PNG and PDF need the cairo plugin of graphviz \(libgvplugin_pango\.so\.\d+\), which cannot be loaded: "
            r"install the Debian package libgvc6\n$",
        )

    # --- anything may be in a file ---

    def test_broken_reports_never_crash_it(self):
        sample = ring(6)
        sample["findings"][0]["graph"]["nodes"][0].update(ranks="0-8/2, 11", count=6, relation="rank+1")
        whole = json.dumps(sample).encode()
        chance = random.Random(7)
        formats = ("text", "html", "json", "dot", "svg")
        for turn in range(60):
            broken = bytearray(whole)
            for _ in range(chance.randint(1, 6)):
                at = chance.randrange(len(broken))
                piece = chance.choice([b"", b"9", b"-", b'"', b"{", b"null", b"99999999999", bytes([chance.randrange(256)])])
                broken[at : at + chance.randint(0, 3)] = piece
            part = chance.choice(["all", "knot", "waiters"])
            done = view.view(MUSTVIEW, "-f", formats[turn % 5], "-s", part, "-", stdin=bytes(broken))
            self.assertIn(done.returncode, (0, 64), (turn, done.stderr, bytes(broken)))
            self.assertEqual(done.stderr.count(b"\n"), done.returncode != 0, done.stderr)
            done = view.view(MUSTVIEW, "--diff", "-", self.save(sample), stdin=bytes(broken))
            self.assertIn(done.returncode, (0, 1, 64), (turn, done.stderr))

    def test_values_of_every_type_never_crash_it(self):
        sample = ring(3)
        sample["findings"][0]["graph"]["nodes"][0].update(ranks="0-8/2, 11", count=6, relation="rank+1")

        def places(value, path=()):
            pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
            for key, inner in pairs:
                yield path + (key,)
                yield from places(inner, path + (key,))

        odds = (None, -1, 2**32, 1.5, "0-4294967295", [], {}, True)
        for number, path in enumerate(places(sample)):
            for odd in (odds[number % len(odds)], odds[(number // len(odds)) % len(odds)]):
                changed = copy.deepcopy(sample)
                inner = changed
                for key in path[:-1]:
                    inner = inner[key]
                inner[path[-1]] = odd
                done = view.view(MUSTVIEW, "-f", "dot", "-", stdin=json.dumps(changed).encode())
                self.assertIn(done.returncode, (0, 64), (path, odd, done.stderr))

    def test_ranks_without_end_take_no_time(self):
        made = ring(50)
        for n in made["findings"][0]["graph"]["nodes"]:
            n.update(ranks="0-4294967295", count=4294967295)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.shown("-f", "dot", "-s", "knot", self.save(made))
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 20)  # seconds of processor time

    # --- words ---

    def test_help_and_page_say_the_same(self):
        text = self.shown("--help").decode()
        with open(PAGE, encoding="utf-8") as file:
            page = re.sub(r"\s+", " ", re.sub(r"\\f[BIR]|^\.\w+ ?", "", file.read(), flags=re.M).replace("\\-", "-"))
        entries = re.findall(r"^  (?:(-\w), |    )(--\S+)( \S+)?\n      (.*)$", text, re.M)
        self.assertEqual(len(entries), len(re.findall(r"^ +(?:-\w, )?--", text, re.M)))
        self.assertGreater(len(entries), 6)
        for letter, name, argument, sentence in entries:
            self.assertIn(f"{letter + ', ' if letter else ''}{name}{argument} {sentence}", page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
