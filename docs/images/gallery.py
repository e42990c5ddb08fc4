# SPDX-License-Identifier: BSD-3-Clause
"""Remake the reports and pictures of docs/explanation/mistakes.md from real runs of programs of the tests.

    gallery.py BUILD [NAME...]

A report is kept without what differs from run to run (times, hosts, folders); a test draws the pictures again from these
reports, and looks at all of them in a browser.
"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "e2e", "html"))
from pictures import pictures  # noqa: E402 - it is in that folder

GALLERY = os.path.join(HERE, "gallery")
REPORTS = os.path.join(HERE, "..", "..", "tests", "e2e", "html", "reports")
PROGRAMS = os.path.join(HERE, "..", "..", "tests", "e2e", "programs")

# Programs of docs/images.
OWN = "../../../docs/images/programs/"

# Name of the report and the picture: the mistake, and a program of the tests that makes it.
MISTAKES = {
    "both-receive-first": ("Two ranks receive before they send", "p2p/recv_recv.c"),
    "send-before-receive": ("All ranks send before they receive, and the library buffers it", "p2p/ring_send.c"),
    "wrong-tag": ("The tags of send and receive differ", "p2p/tag_mismatch.c"),
    "forgotten-neighbour": ("The last rank of a halo exchange is forgotten", "p2p/lanes_halo.c"),
    "other-communicator": ("Send and receive use different communicators", "p2p/other_communicator.c"),
    "odd-rank-out": ("One rank of a collective call is somewhere else", "collective/odd_rank_out.c"),
    "different-collectives": ("Ranks make different collective calls", "collective/bcast_meets_barrier.c"),
    "loop-left-early": ("One rank leaves a loop too early", "collective/loop_left_early.c"),
    "barrier-before-send": ("A barrier comes before the send that another rank waits for", "collective/barrier_before_send.c"),
    "order-of-messages": ("A receive from any source takes the message of another one", "wildcard/unlucky_order.c"),
    "message-race": ("A receive from any source may take the message of another one", "wildcard/race_once.c"),
    "lucky-order": ("Only the order of messages of this run avoided a deadlock", "wildcard/lucky_order.c"),
    "waits-in-a-loop": ("Ranks poll for a message that nobody sends", "request/polling.c"),
    "never-received": ("A message is never received", "p2p/isend_never_received.c"),
    "message-too-long": ("A message is longer than the buffer that receives it", "process/truncation_fatal.c"),
    "other-type": ("Sender and receiver name different datatypes", "types/int_as_float.c"),
    "other-count": ("The counts of a collective call differ", "types/bcast_counts.c"),
    "request-leak": ("Requests are never completed", "request/leaks_of_all_ranks.c"),
    "buffer-changed": ("A buffer is changed before its send is complete", "buffers/modified.c"),
    "unordered-accesses": ("Nothing orders accesses to the same bytes of a window", "onesided/lanes_fence.c"),
    "outside-the-window": ("An access is outside of the window", "onesided/bounds_fatal.c"),
    "a-rank-dies": ("A rank crashes, and the others wait for it", "death/segv.c"),
    "wrong-argument": ("An argument is not valid", "usage/negative_count.c"),
}
# What else is looked at; with a number of ranks, if it is not the program's.
OTHERS = {
    "steps-of-a-loop": ("p2p/lanes_loop.c", 0),
    "two-streams": ("p2p/lanes_streams.c", 0),
    "python": ("mpi4py/recv_recv.py", 0),
    "fortran": ("fortran/recv_recv.f90", 0),
    "clean": ("correct/halo_exchange.c", 0),
    "sixty-four-ranks": ("collective/odd_rank_out.c", 64),
    "a-rank-sleeps": (OWN + "rank_sleeps.c", 0),
}
# Explorations, with their ranks.
EXPLORATIONS = {
    "exploration": ("../../../docs/how-to/first_come.c", 3),
    "exploration-output": ("../../explore/programs/floating_sum.c", 4),
    "exploration-wait": (OWN + "first_done.c", 3),
    "exploration-test": (OWN + "done_yet.c", 2),
    "exploration-lock": (OWN + "last_writer.c", 3),
}
PAGE = os.path.join(HERE, "..", "explanation", "mistakes.md")
INTRODUCTION = """<!-- SPDX-License-Identifier: BSD-3-Clause -->
# What a report shows of common mistakes

