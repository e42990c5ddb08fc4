# SPDX-License-Identifier: BSD-3-Clause
"""What the pictures of a report cost: its size, and the processor time to make its page, with two versions of mustview.

    report_size.py BEFORE NOW > results/report-size.csv

BEFORE and NOW are programs mustview. The reports are those of docs/images/gallery.py, and one of 1,000 ranks. "json before" is the
report without what the pictures need.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPORTS = os.path.join(HERE, "..", "tests", "e2e", "html", "reports")
NAMES = ("both-receive-first", "forgotten-neighbour", "steps-of-a-loop", "lucky-order", "unordered-accesses", "odd-rank-out",
         "sixty-four-ranks", "a-rank-dies", "clean")
ROUNDS = 5


def ring(ranks):
    """Ranks that wait for each other after a loop, and their calls in a minute."""
    def where(line):
        return {"function": "exchange", "file": "halo.c", "line": line}

    def calls(rank):
        return [{"call": "MPI_Irecv", "peer": rank - 1, "tag": 1, "where": where(84), "iteration": {"calls": 3, "times": 5000}},
                {"call": "MPI_Isend", "peer": rank + 1, "tag": 1, "where": where(86)}, {"call": "MPI_Waitall", "where": where(88)},
                {"call": "MPI_Allreduce", "comm": "MPI_COMM_WORLD", "position": 7, "where": where(95)},
                {"call": "MPI_Waitall", "inside": True, "where": where(88)}]

    finding = {"id": "deadlock", "class": "manifest", "message": "a ring", "ranks": list(range(ranks)), "roots": [list(range(ranks))],
               "waits": [{"rank": r, "call": "MPI_Waitall", "for": [(r + 1) % ranks], "where": where(88)} for r in range(ranks)],
               "last_calls": [{"ranks": [r], "calls": calls(r)} for r in range(0, ranks, ranks // 8)],
               "calls_by_second": {"ago": 12, "ranks": [{"rank": r, "calls": [20 + s * r % 50 for s in range(60)]} for r in range(64)]}}
    return {"command": ["./heat"], "ranks": ranks, "findings": [finding]}


def without(report):
    bare = json.loads(json.dumps(report))
    for finding in bare["findings"]:
        for key in ("last_calls", "messages", "calls_by_second", "accesses"):
            finding.pop(key, None)
    return bare


def make(mustview, source, folder):
    page = os.path.join(folder, "page.html")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([mustview, "--format", "html", "--force", "--output", page, source], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return os.path.getsize(page), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    before, now = sys.argv[1:]
    reports = {"ring": ring(1000)}
    for name in NAMES:
        with open(os.path.join(REPORTS, name + ".json"), encoding="utf-8") as source:
            reports[name] = json.load(source)
    print("program,ranks,json_bytes_before,json_bytes,page_bytes_before,page_bytes,cpu_seconds_before,cpu_seconds,run")
    with tempfile.TemporaryDirectory() as folder:
        for name, report in reports.items():
            source = os.path.join(folder, "report.json")
            with open(source, "w", encoding="utf-8") as out:
                json.dump(report, out)
            sizes = [len(json.dumps(one, indent=1)) for one in (without(report), report)]
            for run in range(ROUNDS):
                old, new = make(before, source, folder), make(now, source, folder)
                print(f"{name},{report['ranks']},{sizes[0]},{sizes[1]},{old[0]},{new[0]},{old[1]:.4f},{new[1]:.4f},{run + 1}")


main()
