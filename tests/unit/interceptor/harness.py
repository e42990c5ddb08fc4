# SPDX-License-Identifier: BSD-3-Clause
"""Runs small MPI programs under the interceptor with ringdump as leaf, and reads what it saw."""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
INTERCEPTOR = os.environ["ORK_TEST_INTERCEPTOR"]
RINGDUMP = os.environ["ORK_TEST_RINGDUMP"]
COMPILERS = {".c": os.environ["ORK_TEST_MPICC"], ".cpp": os.environ.get("ORK_TEST_MPICXX", ""),
             ".F90": os.environ.get("ORK_TEST_MPIFORT", "")}
TOKEN = "0123456789abcdef0123456789abcdef"
LIMIT = ["timeout", "-k", "5", "300"]
MPIRUN = [os.environ.get("ORK_TEST_MPIEXEC", "mpirun"), "--oversubscribe"]

ANY_TAG, ANY_SOURCE, PROC_NULL, ROOT, NO_PEER, CANCELLED = -1, -1, -2, -3, -4, -5
NULL, UNKNOWN, SHARED = -1, -2, -3
NONBLOCKING, PERSISTENT, MATCHED, ERROR, INTER, SAME_GROUP, SOURCE, IN_PLACE = (
    1 << i for i in range(8))
FALLIBLE, SENDS, RECEIVES = MATCHED, ERROR, INTER

DEFINITIONS = ("MODULE", "USAGE", "SITE", "JOB", "ORDER", "WIN_MEMORY", "TOUCH", "NEIGHBORS", "OVERWRITTEN")


@dataclass
class Record:
    rank: int
    thread: int
    kind: str
    call: str
    values: dict
    list: list
    text: str

    def __getattr__(self, name):
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None

    def triples(self):
        return [tuple(self.list[i:i + 3]) for i in range(0, len(self.list), 3)]


@dataclass
class Run:
    code: int
    stdout: str
    stderr: str
    dump: str
    records: list = field(default_factory=list)
    ends: dict = field(default_factory=dict)
    places: dict = None  # see places(): they are looked up once

    def calls(self, rank):
        return [r for r in self.records if r.rank == rank and r.kind not in DEFINITIONS]

    def of(self, rank, kind, call=None):
        return [r for r in self.calls(rank) if r.kind == kind and call in (None, r.call)]


def _record(line):
    head, _, text = line.partition(" text=")
    rank, thread, kind, call, *pairs = head.split()
    pairs = dict(p.split("=") for p in pairs)
    words = [int(w) for w in pairs.pop("list", "").split(",") if w]
    pairs["extra"] = int(pairs["extra"], 16)
    return Record(int(rank), int(thread), kind, call, {k: int(v) for k, v in pairs.items()}, words,
                  text)


def read_dump(run):
    for line in run.dump.splitlines():
        if " end " in line:
            run.ends[int(line.split()[0])] = line
        elif line.endswith("broken"):
            raise AssertionError("a list is broken: " + line)
        else:
            run.records.append(_record(line))


def compile_program(name, directory, *flags):
    """Path of the executable; the name's suffix says the language."""
    stem, suffix = os.path.splitext(name)
    out = os.path.join(directory, stem + "".join(re.sub(r"\W", "", f) for f in flags))
    subprocess.run([COMPILERS[suffix], "-g", "-O0", "-w", "-pthread", *flags, "-o", out,
                    os.path.join(PROGRAMS, name)], check=True)
    return out


def environment(**more):
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    env.update(more)
    return env


def run_plain(command, ranks, directory):
    done = subprocess.run(LIMIT + MPIRUN + ["-np", str(ranks)] + command, capture_output=True,
                          text=True, env=environment(), cwd=directory, check=False)
    return Run(done.returncode, done.stdout, done.stderr, "")


