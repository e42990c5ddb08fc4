# SPDX-License-Identifier: BSD-3-Clause
"""Run a command with a time limit and leave none of its processes behind.

Every run gets an environment variable with a value of its own, which its processes inherit: that is how they are found again."""

import dataclasses
import os
import re
import signal
import subprocess
import time
import uuid

RUN_VARIABLE = "ORK_TEST_RUN"
STOP_VARIABLE = "ORK_TEST_STOP"  # a file: programs/stop.h
STOP_LIMIT = 100.0  # seconds until a program is stopped that waits in vain for what the tool says
STOP_AFTER = 1.0  # seconds that it goes on all the same


@dataclasses.dataclass
class Outcome:
    exit_code: int  # None: still running at the time limit
    stdout: bytes
    stderr: bytes
    leftovers: list  # command lines of processes that outlived the run


def environment(extra=None):
    """Open MPI refuses to run as root without these."""
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    env.setdefault("OMP_NUM_THREADS", "1")
    env.setdefault("OPENBLAS_NUM_THREADS", "1")
    env.update(extra or {})
    return env


def processes_of(run):
    """{pid: command line} of the living processes that inherited the run's variable."""
    wanted = f"{RUN_VARIABLE}={run}".encode()
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if wanted not in file.read().split(b"\0"):
                    continue
            with open(f"/proc/{name}/cmdline", "rb") as file:
                found[int(name)] = file.read().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            continue  # gone, or somebody else's
    return found


def clear(run, patience):
    """Wait for the run's processes to go; kill what is left. Returns their command lines."""
    deadline = time.monotonic() + patience
    while processes_of(run) and time.monotonic() < deadline:
        time.sleep(0.02)
    left = processes_of(run)
    for pid in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return sorted(left.values())


def wait_for_output(process, path, limit):
    """Until the program has said its first word: only then is it where it is to be interrupted."""
    end = time.monotonic() + limit
    while process.poll() is None and os.path.getsize(path) == 0:
        if time.monotonic() > end:
            raise subprocess.TimeoutExpired(process.args, limit)
        time.sleep(0.02)


def create_when_said(process, pattern, error, stop):
    """Create the file `stop` when the file `error` holds `pattern` (None: soon)."""
    end = time.monotonic() + STOP_LIMIT
    while process.poll() is None and time.monotonic() < end and pattern is not None:
        with open(error, "rb") as file:
            if re.search(pattern.encode(), file.read()):
                break
        time.sleep(0.1)
    time.sleep(STOP_AFTER)
    with open(stop, "wb"):
        pass


def wait(process, limit, interrupt, path):
    """Exit code as a shell shows it, or None when the limit is over. `path`: the program's output."""
    try:
        if interrupt is not None:
            wait_for_output(process, path, limit)
            try:
                process.wait(interrupt)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
        code = process.wait(limit)
    except subprocess.TimeoutExpired:
        return None
    return code if code >= 0 else 128 - code


def run(command, folder, limit=120.0, interrupt=None, patience=2.0, stops=False, pattern=None, variables=None):
    """Run in `folder`; its standard output and error go to files there and come back as bytes. With `stops` the program is told to
    stop (programs/stop.h) when its standard error holds `pattern`, or soon. `variables`: more environment."""
    name = uuid.uuid4().hex
    paths = [os.path.join(folder, f"{name}.{stream}") for stream in ("out", "err")]
    stop = os.path.join(folder, f"{name}.stop")
    with open(paths[0], "wb") as out, open(paths[1], "wb") as err:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment({**(variables or {}), RUN_VARIABLE: name, STOP_VARIABLE: stop}),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )
        if stops:
            create_when_said(process, pattern, paths[1], stop)
        code = wait(process, limit, interrupt, paths[0])
        left = clear(name, patience if code is not None else 0.0)
        process.wait()
    data = []
    for path in paths:
        with open(path, "rb") as file:
            data.append(file.read())
        os.unlink(path)
    return Outcome(code, data[0], data[1], left)
