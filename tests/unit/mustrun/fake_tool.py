#!/usr/bin/python3 -IS
# SPDX-License-Identifier: BSD-3-Clause
"""A must-tool without ranks: speaks the protocol with mustrun as FAKE_TOOL says, keeps what it is told in FAKE_LOG.
FAKE_NEAR=1: over the socket of a mustrun on the same node."""
import os
import signal
import sys
import time

FINAL = ('{"type": "final", "notes": ["a note of the tool"], "complete": true, "ranks": %d, "order": %s, "statistics": '
         '{"calls": 7, "records": 9, "messages": 1, "collectives": 2, "searches": 3, "full_waits": 0, "tool_ranks": 1, '
         '"seconds_to_verdict": 0.25}}\n')
how = os.environ.get("FAKE_TOOL", "")
output, words = sys.stdout, sys.stdin


def log(text):
    with open(os.environ["FAKE_LOG"], "a") as out:
        out.write(text + "\n")


def write(text):
    output.write(text)
    output.flush()


def go_near():
    import socket  # RATIONALE: here, and so json below, for most runs do not need it, and it takes a third of their time

    global output, words
    near = socket.socket(socket.AF_UNIX)
    near.connect("\0orknot-direct-%d-%s" % (os.getuid(), os.environ["ORKNOT_SESSION"]))
    output, words = near.makefile("w"), near.makefile("r")
    log("near")


def say(**message):
    import json

    write(json.dumps(message) + "\n")


def finding(ident, class_, severity, message):
    return {"id": ident, "class": class_, "severity": severity, "message": message, "ranks": [0, 1]}


DEADLOCK = finding("deadlock", "manifest", "error", "both ranks wait for each other")


def wait_for_ranks(count):
    """Until so many ranks have written into the log."""
    while True:
        with open(os.environ["FAKE_LOG"]) as text:
            if sum(line.startswith("rank ") for line in text) >= count:
                return
        time.sleep(0.02)


def start():
    """Before the ranks may come."""
    log("tool %d" % os.getpid())
    for name in ("LD_PRELOAD", "OMPI_MCA_mca_base_env_list"):
        log("%s=%s" % (name, os.environ.get(name)))
    log("session %s token %d" % (os.environ["ORKNOT_SESSION"], len(os.environ["ORKNOT_TOKEN"])))
    log("arguments %s" % " ".join(sys.argv[1:]))
    if how == "late":
        time.sleep(600)  # for longer than any test waits
    while how == "late-and-near" and not os.path.exists(os.environ["FAKE_LOG"] + ".go"):
        time.sleep(0.02)
    if how == "refuse":
        sys.stderr.write("this tool does not want to\n")
        sys.exit(5)