The first screen of the page of a report, `MUST_Output.html`, has the verdict, the sentence, the places, the last calls
of the ranks as a drawing, and what to do. This page shows the sentences and drawings of real runs of programs of the
tests, each with one mistake. For each of them, a test opens the page in a window of 1400 x 1000 pixels: the sentence of
the worst finding, its places and the calls of its drawing are there without scrolling; in a window of 360 x 1000
pixels, the sentence is. `docs/images/gallery.py` makes this page.
"""


def head(source, key):
    with open(source, encoding="utf-8") as text:
        found = re.search(rf"{key}: (.*)", text.read(4000))
    return found[1].split() if found else []


def compile_program(source, folder):
    name = os.path.basename(source)
    shutil.copy(source, folder)
    stem, language = os.path.splitext(name)
    if language == ".py":
        return ["/usr/bin/python3", name]  # for which the package python3-mpi4py is made
    compiler = "mpifort" if language == ".f90" else "mpicc"
    subprocess.run([compiler, "-g", "-O1", "-I", os.path.dirname(source), "-o", stem, name], cwd=folder, check=True)
    return ["./" + stem]


def run(build, source, ranks, folder, options=()):
    program = compile_program(source, folder)
    command = [os.path.join(build, "mustrun", "mustrun"), "--must:output", "json,html", "--must:quiet", *head(source, "OPTIONS"),
               *options, "--oversubscribe", "-np", str(ranks), *program]
    with open(os.path.join(folder, "stderr"), "wb") as errors:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            process.wait(10 if head(source, "INTERRUPT") else 120)
        except subprocess.TimeoutExpired:  # it hangs, as it should
            process.send_signal(signal.SIGINT)
            process.wait(120)
    with open(os.path.join(folder, "MUST_Output.json"), encoding="utf-8") as report:
        return report.read().replace(folder + "/", "")


def without_circumstances(report):
    """What is the same in the next run."""
    for key in ("run", "seconds", "replay", "explore"):
        report.pop(key, None)
    if "exploration" in report:
        report["exploration"]["run_seconds"] = 0
    else:
        report["statistics"] = {key: report["statistics"][key] for key in ("calls", "messages", "collectives")}
    for finding in report["findings"]:
        finding.pop("fingerprint", None)
        finding.pop("files", None)
    return report


def draw(build, name):
    """The pictures of a report."""
    mustview = os.path.join(build, "mustview", "mustview")
    for old in glob.glob(os.path.join(GALLERY, name + ".*")):
        os.remove(old)
    for end, picture in pictures(mustview, os.path.join(REPORTS, name + ".json"), os.path.join(REPORTS, "wrong-tag.json")).items():
        with open(os.path.join(GALLERY, name + end), "wb") as out:
            out.write(picture)


def make(build, name, program, ranks, options=()):
    source = os.path.normpath(os.path.join(PROGRAMS, program))
    with tempfile.TemporaryDirectory() as folder:
        report = without_circumstances(json.loads(run(build, source, ranks or int(head(source, "RANKS")[0]), folder, options)))
        if os.environ.get("GALLERY_KEEP"):
            shutil.copytree(folder, os.path.join(os.environ["GALLERY_KEEP"], name), dirs_exist_ok=True)
    with open(os.path.join(REPORTS, name + ".json"), "w", encoding="utf-8") as out:
        json.dump(report, out, indent=1, ensure_ascii=False)
        out.write("\n")
    draw(build, name)


def sentences(name):
    """Of the worst findings, each once."""
    with open(os.path.join(REPORTS, name + ".json"), encoding="utf-8") as report:
        findings = json.load(report)["findings"]
    order = ["error", "warning", "note"]
    worst = min(order.index(finding["severity"]) for finding in findings)
    found = [finding for finding in findings if order.index(finding["severity"]) == worst]
    return [(finding["id"], finding["class"], finding["summary"] or finding["message"]) for finding in found[:3]]


def drawn(name):
    """The finding whose last calls the picture shows."""
    with open(os.path.join(REPORTS, name + ".json"), encoding="utf-8") as report:
        return next(finding["id"] for finding in json.load(report)["findings"] if finding["last_calls"])


def write_page():
    with open(PAGE, "w", encoding="utf-8") as out:
        out.write(INTRODUCTION)
        for name, (title, program) in MISTAKES.items():
            out.write(f"\n## {title}\n\n")
            for kind, class_, sentence in sentences(name):
                text = f"* `{kind}`{f' ({class_})' if class_ else ''}: {sentence}"
                out.write("\n".join(textwrap.wrap(text, 118, subsequent_indent="  ", break_long_words=False,
                                                  break_on_hyphens=False)) + "\n")
            if os.path.exists(os.path.join(GALLERY, name + ".svg")):
                first = sentences(name)[0][0]
                if drawn(name) != first:
                    out.write(f"\nThe last calls of the `{drawn(name)}`:\n")
                out.write(f"\n![The last calls: {title}](../images/gallery/{name}.svg)\n")
            if os.path.exists(os.path.join(GALLERY, name + ".ruler.svg")):
                out.write(f"\n![The bytes that are accessed: {title}](../images/gallery/{name}.ruler.svg)\n")


def main():
    build, *names = sys.argv[1:]
    build = os.path.abspath(build)
    programs = {name: (program, 0) for name, (_, program) in MISTAKES.items()}
    programs.update(OTHERS)
    for name, (program, ranks) in programs.items():
        if not names or name in names:
            make(build, name, program, ranks)
    for name, (program, ranks) in EXPLORATIONS.items():
        if not names or name in names:
            make(build, name, program, ranks, ["--must:explore"])
    write_page()


main()
