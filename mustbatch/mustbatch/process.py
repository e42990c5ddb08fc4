# SPDX-License-Identifier: BSD-3-Clause
"""One process and all that it starts: launched, watched, and ended by asking first.

The launched process leads a session and a process group of its own. mpirun gives each rank another group; these are found by a variable
of the environment whose name is used for this launch only, so exactly what was started is ended, also if it starts mustbatch again."""

import ctypes
import os
import signal
import subprocess
import time
import uuid

VARIABLE = "MUSTBATCH_LAUNCH_"
PR_SET_PDEATHSIG = 1
PATIENCE = 20.0  # seconds between SIGTERM and SIGKILL: mustrun writes its report meanwhile
LINGER = 2.0  # seconds for what is left when the launched process has gone


def obey_parent():
    """In the child: SIGTERM when mustbatch dies, and default signals."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    for signo in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signo, signal.SIG_DFL)


def is_marked(pid, mark):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return mark in file.read().split(b"\0")
    except OSError:
        return False  # gone, or somebody else's


def is_zombie(pid):
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[:1] == [b"Z"]
    except OSError:
        return True


class Process:
    """A launched command. `fileno` is readable when it has ended."""

    def __init__(self, command, folder, environment, stdin, stdout, stderr, limit):
        variable = VARIABLE + uuid.uuid4().hex
        self.mark = f"{variable}=1".encode()
        self.started = time.monotonic()
        self.child = subprocess.Popen(
            command,
            cwd=folder,
            env=environment | {variable: "1"},
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            preexec_fn=obey_parent,
        )
        self.pidfd = os.pidfd_open(self.child.pid)
        self.deadline = self.started + limit
        self.reason = None  # why it is being ended: "timeout" or "interrupted"
        self.seconds = None
        self.killed = False

    def fileno(self):
        return self.pidfd

    def end(self, reason):
        """Ask it to end; a second call kills."""
        if self.reason is not None:
            self.kill()
            return
        self.reason = reason
        self.deadline = time.monotonic() + PATIENCE
        self.signal_group(signal.SIGTERM)

    def kill(self):
        self.killed = True
        self.deadline = time.monotonic() + LINGER
        self.signal_group(signal.SIGKILL)
        self.signal_marked(signal.SIGKILL)

    def signal_group(self, signo):
        if self.child.returncode is None:  # not reaped yet, so its number and its group's are its own
            try:
                os.killpg(self.child.pid, signo)
            except ProcessLookupError:
                pass

    def marked(self):
        """Living processes of this launch, without the first one."""
        pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
        return [pid for pid in pids if pid != self.child.pid and is_marked(pid, self.mark) and not is_zombie(pid)]

    def signal_marked(self, signo):
        for pid in self.marked():
            try:
                pidfd = os.pidfd_open(pid)
            except OSError:
                continue
            try:
                if is_marked(pid, self.mark):  # still the same process
                    signal.pidfd_send_signal(pidfd, signo)
            except OSError:
                pass
            finally:
                os.close(pidfd)

    def tick(self):
        """Do what is due. Returns True when nothing of it is left."""
        now = time.monotonic()
        if self.seconds is None and self.has_ended():
            self.seconds = now - self.started
            self.deadline = min(self.deadline, now) if self.killed else now + LINGER
        if self.seconds is not None:
            return self.clear(now)
        if now >= self.deadline:
            if self.reason is None:
                self.end("timeout")
            else:
                self.kill()
        return False

    def has_ended(self):
        return os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def clear(self, now):
        if self.marked():
            if now < self.deadline:
                return False
            self.signal_marked(signal.SIGKILL)
            return False
        self.signal_group(signal.SIGKILL)  # what has cleared its environment
        self.child.wait()
        return True

    def close(self):
        os.close(self.pidfd)

    def wait_seconds(self):
        """How long nothing is due."""
        if self.seconds is not None:
            return 0.02
        return max(0.0, self.deadline - time.monotonic())

    @property
    def exit_code(self):
        """As a shell shows it."""
        code = self.child.returncode
        return code if code >= 0 else 128 - code