def work():
    """While the application runs."""
    if how in ("split", "findings"):
        import json
    if how == "die":
        time.sleep(0.3)
        os._exit(9)
    if how == "split":
        whole = json.dumps({"type": "finding", "finding": finding("buffering", "potential", "warning", "m" * 300000)})
        write('{"type":"new in a later version","x":[1,2]}\n' + whole[:70000])
        time.sleep(0.2)
        write(whole[70000:] + "\n")
    if how == "nonsense":
        write("this is no JSON\n[1]\n{}\n")
    if how in ("deadlock", "deadlock-then-die"):
        time.sleep(0.3)
        wait_for_ranks(int(os.environ.get("FAKE_RANKS", "0")))
        say(type="finding", finding=DEADLOCK)
    if how == "deadlock-then-die":
        os._exit(9)
    if how == "deadlock-then-die-before-its-stacks":
        time.sleep(0.3)
        say(type="finding", finding=DEADLOCK, fatal=False)
        os._exit(9)
    if how == "death-and-stuck":
        time.sleep(0.3)
        died = finding("abnormal-end", None, "error", "rank 0 was killed by SIGSEGV")
        say(type="finding", finding=dict(died, end={"rank": 0, "kind": "signal", "value": 11}))
        say(type="stuck")
    if how == "abort":
        died = finding("abnormal-end", None, "error", "rank 0 called MPI_Abort with error code 3")
        say(type="finding", finding=dict(died, end={"rank": 0, "kind": "abort", "value": 3}))
    if how == "order-lost":
        part = next(word for word in sys.argv if word.startswith("--record="))[9:]
        open("%s.%s.part" % (part, os.environ["ORKNOT_SESSION"]), "w").close()
        os._exit(9)
    if how == "order-error":
        say(type="finding", finding=finding("replay-divergence", None, "error", "rank 0 does not follow the recording"))
    if how == "order-fatal":
        time.sleep(0.3)
        say(type="finding", finding=finding("replay-divergence", None, "error", "rank 0 does not follow the recording"), fatal=True)
    if how == "superseded":
        before = finding("deadlock", "potential", "error", "both ranks could wait for each other")
        say(type="finding", finding=finding("deadlock", "potential", "error", "two others could wait for each other"))
        say(type="finding", finding=before)
        say(type="superseded", finding=before)
        say(type="finding", finding=DEADLOCK)
    if how == "explained":
        hang = finding("hang", None, "note", "every rank has been inside an MPI call for 10 seconds")
        say(type="finding", finding=hang)
        say(type="superseded", finding=hang)
        say(type="finding", finding=DEADLOCK)
    if how == "hang-of-error":
        say(type="finding", finding=finding("invalid-buffer", None, "error", "the buffer of rank 0 is NULL"))
        hang = finding("hang", None, "warning", "the job hangs because of an error")
        say(type="finding", finding=hang, fatal=False)
        say(type="stacks", finding=hang, fatal=True)
    if how == "findings":
        for given in json.loads(os.environ["FAKE_FINDINGS"]):
            say(type="finding", finding=dict(finding("invalid-argument", None, "error", ""), **given))
    if how == "still":
        say(type="still", seconds=612.5)
        while not os.path.exists(os.environ["FAKE_LOG"] + ".go"):
            time.sleep(0.02)
        say(type="still", seconds=0)
    if how == "many":
        for i in range(150):
            say(type="finding", finding=finding("invalid-argument", None, "warning", "argument %d" % i))
    if how == "full":
        place = {"rank": 0, "call": "MPI_Send", "where": {"file": "a.c", "line": 7}}
        for i in list(range(14)) + [3, 3, 3]:
            say(type="finding", finding=dict(finding("type-mismatch", None, "warning", "rank %d sends" % i), waits=[dict(place, rank=i)]))
        for i in range(205):
            say(type="finding", finding=finding("invalid-argument", None, "error" if i >= 202 else "warning", "argument %d" % i))
        say(type="changed", earlier="argument 204", finding=finding("invalid-argument", None, "warning", "argument 204, twice"))
        say(type="finding", finding=finding("request-leak", None, "warning", "rank 0 leaks"))
    if how == "stopped-before-gone":
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGSTOP)
        say(type="gone")
    if how == "gone":
        time.sleep(0.3)
        say(type="gone")


def answer(line):
    if line == "interrupt\n" and how != "mute":
        say(type="state", finding=finding("state", None, "note", "rank 0 is in MPI_Recv"))
        if how == "state-then-die":
            os._exit(9)
        if how != "no-stacks":
            say(type="stacks", finding=finding("state", None, "note", "rank 0 is in MPI_Recv at a.c:5"))
    if line == "status\n":
        say(type="state", finding=finding("status", None, "note", "rank 1 is in MPI_Send"))
    if line == "processes\n":
        say(type="held", rank=0, thread=0, choice=0, call="", ranks=[
            {"rank": 0, "pid": 4711, "host": "node7", "doing": "inside MPI_Recv at a.c:5"}])
    if line == "kill\n" and how == "deadlock":
        say(type="gone")
    if line == "end\n" and how == "stopped-in-the-end":
        os.kill(os.getpid(), signal.SIGSTOP)
    if line == "end\n" and how == "slow-end":
        time.sleep(1)
    if line == "end\n":
        write(FINAL % (0 if how == "empty" else 2, "true" if how.startswith("order") else "false"))


start()
if os.environ.get("FAKE_NEAR") == "1" or how == "late-and-near":
    go_near()
write('{"type": "ready"}\n')
work()
for line in words:
    log("told " + line.strip())
    answer(line)
    if line == "end\n" and how == "stay":
        time.sleep(600)
    if line == "end\n" and not how.startswith("order"):
        break
log("tool ends")
