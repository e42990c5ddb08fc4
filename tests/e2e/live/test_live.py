# SPDX-License-Identifier: BSD-3-Clause
"""What is said of a run while it lasts: by signal, over its socket, on a terminal, by the watchdog; and what is not said as it is known.

Usage: test_live.py MUSTRUN MUSTVIEW SCENES [CLASS]"""

import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import process  # noqa: E402
import watched  # noqa: E402

MUSTRUN, MUSTVIEW, SCENES = sys.argv[1:4]
TREE = ["--must:leaf-ranks", "1", "--must:fanin", "2"]
PATIENCE = process.FAR  # seconds
LONG = 3600  # seconds: until the test stops the program


def view(*words):
    return subprocess.run([MUSTVIEW, *map(str, words)], capture_output=True, text=True, timeout=900, check=False)


class Run(watched.Run):
    def __init__(self, folder, options, program, ranks=3):
        command = [MUSTRUN, "--must:output-dir", folder, *options, "--oversubscribe", "-np", str(ranks), *map(str, program)]
        super().__init__(command, folder)

    def ask(self):
        """What mustrun says when it gets the signal."""
        before = len(self.text("err"))
        self.process.send_signal(signal.SIGUSR1)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            said = self.text("err")[before:]
            if "orknot: status" in said and said.endswith("\n"):
                return said
            if "the tool is starting" in said:  # that is the answer until its root can be asked
                time.sleep(0.2)
                before = len(self.text("err"))
                self.process.send_signal(signal.SIGUSR1)
            time.sleep(0.05)
        raise AssertionError("no answer: " + self.text("err"))

    def ask_until(self, check, ask=None):
        """The first answer that passes: on a busy machine the ranks need a while until they are where they will stay."""
        end = time.monotonic() + PATIENCE
        while True:
            said = (ask or self.ask)()
            try:
                check(said)
                return said
            except AssertionError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.5)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ork-live-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.runs = []
        self.addCleanup(self.end_runs)

    def end_runs(self):
        for run in self.runs:
            process.clear(run.name, 0.0)
            run.process.wait()

    def start(self, options, *scene, ranks=3, program=None):
        folder = os.path.join(self.folder, str(len(self.runs)))
        os.mkdir(folder)
        self.runs.append(Run(folder, options, program or [SCENES, *scene], ranks))
        return self.runs[-1]

    def stop_well(self, run):
        run.stop()
        return self.finish_well(run)

    def finish_well(self, run):
        code, report = run.finish()
        self.assertEqual(code, 0, run.text("err"))
        self.assertIn("ended", run.text("out"))
        return report


