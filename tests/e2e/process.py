# SPDX-License-Identifier: BSD-3-Clause
"""Run a command and leave none of its processes behind.

Every run gets an environment variable with a value of its own, which its processes inherit: that is how they are found again. What was run,
how it ended and what it printed goes to the standard output, which ctest shows if the test fails.

RATIONALE: hundreds of tests start with this file. So it, and run.py, do without the larger modules of Python (subprocess, argparse,
shutil)."""

import _thread
import collections
import os
import re
import select
import shlex
import signal
import sys
import time

RUN_VARIABLE = "ORK_TEST_RUN"
STOP_VARIABLE = "ORK_TEST_STOP"  # a file: programs/stop.h
# RATIONALE: no test depends on how fast the machine is. What takes so long hangs, even if the tests get a tenth of the processors.
FAR = 900.0  # seconds
STOP_AFTER = 1.0  # seconds that a program goes on after what the tool said
SHOWN = 20000  # characters of each output, at most
WORD = 400  # characters of each word of a command
IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


# exit_code None: still running at the time limit. stdout, stderr: bytes. leftovers: command lines of processes that outlived the run.
Outcome = collections.namedtuple("Outcome", ("exit_code", "stdout", "stderr", "leftovers"))


def environment(extra=None):
    """Open MPI refuses to run as root without these."""
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    env.setdefault("OMP_NUM_THREADS", "1")
    env.setdefault("OPENBLAS_NUM_THREADS", "1")
    env.update(extra or {})
    return env


def processes_of(run, first=0):
    """{pid: command line} of the living processes that inherited the run's variable; with pids from `first` on."""
    wanted = f"{RUN_VARIABLE}={run}".encode()
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) < first:
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


# What hydra prints on the standard output when a signal has ended a rank.
BANNER = re.compile(r"=+$|=   |YOUR APPLICATION TERMINATED WITH THE EXIT STRING|This typically refers to a problem|Please see the FAQ page")


def without_banner(lines):
    own = [line for line in lines if not BANNER.match(line)]
    return own if len(own) == len(lines) else list(filter(None, own))


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def places_of(run):
    """Where the processes of a run are: a line for each of their threads."""
    for pid, command in sorted(processes_of(run).items()):
        for thread in os.listdir(f"/proc/{pid}/task") if os.path.isdir(f"/proc/{pid}/task") else []:
            folder = f"/proc/{pid}/task/{thread}"
            state = re.search(r"^State:\s*(\S+)", read(f"{folder}/status"), re.MULTILINE)
            yield f"process {pid} thread {thread} {state[1] if state else '?'} in {read(f'{folder}/wchan') or '?'}: {command[:200]}"


def clear(run, patience, first=0):
    """Wait for the run's processes to go; kill what is left. Returns their command lines."""
    deadline = time.monotonic() + patience
    while (left := processes_of(run, first)) and time.monotonic() < deadline:
        time.sleep(0.02)
    for pid in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return sorted(left.values())


def find(program, env=None):
    """The path of a program, or None."""
    if os.path.dirname(program):
        return program
    paths = (os.path.join(folder, program) for folder in os.get_exec_path(env))
    return next((path for path in paths if os.access(path, os.X_OK)), None)


# All threads have one present folder.
PLACE = _thread.allocate_lock()


class Process:
    """A command in a folder, its output and errors in two files."""

    def __init__(self, command, folder, env, out, err):
        null = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        with PLACE:
            here = os.getcwd()
            os.chdir(folder)
            try:
                files = [(os.POSIX_SPAWN_DUP2, file, number) for number, file in enumerate((null, out, err))]
                self.pid = os.posix_spawn(find(command[0], env) or command[0], command, env, file_actions=files,
                                          setsigdef=IGNORED_BY_PYTHON)
            finally:
                os.chdir(here)
                os.close(null)
        self.handle = os.pidfd_open(self.pid)
        self.code = None

    def wait(self, limit=None):
        """The exit code as a shell shows it; None: it still runs after so many seconds."""
        ends = select.poll()
        ends.register(self.handle, select.POLLIN)
        if self.code is None and ends.poll(None if limit is None else 1000 * limit):
            code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            self.code = code if code >= 0 else 128 - code
            os.close(self.handle)
        return self.code

    def poll(self):
        return self.wait(0.0)

    def send_signal(self, number):
        if self.code is None:
            signal.pidfd_send_signal(self.handle, number)


