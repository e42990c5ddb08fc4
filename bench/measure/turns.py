# SPDX-License-Identifier: BSD-3-Clause
"""Runs a benchmark without and with the tool in turns and writes a row of CSV for each run.

seconds_loop is what the program says; seconds_wall and cpu_seconds are of the whole command and all its processes, those of
the tool's job included, and so are page_faults, which need no disk. other_cpu_seconds is what the rest of the machine used
meanwhile: how quiet it was."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import plain

COLUMNS = ["benchmark", "ranks", "repeat", "variant", "seconds_loop", "seconds_wall", "cpu_seconds",
           "other_cpu_seconds", "records", "searches", "full_waits", "page_faults"]
VARIANTS = ("none", "orknot")
LONGEST = 600  # seconds of one run


class Failed(Exception):
    """A run that did not end well; nothing is to be concluded from it."""


def environment(variables=None):
    environment = dict(os.environ) | (variables or {})
    environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    if os.geteuid() == 0:  # mpirun refuses to run as root unless told twice
        environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return environment


def busy_seconds():
    """Processor time used by all processes of the machine since its start (proc(5), /proc/stat)."""
    with open("/proc/stat", encoding="utf-8") as stat:
        user, nice, system, _idle, _wait, irq, softirq = (int(n) for n in stat.readline().split()[1:8])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def time_limit(child, seconds):
    """Kill the child and its group if this takes longer, and end it if we are ended."""
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(child.pid, signal.SIGKILL))
    signal.alarm(seconds)
    try:
        yield
    except BaseException:
        os.killpg(child.pid, signal.SIGTERM)
        raise
    finally:
        signal.alarm(0)


def run(command, folder, variables=None):
    """(standard output, seconds of wall time, seconds of processor time) of a command and all its processes."""
    output, wall, usage = _run(command, folder, variables)
    return output, wall, usage.ru_utime + usage.ru_stime


def _run(command, folder, variables=None):
    """(standard output, seconds of wall time, what the command and all its processes used)"""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.monotonic()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder,
                                 env=environment(variables), start_new_session=True)
        with time_limit(child, LONGEST):
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - begin
        out.seek(0)
        err.seek(0)
        if child.returncode != 0:
            raise Failed(f"exit code {child.returncode} of {' '.join(command)}\n{err.read().decode(errors='replace')}")
        return out.read().decode(errors="replace"), wall, usage


def unexpected_findings(report, classes=()):
    """RATIONALE: some of the NAS Parallel Benchmarks do not free their communicators."""
    return [finding for finding in report["findings"]
            if finding["severity"] != "note" and finding["id"] != "resource-leak" and finding["class"] not in classes]


def _one(benchmark, ranks, variant, mustrun):
    """The rows of one run, without the number of the repeat."""
    with tempfile.TemporaryDirectory() as folder:
        start = [str(mustrun), "--must:output-dir", folder, "--must:errorcode", "0"] if variant == "orknot" else ["mpirun"]
        more = ["--oversubscribe"] if ranks > os.cpu_count() else []
        busy = busy_seconds()
        for path in benchmark.inputs:
            shutil.copy(path, folder)
        output, wall, usage = _run([*start, *more, "-np", str(ranks), *benchmark.command], folder)
        cpu = usage.ru_utime + usage.ru_stime
        other = max(0.0, busy_seconds() - busy - cpu)
        statistics = {}
        if variant == "orknot":
            with open(os.path.join(folder, "MUST_Output.json"), encoding="utf-8") as report:
                read = json.load(report)
            unexpected = unexpected_findings(read, benchmark.classes)
            if not read["complete"] or unexpected:
                raise Failed(f"{benchmark.name}: not a clean report: {json.dumps(unexpected)[:2000]}")
            statistics = read["statistics"]
        counts = [statistics.get(key, "") for key in ("records", "searches", "full_waits")]
        for row, seconds in benchmark.loops(output, wall).items():
            name = benchmark.name + (f".{row}" if row else "")
            yield [name, ranks, None, variant, f"{seconds:.6g}", f"{wall:.4f}", f"{cpu:.3f}", f"{other:.2f}", *counts,
                   usage.ru_minflt]


def _pair(benchmark, ranks, mustrun):
    return [row for variant in VARIANTS for row in _one(benchmark, ranks, variant, mustrun)]


def _others(rows):
    """Processors that the rest of the machine kept busy during the noisier run of a pair."""
    wall, other = COLUMNS.index("seconds_wall"), COLUMNS.index("other_cpu_seconds")
    return max(float(row[other]) / float(row[wall]) for row in rows)


def _wait_for_quiet(limit):
    """Until the machine has been quiet for a moment, but not for long."""
    for _ in range(10):
        busy = busy_seconds()
        time.sleep(0.2)
        if busy_seconds() - busy <= 0.2 * limit:
            return


def _quiet_pairs(benchmark, ranks, repeat, mustrun, limit, seconds):
    """Pairs until `repeat` of them were quiet, at most twice as many, and no further ones after so many seconds once there are
    three; (the quietest `repeat`, how many there were).
    RATIONALE: which are kept depends on what other processes did, never on the result."""
    pairs = []
    end = time.monotonic() + seconds
    while len(pairs) < 2 * repeat and sum(_others(pair) <= limit for pair in pairs) < repeat:
        if len(pairs) >= min(repeat, 3) and time.monotonic() > end:
            break
        _wait_for_quiet(limit)
        pairs.append(_pair(benchmark, ranks, mustrun))
    return sorted(pairs, key=_others)[:repeat], len(pairs)


def quietest(take_turn, repeat, quiet, repeat_column=2):
    """Turns until in `repeat` of them the others' load was at most `quiet`, at most twice as many; (rows of the quietest
    `repeat`, with their number in that column; how many were kept and made, as a comment; how many were made). take_turn()
    yields the rows of a turn; the last column is the others' load."""
    made = []
    while len(made) < 2 * repeat and sum(float(rows[0][-1]) <= quiet for rows in made) < repeat:
        made.append(list(take_turn()))
    kept = sorted(made, key=lambda rows: float(rows[0][-1]))[:repeat]
    rows = [[*row[:repeat_column], i, *row[repeat_column + 1:]] for i, rows in enumerate(kept) for row in rows]
    return rows, f"the quietest {len(kept)} of {len(made)} turns", len(made)


def measure(benchmark, ranks, repeat, mustrun, limit, seconds, header, path):
    """Write the CSV file of a benchmark: the header as comments, then the rows. `limit`: how many processors other
    processes may keep busy during a pair that is called quiet; `seconds`: about how long each number of ranks may take."""
    rows, comments = [], list(header)
    for n in ranks:
        pairs, made = _quiet_pairs(benchmark, n, repeat, mustrun, limit, seconds)
        print(f"{benchmark.name}: {n} ranks, {made} pairs", file=sys.stderr)
        comments.append((f"pairs, {n} ranks", f"the quietest {len(pairs)} of {made}"))
        rows += [[*row[:2], i, *row[3:]] for i, pair in enumerate(pairs) for row in pair]
    plain.write(path, comments, COLUMNS, rows)