class Asked(Case):
    """By SIGUSR1 and by mustview --live."""

    def check_nap(self, said):
        self.assertRegex(said, r"rank 1 waits for no other rank, and has made no MPI call for \d")
        # on a crowded machine it may wait for a processor when it has napped
        self.assertRegex(said, r"rank 1: outside MPI, (uses no CPU time|waits for a processor), last in MPI_Barrier at scenes\.c:\d+, "
                               r"for \d+\.\d s; \d+ calls?\b")
        self.assertRegex(said, r"in take_a_nap \(scenes\.c:\d+\) < ")
        self.assertRegex(said, r"ranks 0, 2: MPI_Recv\(peer 1, tag 3, MPI_COMM_WORLD\) at \S*scenes\.c:\d+ in \w+, wait for 1, for ")

    def test_a_signal_names_the_rank_that_sleeps_and_the_place(self):
        for options in ([], TREE):
            with self.subTest(options=options):
                run = self.start(options, "nap", LONG)
                run.wait_for("out", "begun")
                run.ask_until(self.check_nap)
                again = run.ask()
                self.check_nap(again)
                self.assertRegex(again, r"0 of them since the last answer \d\.\d s ago")
                self.assertIn("(+0)", again)
                run.ask_until(lambda said: self.assertRegex(said, r"calls in each of \d+ seconds until \d+ s ago, at most \d+:\n"
                                                                  r" +\|[ .:=+*%#\u2581-\u2588-]+\| ranks? [0-2]"))
                report = self.stop_well(run)
                self.assertEqual(report["findings"], [])

    def test_mustview_gets_the_same_over_the_socket(self):
        run = self.start(["--must:verbose"], "nap", LONG)
        run.wait_for("out", "begun")
        session = re.search(r"mustview --live (\S+)", run.text("err")).group(1)
        run.ask_until(self.check_nap, lambda: view("--live", session).stdout)
        self.check_nap(view("--live", run.process.pid).stdout)
        listed = view("--live").stdout
        self.assertRegex(listed, rf"(?m)^{session}: mustrun {run.process.pid}, \d+ s, \S*live_scenes nap {LONG}$")
        answer = json.loads(view("--live", "--format", "json", session).stdout)
        self.assertEqual((answer["session"], answer["pid"]), (session, run.process.pid))
        self.assertEqual([p["rank"] for p in answer["progress"]], [0, 1, 2])
        self.assertGreater(answer["progress"][1]["seconds"], 1)
        self.assertLess(answer["progress"][1]["processors"], 0.02)
        row = answer["status"]["waits"][1]
        self.assertEqual((row["rank"], row["state"], row["stack"][0]["function"]), (1, "running", "take_a_nap"))
        drawn = view("--live", "--format", "lanes-svg", session)
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        for words in (">ranks 0, 2<", ">rank 1<", ">from 1, tag 3<", ">has not returned<"):
            self.assertIn(words, drawn.stdout)
        self.assertEqual(run.text("err").count("status:"), 0)
        self.stop_well(run)
        gone = view("--live", session)
        self.assertEqual((gone.returncode, gone.stdout), (69, ""))
        self.assertIn(f"no run {session} ", gone.stderr)

    def test_readers_that_are_slow_or_silent_disturb_nothing(self):
        def outside(said):
            self.assertIn("rank 1: outside MPI", said)

        run = self.start(["--must:verbose"], "nap", LONG)
        run.wait_for("out", "begun")
        session = re.search(r"mustview --live (\S+)", run.text("err")).group(1)
        address = f"\0orknot-live-{os.geteuid()}-{session}"
        silent = [socket.socket(socket.AF_UNIX) for _ in range(24)]  # more than are taken at once
        for s in silent[:12]:
            s.connect(address)
        for s in silent[:4]:
            s.sendall(b"json\n")  # and never reads
        silent[4].sendall(b"nonsense and more of it than any question has\n")
        silent[5].sendall(b"te")
        silent[6].close()
        run.ask_until(outside, lambda: view("--live", session).stdout)
        for s in silent[12:]:
            s.setblocking(False)
            s.connect_ex(address)
        outside(run.ask())
        self.stop_well(run)
        for s in silent:
            s.close()

    def test_wrong_words_are_one_sentence(self):
        for words in (["--live", "a", "b"], ["--live", "--format", "html"], ["--live", "--diff"], ["--live", "--finding", "1"],
                      ["--suppression", "0", "x"], ["--suppression", "1", "--format", "json", "x"], ["--suppression", "1"]):
            with self.subTest(words=words):
                run = view(*words)
                self.assertEqual((run.returncode, run.stdout, run.stderr.count("\n")), (64, "", 1))

    def test_a_rank_that_computes_is_said_to(self):
        def computes(said):
            self.assertRegex(said, r"rank 1: outside MPI, computes, last in MPI_Barrier")
            self.assertIn("in compute (scenes.c:", said)

        run = self.start([], "compute", LONG)
        run.wait_for("out", "begun")
        run.ask_until(computes)
        self.stop_well(run)

    def test_ranks_that_poll_are_said_to(self):
        def polls(said):
            call = r"MPI_Iprobe\(peer 1, tag \d+, MPI_COMM_WORLD\)"
            self.assertRegex(said, rf"ranks 0, 2: {call} at \S*scenes\.c:\d+ in \w+, polling, .* unsuccessful polls")

        run = self.start([], "poll", LONG)
        run.wait_for("out", "begun")
        run.ask_until(polls)
        self.stop_well(run)

    def test_before_and_after_the_ranks_there_is_an_answer_too(self):
        run = self.start([], program=["sleep", "5"], ranks=1)
        run.wait_for("err", "watching")
        self.assertIn("no rank has called MPI_Init yet", run.ask())
        run.finish()


