#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A replay is held before a choice (--must:stop-at): where and what is said of it, that nothing moves, and how it goes on or ends.

usage: test_stop_at.py <mustrun> <mustview> <folder of the programs> [test]
"""
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import at_once
import orders
import watched

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, MUSTVIEW, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:4])
USAGE = 64
HEAD = re.compile(r"^orknot: the run is held before (.+), in (.+)$", re.MULTILINE)
RANK = re.compile(r"^    rank (\d+): host (\S+), process (\d+), (.+)$", re.MULTILINE)
HOW = r"to go on: kill -USR2 (\d+)\n"
LINE = re.compile(r"rank (?P<rank>\d+)[^,]*(?:, thread (?P<thread>\d+))?, choice (?P<choice>\d+): (?P<call>\S+ at [^ :]+:\d+)")
MOVES = r"call \d+\n"


def program(name):
    source = os.path.join(HERE, "programs", f"{name}.c")
    return orders.Program(source, os.path.join(PROGRAMS, f"order_{name}"))


class Case(unittest.TestCase):
    @classmethod
    def recorded(cls, name):
        """Records a run of the program."""
        lab = orders.Lab(MUSTRUN, program(name)).__enter__()
        cls.addClassCleanup(lab.__exit__)
        recorded = lab.run(orders.noise(1), ("record", lab.path("order")))
        if recorded.exit_code != 0:
            raise AssertionError(recorded.stderr)
        return lab, recorded

    def held(self, lab, where, *options):
        """Starts a replay, and waits until it is held."""
        command, folder = lab.command(("replay", lab.path("order")), ("stop-at", where), *options)
        run = watched.Run(command, folder)
        self.addCleanup(orders.process.clear, run.name, 0.0)
        run.wait_for("err", HOW)
        return run

    def ranks(self, run):
        """{rank: (host, process id, what it does)}"""
        return {int(rank): (host, int(pid), doing) for rank, host, pid, doing in RANK.findall(run.text("err"))}

    def outcome(self, run):
        """After the end of the run."""
        code, report = run.finish()
        return orders.Run(code, sorted(run.text("out").splitlines()), run.text("err"), report, run.folder, [])

    def check_same(self, run, recorded):
        run = self.outcome(run)
        self.assertEqual(list(orders.compare(run, recorded)), [], run.stderr)
        self.assertEqual(run.report["findings"], [], run.stderr)


class Stop(Case):
    @classmethod
    def setUpClass(cls):
        cls.lab, cls.recording = cls.recorded("held")

    def test_all_ranks_are_held_until_sigusr2(self):
        run = self.held(self.lab, "0:17", ("hang-after", "1"))
        choice, call = HEAD.search(run.text("err")).groups()
        self.assertEqual(choice, "choice 17 of rank 0")
        self.assertRegex(call, r"^MPI_Recv at held\.c:\d+$")
        ranks = self.ranks(run)
        self.assertEqual(sorted(ranks), [0, 1, 2, 3], run.text("err"))
        self.assertEqual(ranks[0][2], f"held in {call}")
        self.assertRegex(ranks[3][2], r"^held before MPI_Barrier at held\.c:\d+$")
        for rank in (1, 2):
            self.assertRegex(ranks[rank][2], r"^(held before|inside) MPI_Ssend at held\.c:\d+$")
        for rank, (host, pid, _) in ranks.items():
            self.assertEqual(pid, run.rank_process(rank, "order_held"))
            self.assertEqual(host, os.uname().nodename)
        self.check_held(run, ranks)
        run.process.send_signal(signal.SIGUSR2)
        self.check_same(run, self.recording)

    def check_held(self, run, ranks):
        """RATIONALE: longer than --must:hang-after, and than a replay waits for a message that does not come."""
        time.sleep(1.0)  # the launcher passes the output on
        before = run.text("out")
        self.check_debugger(ranks[0][1])
        time.sleep(6.5)
        for pid in (ranks[0][1], ranks[3][1]):
            self.assertTrue(self.sleeps(pid), f"process {pid} never sleeps")
        self.assertEqual(run.text("out"), before)
        self.assertLess(len(re.findall(MOVES, before)), 150)
        done = subprocess.run([MUSTVIEW, "--live", str(run.process.pid)], capture_output=True, check=False, text=True, timeout=900)
        self.assertRegex(done.stdout, r"4 ranks, held at choice 17 of rank 0 for \d+\.\d s, ", done.stderr)

    def sleeps(self, pid):
        """RATIONALE: a rank that is held wakes for an instant now and then, and on a busy machine that instant takes long."""
        end = time.monotonic() + orders.process.FAR
        while time.monotonic() < end:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                if file.read().rpartition(")")[2].split()[0] == "S":
                    return True
            time.sleep(0.05)
        return False

    def check_debugger(self, pid):
        if shutil.which("gdb") is None:
            return
        done = subprocess.run(["gdb", "-p", str(pid), "-batch", "-ex", "bt"], capture_output=True, check=False, text=True, timeout=900)
        if "ptrace" in done.stderr:  # not allowed on this machine
            return
        frames = done.stdout
        self.assertLess(frames.find("ork_hold_wait"), frames.find("MPI_Recv"), frames)
        self.assertRegex(frames, re.compile(r" in MPI_Recv \(.*^#\d+ .*\bmain \(", re.MULTILINE | re.DOTALL))
        self.assertIn("held.c", frames)

    def test_a_late_or_early_signal_changes_nothing(self):
        run = self.held(self.lab, "0:1")
        run.process.send_signal(signal.SIGUSR2)
        run.wait_for("err", "orknot: the run goes on")
        run.process.send_signal(signal.SIGUSR2)
        run.wait_for("err", "SIGUSR2 has no effect now")
        self.check_same(run, self.recording)

    def test_sigint_ends_the_run(self):
        run = self.held(self.lab, "0:5")
        run.process.send_signal(signal.SIGINT)
        run = self.outcome(run)
        self.assertEqual(run.exit_code, 130, run.stderr)
        self.assertEqual([finding["id"] for finding in run.report["findings"]], ["state"], run.stderr)
        self.assertEqual(run.report["application"]["ended_by"], "user")

    def test_a_rank_that_is_killed_is_reported(self):
        run = self.held(self.lab, "0:5")
        os.kill(self.ranks(run)[3][1], signal.SIGKILL)
        run = self.outcome(run)
        self.assertEqual(run.exit_code, 137, run.stderr)
        found = run.report["findings"]
        self.assertEqual([(finding["id"], finding["ranks"]) for finding in found], [("abnormal-end", [3])], run.stderr)

    def test_the_end_of_the_tool_lets_them_go_on(self):
        run = self.held(self.lab, "0:5")
        living = orders.process.processes_of(run.name).items()
        tools = [pid for pid, command in living if os.path.basename(command.split(" ")[0]) == "must-tool"]
        self.assertTrue(tools)
        for pid in tools:
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(self.outcome(run).stdout, self.recording.stdout)


class Choices(Case):
    """Each kind of choice: it stops in the call that the recording names, and the rest of the run is as recorded."""

    def listed(self, lab):
        done = subprocess.run([MUSTVIEW, "--order", lab.path("order")], capture_output=True, check=True, text=True, timeout=900)
        return [found for found in map(LINE.match, done.stdout.splitlines()) if found]

    def check(self, name, at=0.5):
        lab, recorded = self.recorded(name)
        choices = self.listed(lab)
        found = choices[int(len(choices) * at)]
        thread = f".{found['thread']}" if found["thread"] else ""
        run = self.held(lab, f"{found['rank']}{thread}:{found['choice']}")
        choice, call = HEAD.search(run.text("err")).groups()
        self.assertTrue(choice.startswith(f"choice {found['choice']} of "), choice)
        self.assertTrue(choice.endswith(f"rank {found['rank']}"), choice)
        self.assertEqual(call, found["call"])
        run.process.send_signal(signal.SIGUSR2)
        self.check_same(run, recorded)

    def test_receive(self):
        self.check("recv_any_source", 0.0)

    def test_wait_for_a_receive(self):
        self.check("irecv_wait")

    def test_waitsome(self):
        self.check("waitsome")

    def test_testsome(self):
        self.check("testsome", 0.99)

    def test_iprobe(self):
        self.check("iprobe")

    def test_cancel(self):
        self.check("cancel")

    def test_threads(self):
        self.check("threads", 0.99)

    def test_a_spawned_rank(self):
        self.check("spawn", 0.99)


class Terminal(Case):
    """mustrun in the foreground of a terminal: an empty line lets held ranks go on, all other input is the program's."""

    @classmethod
    def setUpClass(cls):
        cls.lab, cls.recording = cls.recorded("reads")

    def start(self, where):
        """Replays in a session with a terminal of its own. Returns the master's side."""
        command, folder = self.lab.command(("replay", self.lab.path("order")), ("stop-at", where))
        self.paths = [os.path.join(folder, stream) for stream in ("out", "err")]
        self.folder = folder
        name = orders.process.new_name()
        variables = orders.process.environment({orders.process.RUN_VARIABLE: name})
        self.addCleanup(orders.process.clear, name, 0.0)
        self.pid, master = pty.fork()
        if self.pid == 0:
            for stream, path in enumerate(self.paths, 1):
                os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), stream)
            os.chdir(self.lab.folder)
            os.execve(command[0], command, variables)
        self.addCleanup(os.close, master)
        return master

    def text(self, stream):
        with open(self.paths[stream == "err"], encoding="utf-8") as file:
            return file.read()

    def wait_for(self, stream, words):
        deadline = time.monotonic() + orders.process.FAR
        while not os.path.exists(self.paths[1]) or words not in self.text(stream):
            self.assertLess(time.monotonic(), deadline, f"no {words!r}")
            time.sleep(0.02)

    def test_enter(self):
        master = self.start("0:2")
        os.write(master, b"\n")  # before the ranks are held, it is the program's
        self.wait_for("err", ", or press Enter\n")
        self.assertEqual(self.text("out"), "line: \n")
        os.write(master, b"second\n")
        os.write(master, b"\n")
        self.wait_for("err", "orknot: the run goes on\n")
        _, status = os.waitpid(self.pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0, self.text("err"))
        self.assertEqual(self.text("out").splitlines()[:2], ["line: ", "line: second"])

    def test_the_end_of_the_input(self):
        master = self.start("0:1")
        self.wait_for("err", ", or press Enter\n")
        os.write(master, b"\n")
        self.wait_for("err", "orknot: the run goes on\n")
        os.write(master, b"\4")  # Ctrl-D
        _, status = os.waitpid(self.pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0, self.text("err"))
        self.assertEqual(sorted(self.text("out").splitlines()), self.recording.stdout)


