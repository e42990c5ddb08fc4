# SPDX-License-Identifier: BSD-3-Clause
"""One run of mustrun: started, cancelled, waited for, and what it leaves behind.

Every run has a folder for all it writes: the report, the session folders of Open MPI, its shared memory. Its processes inherit a
variable of the environment; that is how they are found again, and no others are ever touched."""

import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

VARIABLE = "ORK_STRESS_RUN"
PATIENCE = 10.0  # seconds that processes may take to go after mustrun has ended
STATE = 5.0  # seconds for mustrun's answer to SIGUSR1


@dataclasses.dataclass
class Outcome:
    exit_code: int  # -1: did not end
    seconds: float
    report: dict  # None: there is none
    hang: bool
    leftovers: list


def processes(name):
    """Living processes (no zombies) of the run with this name: {pid: command line}."""
    wanted = f"{VARIABLE}={name}".encode()
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if wanted in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
                found[int(pid)] = command.replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            continue
    return found


def read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError as error:
        return error.strerror


def inside(pid):
    """What a process does, thread by thread, from /proc and from gdb where it is installed."""
    lines = [f"--- {pid}: {read(f'/proc/{pid}/cmdline').replace(chr(0), ' ')}"]
    for task in sorted(os.listdir(f"/proc/{pid}/task")) if os.path.isdir(f"/proc/{pid}/task") else []:
        stat = read(f"/proc/{pid}/task/{task}/stat").rpartition(")")[2].split()
        where = [read(f"/proc/{pid}/task/{task}/{name}") for name in ("wchan", "syscall")]
        lines.append(f"    {task}: state {stat[:1]}, {' | '.join(where)}")
    if shutil.which("gdb"):
        command = ["gdb", "-p", str(pid), "-batch", "-nx", "-ex", "thread apply all bt 30"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
            lines.append(done.stdout)
        except subprocess.TimeoutExpired:
            lines.append("    gdb did not end")
    return "\n".join(lines)


def look_inside(name, mustrun, path):
    """Write what a run that hangs looks like from inside: first what mustrun says, then each process."""
    try:
        mustrun.send_signal(signal.SIGUSR1)
    except ProcessLookupError:
        pass
    time.sleep(STATE)
    with open(path, "w", encoding="utf-8") as file:
        for pid in sorted(processes(name)):
            print(inside(pid), file=file)


def kill_all(name):
    for pid in processes(name):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def wait_until_gone(name):
    end = time.monotonic() + PATIENCE
    while processes(name) and time.monotonic() < end:
        time.sleep(0.05)
    return [f"process: {command}" for command in processes(name).values()]


def files_left(folder):
    left = []
    for place in ("tmp", "shm"):
        left += [f"{place}: {path.relative_to(folder)}" for path in (folder / place).rglob("*") if not path.is_dir()]
    return left


def environment(name, folder):
    return dict(
        os.environ,
        **{VARIABLE: name},
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        TMPDIR=str(folder / "tmp"),
        OMPI_MCA_orte_tmpdir_base=str(folder / "tmp"),
        OMPI_MCA_btl_vader_backing_directory=str(folder / "shm"),
    )


def wait(process, run, begin, limit):
    """True: it ended within the limit."""
    try:
        if run.kind.cancel:
            try:
                process.wait(max(0.0, run.cancel_after - (time.monotonic() - begin)))
                return True
            except subprocess.TimeoutExpired:
                process.send_signal(run.kind.cancel)
        process.wait(limit)
        return True
    except subprocess.TimeoutExpired:
        return False


def report_of(folder):
    try:
        return json.loads((folder / "MUST_Output.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def make_anew(folder):
    shutil.rmtree(folder, ignore_errors=True)
    for place in ("tmp", "shm"):
        (folder / place).mkdir(parents=True)


def seconds_of(run, command, folder, limit):
    """Of the run without the tool; at most `limit`."""
    name = folder.name + f".{os.getpid()}"
    make_anew(folder)
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, env=environment(name, folder), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    ended = wait(process, run, begin, limit)
    seconds = time.monotonic() - begin
    kill_all(name)
    if not ended:
        process.wait()
    return seconds


def do(run, commands, folder, limit):
    """Make the run in `folder`, which is made anew: its commands one after the other. The outcome is the last one's."""
    name = folder.name + f".{os.getpid()}"
    make_anew(folder)
    begin = time.monotonic()
    with open(folder / "out", "wb") as out, open(folder / "err", "wb") as err:
        for command in commands:
            process = subprocess.Popen(
                command, cwd=folder, env=environment(name, folder), stdin=subprocess.DEVNULL, stdout=out, stderr=err
            )
            ended = wait(process, run, begin, limit)
            if not ended:
                break
        seconds = time.monotonic() - begin
        if not ended:
            look_inside(name, process, folder / "inside")
            kill_all(name)
            process.wait()
    left = wait_until_gone(name) if ended else []
    kill_all(name)
    if ended:
        left += files_left(folder)
    code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    return Outcome(code if ended else -1, seconds, report_of(folder), not ended, left)