def wait_for_output(process, path, limit):
    """Until the program has said its first word: only then is it where it is to be interrupted."""
    end = time.monotonic() + limit
    while process.poll() is None and os.path.getsize(path) == 0 and time.monotonic() < end:
        time.sleep(0.02)


def create_when_said(process, pattern, error, stop):
    """Create the file `stop` when the file `error` holds `pattern` (None: soon)."""
    end = time.monotonic() + FAR
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
    if interrupt is not None:
        wait_for_output(process, path, limit)
        if process.wait(interrupt) is None:
            process.send_signal(signal.SIGINT)
    return process.wait(limit)


def log(text):
    """To the standard output, whatever its encoding is."""
    encoding = sys.stdout.encoding or "ascii"
    print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)


def show_command(command, variables):
    words = [os.fsdecode(word) for word in command]
    words = [shlex.quote(word if len(word) <= WORD else word[:WORD] + "[...]") for word in words]
    log(" ".join(["+", *(f"{key}={shlex.quote(value)}" for key, value in (variables or {}).items()), *words]))


def show(outcome):
    """What ctest prints if the test fails."""
    log(f"exit code {outcome.exit_code}")
    for name, text in (("output", outcome.stdout), ("error", outcome.stderr)):
        if text:
            log(f"--- standard {name}\n{text.decode(errors='replace')[-SHOWN:]}---")


def explain_hang(process, name):
    """Print where the processes are. A tool that is interrupted says where the ranks are."""
    log("\n".join(["still running:", *places_of(name)]))
    process.send_signal(signal.SIGINT)
    process.wait(30.0)


def new_name():
    """The value of the environment variable of a run."""
    return os.urandom(16).hex()


def new_folder():
    path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"orknot-test-{new_name()}")
    os.mkdir(path, 0o700)
    return path


def remove_folder(path):
    with os.scandir(path) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                remove_folder(entry.path)
            else:
                os.unlink(entry.path)
    os.rmdir(path)


def run(command, folder, limit=FAR, interrupt=None, patience=120.0, stops=False, pattern=None, variables=None, is_to_hang=False):
    """Run in `folder`; its standard output and error go to files there and come back as bytes. With `stops` the program is told to
    stop (programs/stop.h) when its standard error holds `pattern`, or soon. `variables`: more environment. `patience`: seconds after
    which a process that outlives the command is left behind. `is_to_hang`: at the limit, end it without a word."""
    name = new_name()
    show_command(command, variables)
    paths = [os.path.join(folder, f"{name}.{stream}") for stream in ("out", "err")]
    stop = os.path.join(folder, f"{name}.stop")
    with open(paths[0], "wb") as out, open(paths[1], "wb") as err:
        env = environment({**(variables or {}), RUN_VARIABLE: name, STOP_VARIABLE: stop})
        process = Process(command, folder, env, out.fileno(), err.fileno())
        if stops:
            create_when_said(process, pattern, paths[1], stop)
        code = wait(process, limit, interrupt, paths[0])
        if code is None and not is_to_hang:
            explain_hang(process, name)
        left = clear(name, patience if code is not None else 0.0, process.pid)
        process.wait()
    data = []
    for path in paths:
        with open(path, "rb") as file:
            data.append(file.read())
        os.unlink(path)
    outcome = Outcome(code, data[0], data[1], left)
    show(outcome)
    return outcome