class Stopped(Case):
    """The report of a run that is stopped has what a request shows: by a signal to mustrun, or to all processes of the job, as a batch
    system sends it."""

    def signal_all(self, run, signo):
        for pid in process.processes_of(run.name):
            try:
                os.kill(pid, signo)
            except ProcessLookupError:
                pass

    def stopped(self, scene, check, stop, signo):
        run = self.start([], scene, LONG)
        run.wait_for("out", "begun")
        run.ask_until(check)
        stop(run, signo)
        code, report = run.finish()
        said = run.text("err")
        self.assertEqual((code, report["application"]["ended_by"]), (128 + signo, "user"), said)
        [state] = report["findings"]
        self.assertEqual((state["id"], state["severity"]), ("state", "note"))
        self.assertEqual([row["rank"] for row in state["waits"]], [0, 1, 2])
        self.assertRegex(said, r"Longest first: .*rank 1 for \d+\.\d s \(")
        return state, said

    def ways(self):
        for signo in (signal.SIGINT, signal.SIGTERM):
            yield lambda run, signo: run.process.send_signal(signo), signo
            yield self.signal_all, signo

    def test_waits_call_stacks_and_seconds_are_in_the_report(self):
        def naps(said):
            self.assertIn("in take_a_nap (scenes.c:", said)

        for stop, signo in self.ways():
            with self.subTest(signo=signo, stop=stop):
                rows = self.stopped("nap", naps, stop, signo)[0]["waits"]
                self.assertEqual([row["call"] for row in rows], ["MPI_Recv", "", "MPI_Recv"])
                self.assertEqual([row["for"] for row in rows], [[1], [], [1]])
                self.assertEqual(rows[1]["stack"][0]["function"], "take_a_nap")

    def test_unsuccessful_polls_are_counted_in_the_report(self):
        def polls(said):
            self.assertRegex(said, r"ranks 0, 2: .*polling, .* unsuccessful polls")

        # RATIONALE: a rank that has had hardly any processor in the moment before the stop may seem to compute.
        for stop, signo in self.ways():
            with self.subTest(signo=signo, stop=stop):
                for _ in range(10):
                    state, said = self.stopped("poll", polls, stop, signo)
                    seen = [(row["call"], row["state"]) for row in state["waits"]][::2]
                    if seen == [("MPI_Iprobe", "polling")] * 2:
                        break
                self.assertEqual(seen, [("MPI_Iprobe", "polling")] * 2)
                self.assertRegex(said, r"rank 0 for \d+\.\d s \(MPI_Iprobe at scenes\.c:\d+, \d+ unsuccessful polls so far\)")


class Near(Case):
    """mustrun and the root of its tool on one node."""

    def test_the_tool_needs_no_launcher(self):
        launcher = os.path.join(self.folder, "mpirun")
        with open(launcher, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\ncase "$*" in *must-tool*) exit 1 ;; esac\nexec %s "$@"\n' % shutil.which("mpirun"))
        os.chmod(launcher, 0o755)
        for options in ([], TREE):
            self.finish_well(self.start(["--must:mpiexec", launcher, *options], "compute", "1"))


