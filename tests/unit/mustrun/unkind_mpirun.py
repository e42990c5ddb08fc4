#!/usr/bin/python3 -IS
# SPDX-License-Identifier: BSD-3-Clause
"""An mpirun that starts one process and is unkind as FAKE_MPIRUN says (see fake_mpirun). The tool's job is served kindly."""
import os
import signal
import sys
import time


def split(words):
    """Environment and program of the only context."""
    environment = dict(os.environ)
    while words and words[0].startswith("-"):
        if words[0] == "-x" and "=" in words[1]:
            name, _, value = words[1].partition("=")
            environment[name] = value
        if words[0] == "-genv":
            environment[words[1]] = words[2]
        words = words[{"-np": 2, "-n": 2, "-x": 2, "--bind-to": 2, "--with-ft": 2, "-genv": 3}.get(words[0], 1):]
    return environment, words


def hang():
    """For longer than any test waits, not for ever: nobody can end it kindly."""
    for _ in range(600):
        time.sleep(1)


environment, program = split(sys.argv[1:])
if os.path.basename(program[0]) == "must-tool":
    os.execve(program[0], program, environment)
how = os.environ["FAKE_MPIRUN"]
mpirun = os.getpid()
if how in ("hang", "deaf"):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open(os.environ["FAKE_LOG"], "a") as out:
    out.write("mpirun %d\n" % os.getpid())
if how == "refuse":
    sys.exit(131)
if how == "deaf":
    hang()
if how == "crash-at-end":
    signal.signal(signal.SIGTERM, lambda *_: os.kill(mpirun, signal.SIGSEGV))
    hang()
if how == "hang":
    os.spawnvpe(os.P_WAIT, program[0], program, environment)
    hang()
if how == "proxy":  # as hydra: its only child is a process of its own
    proxy = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "hydra_pmi_proxy")
    os.spawnlp(os.P_NOWAIT, "setpriv", "setpriv", "--pdeathsig", "KILL", proxy, "600")
    hang()
if how == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
if how == "stopped-for-ever":
    os.kill(os.getpid(), signal.SIGSTOP)
if how == "stopped":  # for longer than a hang takes, when the ranks have gone
    if os.fork() == 0:
        if os.fork() == 0:  # no child of this process
            time.sleep(8)
            os.kill(mpirun, signal.SIGCONT)
        os._exit(0)
    os.wait()
    os.kill(os.getpid(), signal.SIGSTOP)
    sys.exit(0)
if how == "script":  # a child lives on when the ranks have gone
    sys.exit(os.spawnlp(os.P_WAIT, "sleep", "sleep", "5"))
os.execvpe(program[0], program, environment)
