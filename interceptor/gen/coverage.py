# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/reference/coverage.md from the specification and the test programs:

    coverage.py write|check PAGE PROGRAMS SPEC...

Each MPI function with what the detector makes of it and a test program that calls it. `check` fails if the page is not what would be
written, so that no function can go without a row.
"""

import os
import re
import sys

import made_page
import spec

P2P = {
    "standard": "completes when it is matched (may be buffered: see `--must:sends`)",
    "synchronous": "completes when it is matched",
    "buffered": "completes at once",
    "ready": "completes when it is matched; its receive must be posted before",
}

WORDS = {
    "recv": "completes when a message is matched; from any source: waits for one of the group",
    "sendrecv": "a send and a receive, both to complete",
    "probe": "waits for a message that no earlier receive takes",
    "iprobe": "returns at once; what it found is followed",
    "mrecv": "receives the message that a matched probe took",
    "start": "starts persistent requests anew",
    "attach": "returns at once; the buffer is followed",
    "detach": "waits until the buffered messages are matched",
    "cancel": "the outcome is followed",
    "request_free": "the operation goes on without its handle",
    "poll": "returns at once; nothing but polling is suspected",
    "init": "starts the observation",
    "finalize": "a wave of all connected processes",
    "abort": "ends the analysis of waiting",
    "comm_name": "names the communicator in reports",
    "win_name": "names the window in reports",
    "errhandler": "collective calls may fail from then on",
    "control": "level 0 switches reports off, others on",
    "outside": "counts as released until it returns",
    "win_test": "returns at once; the end of the epoch is followed",
    "rma": "returns at once; must be inside an epoch",
    "flush": "returns at once; must be inside an epoch",
    "win_attach": "returns at once; the memory of the window is followed",
    "win_detach": "returns at once; the memory of the window is followed",
    "win_shared": "returns at once",
    "file_access": "returns at once; must be allowed by the mode of the file",
    "file_pointer": "returns at once; must be allowed by the mode of the file; its order is followed",
    "file_start": "returns at once, and so does the call that completes its request; must be allowed by the mode of the file",
    "file_end": "waits for the wave of its begin call",
}

WAIT = {
    "one": "waits for its request",
    "all": "waits for all of its requests",
    "any": "waits for one of its requests",
    "some": "waits for one of its requests",
}

EPOCH = {
    "post": "opens an exposure epoch at once",
    "start": "waits for the posts of its group",
    "complete": "ends an access epoch at once",
    "wait": "waits for the completes of its group",
    "lock": "waits for whoever holds an epoch that excludes it",
    "unlock": "ends the epoch at once",
}

# Operations of which nothing is recorded.
LOCAL = ("local", "free_mem", "type_commit")

WAVE = {"collective", "constructor", "comm_free", "win_maker", "win_free", "win_collective", "file_open", "file_close",
        "file_collective", "file_begin"}


def completion(words):
    if "nonblocking" in words:
        return ", at the call that completes its request"
    if "persistent" in words:
        return ", once for each start"
    return ""


def treatment(op):
    kind = op[0]
    if kind == "send":
        return P2P[op[1]] + completion(op)
    if kind == "wait":
        return WAIT[op[1]]
    if kind == "test":
        return "returns at once; what it completed is followed"
    if kind == "epoch":
        return EPOCH[op[1]]
    if kind == "constructor" and op[1] in ("Comm_spawn", "Comm_spawn_multiple", "Comm_accept", "Comm_connect"):
        return "a wave of the communicator; then counts as released until it returns"
    if kind == "join":
        return "counts as released until it returns"
    if kind == "file_begin":
        return "a wave, waited for at the end call"
    if kind == "rma":
        return WORDS[kind]
    if kind in WAVE:
        return "a wave: waits for all members" + completion(op)
    return WORDS[kind] + completion(op)


def calls_of_programs(folder):
    """Function (in upper case: Fortran has no other) -> a test program that calls it, C before Fortran, short before long."""
    found = {}
    files = [os.path.join(d, f) for d, _, names in os.walk(folder) for f in names if f.endswith((".c", ".f", ".f90", ".cc"))]
    for path in sorted(files, key=lambda p: (not p.endswith(".c"), os.path.getsize(p), p)):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/|^[Cc!*].*?$", "", file.read(), flags=re.S | re.M)
        for name in re.findall(r"\bMPIX?_\w+(?=\s*\()", text, flags=re.I):
            found.setdefault(name.upper(), os.path.relpath(path, folder))
    return found


def page(functions, names, tests):
    def row(name, text):
        test = tests.get(name.upper())
        return f"| {name} | {text} | {'`' + test + '`' if test else ''} |"

    lines = [
        "<!-- SPDX-License-Identifier: BSD-3-Clause -->",
        "# What is analysed",
        "",
        "Made by `interceptor/gen/coverage.py` from `interceptor/spec` and the programs in `tests/e2e/programs`: do not edit.",
        "A *wave* is the same collective call by all members of a communicator, window or file.",
        "",
        "## Followed",
        "",
        "| function | what it waits for | a test |",
        "|---|---|---|",
    ]
    lines += [row(f.name, treatment(f.op)) for f in sorted(functions, key=lambda f: f.name) if f.op[0] not in LOCAL]
    lines += [
        "",
        "## Local",
        "",
        "These return without any other process's doing, and nothing is recorded of them.",
        "",
        "| function | what it waits for | a test |",
        "|---|---|---|",
    ]
    local = names.local + names.left + [f.name for f in functions if f.op[0] in LOCAL]
    lines += [row(name, "nothing") for name in sorted(local) if not name.isupper()]
    lines += [
        "",
        "## Only counted",
        "",
        "Functions above MPI-3.1, and extensions of MPI libraries; also the functions for large counts, whose names end in `_c`.",
        "From the first call on, the rank counts as able to have done",
        "[anything](../explanation/what-cannot-be-seen.md#not-observed).",
        "",
        "| function |",
        "|---|",
    ]
    lines += [f"| {name} |" for name in sorted(names.newer) if not name.endswith("_c")]
    return "\n".join(lines) + "\n"


def main(argv):
    verb, path, programs, *specs = argv
    functions, names = spec.load(specs)
    text = page(functions, names, calls_of_programs(programs))
    return made_page.write_or_check(verb, path, text, "coverage")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