class Status(Case):
    """--must:status"""

    # RATIONALE: on a slow machine the line begins with a longer time, and ends where the terminal does.
    NAPS = re.compile(r"3 ranks, \d+ calls \(0/s\), rank 1 outside MPI for \d+ s, 2 r")
    STRIP = re.compile(r"^    \|[ .:=+*%#-]+\| ranks? [0-2]", re.M)

    def test_a_terminal_has_a_few_lines_that_are_gone_in_the_end(self):
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            stop = {process.STOP_VARIABLE: os.path.join(self.folder, "stop"), "LC_ALL": "C"}
            words = [MUSTRUN, "--must:status", "--oversubscribe", "-np", "3", SCENES, "nap", str(LONG)]
            os.execve(MUSTRUN, words, process.environment(stop))
        said = b""
        try:
            while True:
                said += os.read(terminal, 65536)
                shown = said.decode(errors="replace")
                if self.NAPS.search(shown) and self.STRIP.search(shown):  # and has been seen so
                    with open(os.path.join(self.folder, "stop"), "wb"):
                        pass
        except OSError:
            pass
        _, status = os.waitpid(pid, 0)
        text = said.decode()
        self.assertEqual(os.waitstatus_to_exitcode(status), 0, text)
        shown = [part.split("\033[0m")[0].replace("\033[K", "").split("\r\n") for part in text.split("\r\033[J\033[2m")[1:]]
        self.assertGreaterEqual(len(shown), 3, text)
        self.assertTrue(all(len(lines) <= 6 and all(len(line) < 80 for line in lines) for lines in shown), shown)
        self.assertTrue(all(lines[0].startswith(f"orknot {pid}") for lines in shown), shown)
        self.assertRegex("\n".join(lines[0] for lines in shown), self.NAPS)
        self.assertRegex("\n".join(line for lines in shown for line in lines[1:]), self.STRIP)
        after = text.rsplit("\033[0m\r", 1)[1]
        up = re.match(r"\033\[(\d+)A", after)
        self.assertEqual(int(up[1]) if up else 0, len(shown[-1]) - 1, repr(after))  # back at the first line
        after = after[up.end() if up else 0:]
        # wiped off; what the program says, it may say before
        self.assertTrue(after.removeprefix("ended\r\n").startswith("\r\033[J"), repr(after))
        self.assertIn("no findings", after)

    def test_a_file_is_not_flooded(self):
        run = self.start(["--must:status"], "nap", 3)
        report = self.finish_well(run)
        self.assertNotIn("\033", run.text("err"))
        self.assertLessEqual(run.text("err").count("calls ("), report["seconds"] // 60)  # one line a minute


class Watchdog(Case):
    """--must:hang-after"""

    def hang_of(self, report):
        hangs = [f for f in report["findings"] if f["id"] == "hang"]
        self.assertEqual(len(hangs), len(report["findings"]), report["findings"])
        return hangs

    def test_nobody_gets_on_because_one_sleeps(self):
        for options in ([], TREE):
            with self.subTest(options=options):
                run = self.start(["--must:hang-after", "1.5", *options], "nap", 6)
                report = self.finish_well(run)
                (hang,) = self.hang_of(report)
                self.assertEqual((hang["severity"], hang["class"]), ("warning", None))
                self.assertRegex(hang["message"], r"rank 1 sleeps in take_a_nap \(scenes\.c:\d+\), last in MPI_\w+( at .*)?, "
                                                  r"and ranks 0 and 2 wait for it$")
                rows = {w["rank"]: w for w in hang["waits"]}
                self.assertEqual([rows[r]["for"] for r in (0, 1, 2)], [[1], [], [1]])
                self.assertIn("take_a_nap", [f["function"] for f in rows[1]["stack"]])
                self.assertRegex(run.text("err"), r"call stacks of ranks outside MPI[^\n]*\n    rank 1:.* take_a_nap \(scenes\.c:\d+\)")
                self.assertIn("meet", [f["function"] for f in rows[0]["stack"]])
                self.assertIn("rank 1 is outside MPI and uses no CPU time", " ".join(hang["details"]))
                self.assertIn("the ranks have continued after the hang", " ".join(report["notes"]))

    def test_the_job_is_ended_on_demand(self):
        run = self.start(["--must:hang-after=1", "--must:on=hang=abort"], "nap", 60)
        code, report = run.finish()
        self.assertEqual(code, 66, run.text("err"))
        self.assertEqual(len(self.hang_of(report)), 1)
        self.assertNotIn("have continued", " ".join(report["notes"]))
        self.assertNotIn("ended", run.text("out"))

    def test_the_exit_code_of_that_is_the_users(self):
        run = self.start(["--must:hang-after=1", "--must:on=hang=abort", "--must:errorcode=7"], "nap", 60)
        self.assertEqual(run.finish()[0], 7)

    def test_all_wait_for_a_process_that_is_not_part_of_the_run(self):
        run = self.start(["--must:hang-after", "2", "--must:on", "hang=abort"], "accept")
        code, report = run.finish()
        self.assertEqual(code, 66, run.text("err"))
        (hang,) = self.hang_of(report)
        self.assertEqual({w["call"] for w in hang["waits"]}, {"MPI_Comm_accept"})
        self.assertTrue(all("wait_for_another_job" in [f["function"] for f in w["stack"]] for w in hang["waits"]), hang["waits"])

    def test_polling_in_vain_is_no_progress(self):
        run = self.start(["--must:hang-after", "1.5"], "poll", 6)
        (hang,) = self.hang_of(self.finish_well(run))
        self.assertIn("only for unsuccessful polls", " ".join(hang["details"]))
        for wait in (w for w in hang["waits"] if w["state"] == "polling"):
            self.assertEqual((wait["call"], wait["peer"], wait["comm"]), ("MPI_Iprobe", 1, "MPI_COMM_WORLD"))
            self.assertIsInstance(wait["tag"], int)

    def test_who_computes_does_not_hang(self):
        for scene in ("compute", "compute-all", "poll-and-compute"):
            with self.subTest(scene=scene):
                run = self.start(["--must:hang-after", "1", "--must:on", "hang=abort"], scene, 5)
                self.assertEqual(self.hang_of(self.finish_well(run)), [])

    def test_without_the_option_nothing_is_said(self):
        run = self.start([], "nap", 4)
        self.assertEqual(self.finish_well(run)["findings"], [])


class Known(Case):
    """--must:suppress and mustview --suppression"""

    def lines(self, run):
        written = view("--suppression", "1", os.path.join(run.folder, "MUST_Output.json"))
        self.assertEqual(written.returncode, 0, written.stderr)
        path = os.path.join(self.folder, "known")
        with open(path, "a", encoding="utf-8") as out:
            out.write("# what we live with\n\n" + written.stdout)
        return path

    def test_what_is_known_is_only_counted(self):
        run = self.start([], "swap")
        code, report = run.finish()
        self.assertEqual((code, len(report["findings"]), report["suppressed"]), (66, 1, 0), run.text("err"))
        known = self.lines(run)
        run = self.start(["--must:suppress", known], "swap")
        report = self.finish_well(run)
        self.assertEqual((report["findings"], report["suppressed"], report["verdict"]), ([], 1, "clean"))
        self.assertIn("no findings, 1 suppressed", run.text("err"))
        self.assertNotIn("deadlock", run.text("err"))

    def test_what_is_new_does_not_hide_behind_it(self):
        known = self.lines(self.finished("swap"))
        run = self.start(["--must:suppress", known], "swap-twice")
        code, report = run.finish()
        self.assertEqual((code, report["suppressed"], len(report["findings"])), (66, 1, 1), run.text("err"))
        (finding,) = report["findings"]
        (causes,) = finding["roots"]
        self.assertEqual({w["where"]["function"] for w in finding["waits"] if w["rank"] in causes}, {"swap_there"})

    def test_a_run_adds_the_lines_itself(self):
        known = os.path.join(self.folder, "known")
        options = ["--must:suppress", known, "--must:print-suppressions", known]
        with open(known, "w", encoding="utf-8") as out:
            out.write("# by hand\n")
        run = self.start(options, "swap")
        code, report = run.finish()
        self.assertEqual((code, len(report["findings"]), report["suppressed"]), (66, 1, 0), run.text("err"))
        with open(known, encoding="utf-8") as lines:
            text = lines.read()
        self.assertRegex(text, r"\A# by hand\n# .*could wait for each other.*\ndeadlock:potential in swap_here at ")
        run = self.start(options, "swap")
        self.assertEqual(self.finish_well(run)["suppressed"], 1)
        with open(known, encoding="utf-8") as lines:
            self.assertEqual(lines.read(), text)

    def test_a_folder_cannot_get_the_lines(self):
        run = subprocess.run([MUSTRUN, "--must:print-suppressions", self.folder, "-np", "1", "echo", "started"],
                             capture_output=True, text=True, timeout=900, cwd=self.folder)
        self.assertEqual((run.returncode, run.stdout), (64, ""))
        self.assertIn("cannot write suppressions to", run.stderr)

    def test_there_is_no_such_finding(self):
        run = self.start([], "often", "0.1")
        run.finish()
        asked = view("--suppression", "1", os.path.join(run.folder, "MUST_Output.json"))
        self.assertEqual((asked.returncode, asked.stdout), (64, ""))
        self.assertIn("there is no finding 1: the report has 0", asked.stderr)

    def finished(self, *scene):
        run = self.start([], *scene)
        run.finish()
        return run

    def test_what_ends_the_job_is_said_all_the_same(self):
        path = os.path.join(self.folder, "known")
        with open(path, "w", encoding="utf-8") as out:
            out.write("hang\n")
        run = self.start(["--must:suppress", path, "--must:hang-after=1", "--must:on=hang=abort"], "nap", 60)
        code, report = run.finish()
        self.assertEqual((code, report["suppressed"], [f["id"] for f in report["findings"]]), (66, 0, ["hang"]))
        run = self.start(["--must:suppress", path, "--must:hang-after=1"], "nap", 4)
        self.assertEqual(self.finish_well(run)["suppressed"], 1)

    def test_a_bad_line_is_one_sentence_and_nothing_starts(self):
        path = os.path.join(self.folder, "bad")
        with open(path, "w", encoding="utf-8") as out:
            out.write("deadlock in main\n\ndeadlock:perhaps\n")
        run = subprocess.run([MUSTRUN, "--must:suppress", path, "-np", "1", "echo", "started"], capture_output=True, text=True,
                             env=process.environment(), cwd=self.folder, timeout=900, check=False)
        self.assertEqual((run.returncode, run.stdout, run.stderr.count("\n")), (64, "", 1))
        self.assertIn(f"{path}:3: \"perhaps\" is not a class of ", run.stderr)


class Lammps(Case):
    """One rank of a real program is stopped in the middle."""

    STEPS = 1500

    def numbers(self, run):
        """The thermodynamic output: what does not depend on time."""
        return re.findall(r"(?m)^ +\d+(?: +-?\d+\.?\d*(?:e[+-]\d+)?){5} *$", run.text("out"))

    def setUp(self):
        super().setUp()
        if shutil.which("lmp") is None:
            self.skipTest("the Debian package lammps is missing")
        with open(os.path.join(os.path.dirname(HERE), "apps", "lammps.in"), encoding="utf-8") as text:
            script = re.sub(r"(?m)^run .*$", f"run {self.STEPS}", text.read())
        self.script = os.path.join(self.folder, "in.melt")
        with open(self.script, "w", encoding="utf-8") as out:
            out.write(script)
        self.program = ["lmp", "-in", self.script, "-log", "none"]

    def stop_in_the_middle(self, options):
        run = self.start(options, program=self.program, ranks=4)
        run.wait_for("out", r"(?m)^ +100 ")
        pid = run.rank_process(2, "lmp")
        os.kill(pid, signal.SIGSTOP)
        self.addCleanup(self.go_on, run, pid)
        time.sleep(2.5)
        return run, pid

    @staticmethod
    def go_on(run, pid):
        if pid in process.processes_of(run.name):
            os.kill(pid, signal.SIGCONT)

    def test_the_rank_and_its_place_are_named_and_the_result_is_right(self):
        run, pid = self.stop_in_the_middle([])
        said = run.ask()
        self.assertNotRegex(said, r"ranks? (?!2 )[0-9, and-]+ waits? for no other rank")
        row = re.search(r"(?m)^    rank 2: (.*)\n +in (.*)$", said)
        self.assertIsNotNone(row, said)
        self.assertIn("uses no CPU time", row.group(1))
        self.assertIn("LAMMPS_NS::", row.group(2))
        self.assertRegex(said, r"waits for (any of |all of )?[0-9, -]*2")
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            self.assertEqual(stat.read().rsplit(")", 1)[1].split()[0], "T")  # still stopped
        os.kill(pid, signal.SIGCONT)
        code, report = run.finish()
        self.assertEqual((code, report["findings"]), (0, []), run.text("err"))
        plain = subprocess.run(["mpirun", "--oversubscribe", "-np", "4", *self.program], capture_output=True, text=True,
                               env=process.environment(), cwd=self.folder, timeout=900, check=True)
        expected = re.findall(r"(?m)^ +\d+(?: +-?\d+\.?\d*(?:e[+-]\d+)?){5} *$", plain.stdout)
        self.assertEqual(len(expected), self.STEPS // 50 + 1)
        self.assertEqual(self.numbers(run), expected)

    def test_the_watchdog_reports_it(self):
        run, pid = self.stop_in_the_middle(["--must:hang-after", "1.5"])
        run.wait_for("err", "warning: hang", 20)
        time.sleep(0.5)
        os.kill(pid, signal.SIGCONT)
        code, report = run.finish()
        self.assertEqual((code, [f["id"] for f in report["findings"]]), (0, ["hang"]), run.text("err"))
        (row,) = [w for w in report["findings"][0]["waits"] if w["rank"] == 2]
        self.assertTrue(any("LAMMPS_NS::" in (f["function"] or "") for f in row["stack"]), row)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