class Wrong(Case):
    """One sentence, exit code 64, and nothing is started."""

    def refused(self, lab, *options):
        run = lab.run(*options)
        self.assertEqual(run.exit_code, USAGE, run.stderr)
        self.assertEqual((len(run.stderr.splitlines()), run.stdout, run.report, run.leftovers), (1, [], None, []), run.stderr)
        return run.stderr

    def test_use(self):
        lab, _ = self.recorded("recv_any_source")
        replay = ("replay", lab.path("order"))
        self.assertIn("has no effect without --must:replay", self.refused(lab, ("stop-at", "0:1")))
        for text in ("", "0", "0:", ":1", "0:0", "a:1", "0:1:2", "-1:1", "0:-1", "0.:1", "0 :1", "0:18446744073709551616"):
            self.assertIn("is not RANK:CHOICE", self.refused(lab, replay, ("stop-at", text)))
        self.assertIn("no rank 4", self.refused(lab, replay, ("stop-at", "4:1")))
        self.assertIn("rank 0 made only", self.refused(lab, replay, ("stop-at", "0:1000000")))
        self.assertIn("rank 0, thread 9, made no choices", self.refused(lab, replay, ("stop-at", "0.9:1")))


if __name__ == "__main__":
    at_once.main([sys.argv[0], *sys.argv[4:]])