def run(command, ranks, directory, token=TOKEN, mpirun_flags=(), leaf_words=()):
    """Run under the interceptor with a leaf that expects TOKEN. `leaf_words`: more arguments of ringdump."""
    session = "test-%d" % os.getpid()
    env = environment(ORKNOT_SESSION=session, ORKNOT_TOKEN=token)
    with tempfile.TemporaryFile("w+") as out:
        leaf = subprocess.Popen([RINGDUMP, session, TOKEN, str(ranks), *leaf_words], stdout=out,
                                stderr=subprocess.PIPE, text=True, env=env)
        try:
            if leaf.stderr.readline() != "ready\n":
                raise AssertionError("the leaf did not start")
            done = subprocess.run(
                LIMIT + MPIRUN + ["-np", str(ranks), "-x", "LD_PRELOAD=" + INTERCEPTOR,
                                  "-x", "ORKNOT_SESSION", "-x", "ORKNOT_TOKEN", *mpirun_flags]
                + command, capture_output=True, text=True, env=env, cwd=directory, check=False)
            if leaf.wait(300) != 0:
                raise AssertionError("the leaf failed: " + leaf.stderr.read() + done.stderr)
        finally:
            leaf.kill()
            leaf.wait()
            leaf.stderr.close()
        out.seek(0)
        result = Run(done.returncode, done.stdout, done.stderr, out.read())
    if "refused" not in result.dump:
        read_dump(result)
    return result


def run_program(name, ranks, *arguments):
    """Compile a program, and run it once."""
    with tempfile.TemporaryDirectory() as directory:
        return run([compile_program(name, directory), *arguments], ranks, directory)


def _lines_of(module, addresses):
    """{address: (file, line)}. RATIONALE: addr2line reads all of a module's lines each time it starts."""
    if not os.path.exists(module):
        raise AssertionError("no such module: " + module)
    told = subprocess.run(["addr2line", "-e", module, *(hex(address) for address in addresses)],
                          capture_output=True, text=True, check=True).stdout.splitlines()
    if len(told) != len(addresses):
        raise AssertionError(f"addr2line told {len(told)} places of {len(addresses)}")
    result = {}
    for address, place in zip(addresses, told):
        file, _, line = place.split()[0].rpartition(":")
        result[address] = (file, int(line) if line.isdigit() else 0)
    return result


def _find_places(run_):
    """{rank: {site: (file, line)}}"""
    modules, sites, result = {}, [], {}
    for r in run_.records:
        if r.kind == "MODULE":
            modules[r.rank, r.arg] = r.text
        elif r.kind == "SITE" and r.flags & SOURCE:
            result.setdefault(r.rank, {})[r.site] = (r.text.split(":")[0], r.arg2)
        elif r.kind == "SITE":
            sites.append((r.rank, r.site, r.arg, r.extra - 1))
    addresses = {}
    for rank, _, module, address in sites:
        addresses.setdefault(modules[rank, module], set()).add(address)
    lines = {module: _lines_of(module, sorted(some)) for module, some in addresses.items()}
    for rank, site, module, address in sites:
        result.setdefault(rank, {})[site] = lines[modules[rank, module]][address]
    return result


def places(run_, rank):
    """{site: (file, line)} of a rank's sites, by addr2line or as the record says."""
    if run_.places is None:
        run_.places = _find_places(run_)
    return run_.places.get(rank, {})


def expected(name, rank):
    """[(line, kind, call)] from the "=>" comments of a program."""
    result = []
    with open(os.path.join(PROGRAMS, name), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            _, arrow, told = line.partition("=> ")
            if not arrow:
                continue
            only, colon, rest = told.partition(": ")
            if colon and int(only) != rank:
                continue
            call = None
            for item in (rest if colon else told).split(","):
                kind, *named = item.split()
                call = named[0] if named else call
                result.append((number, kind, call))
    return result


def seen(run_, name, rank):
    """The same from the records; a file other than the program's is given in place of the line."""
    where = places(run_, rank)
    result = []
    for r in run_.calls(rank):
        if r.kind == "EARLY":  # of no call; and it depends on when messages come
            continue
        file, line = where.get(r.site, ("no site", 0))
        result.append((line if os.path.basename(file) == name else file, r.kind, r.call))
    return result


def line_of(name, text):
    """Number of the first line of a program that is this text."""
    with open(os.path.join(PROGRAMS, name), encoding="utf-8") as file:
        return file.read().splitlines().index(text) + 1


def python_with_mpi4py():
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import mpi4py"], capture_output=True,
                          check=False).returncode == 0:
            return python
    return None
