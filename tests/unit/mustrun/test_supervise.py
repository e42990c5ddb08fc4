# SPDX-License-Identifier: BSD-3-Clause
"""mustrun with a must-tool that only speaks the protocol, under a kind and an unkind mpirun, and under the real one."""
import json
import os
import pty
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, TOOL_FOLDER, INTERCEPTOR_FOLDER, INTERCEPTOR = sys.argv[1:5]
SANITIZED = b"__asan_init" in open(MUSTRUN, "rb").read()
LIMIT = 300


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Case(unittest.TestCase):
    """A folder with an installed tree (bin/mustrun, a false must-tool, an empty interceptor) and a place to work."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="mustrun-")
        self.addCleanup(shutil.rmtree, self.folder)
        binary = self.path("tree/bin")
        os.makedirs(binary)
        self.mustrun = shutil.copy(MUSTRUN, binary)
        self.tool = self.install("fake_tool.py", os.path.join(binary, TOOL_FOLDER), "must-tool")
        self.interceptor = self.install(INTERCEPTOR, os.path.join(binary, INTERCEPTOR_FOLDER), "libmust-interceptor.so")
        self.fake_mpirun = self.install("fake_mpirun.py", self.path("tree"), "mpirun")
        os.mkdir(self.path("work"))
        self.environment = dict(os.environ, FAKE_LOG=self.path("log"), OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def install(self, source, folder, name):
        folder = os.path.normpath(folder)
        os.makedirs(folder, exist_ok=True)
        target = os.path.join(folder, name)
        shutil.copy(os.path.join(HERE, source), target)
        os.chmod(target, 0o755)
        return target

    def command(self, *words, fake=True):
        launcher = ["--must:mpiexec", self.fake_mpirun] if fake else []
        return [self.mustrun] + launcher + list(words)

    def start(self, *words, fake=True, **environment):
        process = subprocess.Popen(self.command(*words, fake=fake), cwd=self.path("work"), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(self.environment, **environment))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def run_it(self, *words, fake=True, stdin=b"", **environment):
        return subprocess.run(self.command(*words, fake=fake), cwd=self.path("work"), input=stdin, capture_output=True,
                              timeout=LIMIT, env=dict(self.environment, **environment))

    def log(self):
        try:
            with open(self.path("log")) as log:
                return log.read()
        except FileNotFoundError:
            return ""

    def pids(self):
        return [int(pid) for pid in re.findall(r"^(?:tool|mpirun|rank) (\d+)$", self.log(), re.M)]

    def report(self, folder="work"):
        with open(self.path(folder, "MUST_Output.json")) as report:
            return json.load(report)


class Ends(Case):
    def test_a_clean_run_has_the_exit_code_of_the_application(self):
        run = self.run_it("-np", "2", "sh", "-c", "exit 3")
        self.assertEqual(run.returncode, 3, run.stderr)
        report = self.report()
        self.assertEqual(report["application"], {"exit_code": 3, "signal": None, "ended": True, "ended_by": None})
        self.assertEqual((report["complete"], report["verdict"], report["ranks"]), (True, "clean", 2))
        self.assertEqual(report["command"], ["sh", "-c", "exit 3"])
        self.assertEqual(report["statistics"]["records"], 9)
        self.assertEqual(report["notes"], ["a note of the tool"])

    def test_a_rank_that_died_gives_the_exit_code_though_the_tool_ended_the_others(self):
        run = self.run_it("-np", "2", "sleep", "30", FAKE_TOOL="death-and-stuck")
        self.assertEqual(run.returncode, 128 + signal.SIGSEGV, run.stderr)
        self.assertEqual(self.report()["application"]["ended_by"], "tool")

    def unobserved(self, *words, code, **environment):
        """What the report says of a run in which no rank reached the tool."""
        run = self.run_it("-np", "2", *words, FAKE_TOOL="empty", **environment)
        self.assertEqual(run.returncode, code, run.stderr)
        report = self.report()
        self.assertEqual((report["complete"], report["verdict"], report["findings"]), (False, "unknown", []))
        self.assertEqual(len(report["notes"]), 2)  # with that of the tool
        self.assertNotIn(b"no findings", run.stderr)
        self.assertNotIn(b"records were lost", run.stderr)
        self.assertIn(b"orknot: no verdict: 0 ranks", run.stderr)
        with open(self.path("work", "MUST_Output.html")) as page:
            self.assertIn('<h1 class="warning">No verdict</h1>', page.read())
        return report["notes"][1]

    def test_a_run_in_which_no_rank_was_observed_is_not_clean(self):
        self.assertEqual(self.unobserved("true", code=0),
                         "nothing was observed: no rank called MPI_Init, or stderr shows why ranks ran unobserved")
        note = self.unobserved("sh", "-c", "exit 3", code=3)
        self.assertIn("the application ended with exit code 3 before MPI_Init had returned in any rank", note)

    def test_a_program_that_cannot_be_observed_is_named(self):
        os.mkdir(self.path("work", "folder"))
        with open(self.path("work", "denied"), "w") as out:
            out.write("#!/bin/sh\n")
        for name, text in (("denied", "may not be executed"), ("folder", "is a folder"), ("missing", "does not exist")):
            run = self.run_it("-np", "2", "./" + name, FAKE_TOOL="empty", FAKE_MPIRUN="refuse")
            self.assertEqual(run.returncode, 131)
            self.assertIn(f"orknot: note: nothing was observed: ./{name} {text}".encode(), run.stderr)
            self.assertEqual(self.report()["verdict"], "unknown")

    def test_more_processes_than_cores_are_named(self):
        run = self.run_it("-np", "100000", "true", FAKE_TOOL="empty", FAKE_MPIRUN="refuse")
        self.assertIn(b"add --oversubscribe before -np", run.stderr)
        run = self.run_it("--oversubscribe", "-np", "100000", "true", FAKE_TOOL="empty", FAKE_MPIRUN="refuse")
        self.assertNotIn(b"add --oversubscribe", run.stderr)

    def test_a_deadlock_ends_the_job_and_gives_the_error_code(self):
        start = time.monotonic()
        run = self.run_it("-np", "2", "sleep", "50", FAKE_TOOL="deadlock")
        self.assertEqual(run.returncode, 66, run.stderr)
        self.assertLess(time.monotonic() - start, 10)
        self.assertIn(b"both ranks wait for each other", run.stderr)
        report = self.report()
        self.assertEqual([f["class"] for f in report["findings"]], ["manifest"])
        self.assertEqual(report["application"], {"exit_code": None, "signal": None, "ended": True, "ended_by": "tool"})
        self.assertIn(b"the tool ended the job", run.stderr)

    def test_a_finding_that_has_become_another_one_leaves_the_report(self):
        run = self.run_it("-np", "2", "sleep", "50", FAKE_TOOL="superseded")
        self.assertEqual(run.returncode, 66, run.stderr)
        self.assertEqual([(f["class"], f["message"]) for f in self.report()["findings"]],
                         [("manifest", "both ranks wait for each other"), ("potential", "two others could wait for each other")])
        said = run.stderr.decode()
        self.assertIn("note: the potential deadlock above has become this one:\norknot: error: deadlock (manifest)", said)
        self.assertIn("2 findings (2 errors)", said)

    def test_a_root_on_the_same_node_talks_over_the_socket(self):
        run = self.run_it("-np", "2", "sh", "-c", "exit 3", FAKE_NEAR="1")
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertEqual(self.report()["notes"], ["a note of the tool"])
        run = self.run_it("-np", "2", "true", FAKE_NEAR="1", FAKE_TOOL="deadlock", FAKE_MPIRUN="deaf")
        self.assertEqual(run.returncode, 66, run.stderr)
        self.assertIn("near", self.log())
        self.assertIn("told kill", self.log())
        run = self.run_it("-np", "2", "true", FAKE_NEAR="1", FAKE_TOOL="split")
        self.assertEqual((run.returncode, len(self.report()["findings"])), (0, 1))

    def test_a_root_on_the_same_node_that_dies_is_a_tool_that_dies(self):
        run = self.run_it("-np", "2", "sh", "-c", "sleep 1; echo done", FAKE_NEAR="1", FAKE_TOOL="die")
        self.assertEqual((run.returncode, run.stdout), (70, b"done\n"))
        self.assertIn(b"the tool's job ended early", run.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_another_user_at_the_socket_is_not_heard(self):
        process = self.start("-np", "2", "sleep", "2", FAKE_TOOL="late-and-near")
        wait_until(lambda: "session " in self.log())
        session = re.search(r"^session (\S+)", self.log(), re.M).group(1)
        stranger = socket.socket(socket.AF_UNIX)
        self.addCleanup(stranger.close)
        os.seteuid(65534)
        try:
            stranger.connect("\0orknot-direct-0-" + session)
        finally:
            os.seteuid(0)
        self.assertEqual(stranger.recv(1), b"")
        self.assertEqual(process.wait(LIMIT), 0, process.stderr.read())
        self.assertIn("near", self.log())

    def test_a_deadlock_is_left_alone_when_asked_for(self):
        run = self.run_it("--must:on-deadlock", "continue", "-np", "2", "sh", "-c", "sleep 1; exit 4", FAKE_TOOL="deadlock")
        self.assertEqual(run.returncode, 66)
        self.assertEqual(self.report()["application"]["exit_code"], 4)

    def test_the_error_code_is_the_users(self):
        words = ["--must:on-deadlock", "continue", "-np", "2", "sh", "-c", "sleep 1; exit 4"]
        run = self.run_it("--must:errorcode", "17", *words, FAKE_TOOL="deadlock")
        self.assertEqual(run.returncode, 17)
        run = self.run_it("--must:errorcode", "0", *words, FAKE_TOOL="deadlock")
        self.assertEqual(run.returncode, 4)

    def test_a_warning_keeps_the_exit_code_and_long_lines_come_whole(self):
        run = self.run_it("-np", "2", "sleep", "1", FAKE_TOOL="split")
        self.assertEqual(run.returncode, 0)
        self.assertEqual([len(f["message"]) for f in self.report()["findings"]], [300000])

    def test_a_tool_that_talks_nonsense_is_an_internal_fault(self):
        run = self.run_it("-np", "2", "sh", "-c", "sleep 0.5", FAKE_TOOL="nonsense")
        self.assertEqual(run.returncode, 70)
        self.assertIn(b"this is no JSON", run.stderr)

    def test_quiet_says_nothing_of_a_clean_run(self):
        self.assertEqual(self.run_it("--must:quiet", "-np", "2", "true").stderr, b"")
        self.assertIn(b"watching true", self.run_it("-np", "2", "true").stderr)


class Unkind(Case):
    def test_a_tool_that_does_not_get_ready_stops_the_start(self):
        start = time.monotonic()
        run = self.run_it("--must:start-timeout", "1", "-np", "2", "echo", "started", FAKE_TOOL="late")
        self.assertEqual((run.returncode, run.stdout), (69, b""))
        self.assertLess(time.monotonic() - start, 10)
        self.assertIn(b"was not ready in time", run.stderr)
        self.assertTrue(wait_until(lambda: not any(map(alive, self.pids()))))

    def test_a_tool_that_ends_before_it_is_ready_shows_why(self):
        run = self.run_it("-np", "2", "echo", "started", FAKE_TOOL="refuse")
        self.assertEqual((run.returncode, run.stdout), (69, b""))
        self.assertIn(b"this tool does not want to", run.stderr)

    def test_the_application_runs_on_when_the_tool_dies(self):
        run = self.run_it("-np", "2", "sh", "-c", "sleep 1; echo done", FAKE_TOOL="die")
        self.assertEqual((run.returncode, run.stdout), (70, b"done\n"))
        self.assertIn(b"the tool's job ended early", run.stderr)
        self.assertIs(self.report()["complete"], False)
        self.assertEqual(self.report()["verdict"], "unknown")
        run = self.run_it("-np", "2", "sh", "-c", "sleep 1; exit 5", FAKE_TOOL="die")
        self.assertEqual(run.returncode, 5)

    def test_a_deadlocked_job_ends_though_tool_and_mpirun_do_not_help(self):
        start = time.monotonic()
        run = self.run_it("-np", "2", "true", FAKE_TOOL="deadlock-then-die", FAKE_MPIRUN="deaf")
        self.assertEqual(run.returncode, 66)
        self.assertLess(time.monotonic() - start, 10)
        self.assertFalse(any(map(alive, self.pids())))

    def test_a_deaf_mpirun_is_killed_after_a_deadlock_and_the_ranks_too(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="deadlock", FAKE_MPIRUN="deaf")
        self.assertEqual(run.returncode, 66)
        self.assertIn("told kill", self.log())
        self.assertEqual(self.report()["application"]["ended_by"], "tool")

    def test_an_mpirun_that_crashes_when_the_tool_ends_the_job_is_no_crash_of_the_application(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="deadlock", FAKE_MPIRUN="crash-at-end")
        self.assertEqual(run.returncode, 66)
        application = self.report()["application"]
        self.assertEqual((application["signal"], application["ended_by"]), (None, "tool"))

    def test_an_mpirun_that_hangs_without_ranks_is_killed(self):
        start = time.monotonic()
        run = self.run_it("-np", "2", "true", FAKE_TOOL="gone", FAKE_MPIRUN="hang")
        self.assertEqual(run.returncode, 128 + signal.SIGKILL)
        self.assertLess(time.monotonic() - start, 590)  # the fake would go on for longer
        self.assertTrue([n for n in self.report()["notes"] if "the launcher had not" in n])

    def test_an_mpirun_that_is_stopped_or_gets_no_processor_is_not_taken_for_hung(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="gone", FAKE_MPIRUN="stopped")
        self.assertEqual(run.returncode, 0)
        self.assertFalse([n for n in self.report()["notes"] if "the launcher had not" in n])

    def test_an_mpirun_with_children_is_not_taken_for_hung(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="gone", FAKE_MPIRUN="script")
        self.assertEqual(run.returncode, 0)

    def test_an_mpirun_that_crashes_is_told_by_its_signal(self):
        run = self.run_it("-np", "2", "true", FAKE_MPIRUN="crash")
        self.assertEqual(run.returncode, 128 + signal.SIGSEGV)
        self.assertEqual(self.report()["application"]["signal"], signal.SIGSEGV)
        self.assertIn("told kill", self.log())

    def test_an_mpirun_that_crashes_after_an_abort_leaves_the_exit_code_of_the_rank(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="abort", FAKE_MPIRUN="crash")
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertEqual(self.report()["application"]["signal"], signal.SIGSEGV)

    def test_a_tool_that_stays_after_its_last_word_is_killed(self):
        start = time.monotonic()
        run = self.run_it("-np", "2", "true", FAKE_TOOL="stay")
        self.assertEqual(run.returncode, 0)
        self.assertLess(time.monotonic() - start, 10)
        self.assertFalse(any(map(alive, self.pids())))

    def test_a_missing_launcher_is_one_sentence(self):
        run = subprocess.run([self.mustrun, "--must:mpiexec", "/no/such", "-np", "1", "true"], capture_output=True,
                             cwd=self.path("work"), timeout=LIMIT, env=self.environment)
        self.assertEqual(run.returncode, 69)
        self.assertEqual(run.stderr.count(b"\n"), 1)

    def test_a_missing_component_is_one_sentence(self):
        os.remove(self.tool)
        run = self.run_it("-np", "1", "true")
        self.assertEqual(run.returncode, 69)
        self.assertEqual(run.stderr.count(b"\n"), 1)
        self.assertIn(b"must-tool is missing", run.stderr)


class Signals(Case):
    def started(self, process):
        self.assertTrue(wait_until(lambda: "mpirun" in self.log()), process.poll())
        time.sleep(0.3)

    def test_an_interrupt_asks_for_the_state_before_the_job_ends(self):
        for signo in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(signo=signo):
                process = self.start("-np", "2", "sleep", "50")
                self.started(process)
                process.send_signal(signo)
                _, stderr = process.communicate(timeout=LIMIT)
                self.assertEqual(process.returncode, 128 + signo)
                self.assertIn(b"rank 0 is in MPI_Recv", stderr)
                self.assertIn("told interrupt", self.log())
                self.assertIs(self.report()["application"]["ended"], True)
                os.remove(self.path("log"))

    def test_sigusr1_asks_where_the_ranks_are_and_the_run_goes_on(self):
        process = self.start("-np", "2", "sleep", "2")
        self.started(process)
        process.send_signal(signal.SIGUSR1)
        _, stderr = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 0)
        self.assertIn("told status", self.log())
        self.assertIn(b"status: rank 1 is in MPI_Send", stderr)
        self.assertEqual(self.report()["findings"], [])

    def test_a_tool_that_does_not_answer_is_not_waited_for_long(self):
        process = self.start("-np", "2", "sleep", "50", FAKE_TOOL="mute")
        self.started(process)
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertLess(time.monotonic() - start, 8)

    def test_sigquit_gives_the_ranks_no_time(self):
        process = self.start("-np", "2", "true", FAKE_MPIRUN="deaf")
        self.started(process)
        process.send_signal(signal.SIGQUIT)
        _, stderr = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 128 + signal.SIGQUIT)
        self.assertIn(b"rank 0 is in MPI_Recv", stderr)
        self.assertIn("told kill", self.log())

    def test_a_second_signal_hastens(self):
        process = self.start("-np", "2", "true", FAKE_MPIRUN="deaf")
        self.started(process)
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertLess(time.monotonic() - start, 5)

    def test_a_killed_mustrun_leaves_no_process(self):
        process = self.start("-np", "2", "sleep", "50")
        self.started(process)
        pids = self.pids()
        self.assertEqual([len(pids), all(map(alive, pids))], [2, True])
        process.kill()
        self.assertTrue(wait_until(lambda: not any(map(alive, pids))), pids)


class Repeat(Case):
    """--must:repeat with a program that counts its runs in the file `count`."""
    COUNT = "echo x >> count; test $(wc -l < count) -lt %d || exit 3"
    MANY = 40

    def count(self):
        with open(self.path("work", "count")) as count:
            return len(count.readlines())

    def lines(self, stderr):
        return re.findall(r"^orknot: run (\d+) of (\d+), noise (\d+:\d+), [0-9.]+ s: (.*)$", stderr.decode(), re.M)

    def test_it_ends_with_the_first_run_that_fails(self):
        run = self.run_it("--must:noise", "18446744073709551614:7", "--must:repeat", "9", "-np", "2", "sh", "-c",
                          self.COUNT % 4 + "; echo $ORKNOT_NOISE")
        self.assertEqual((run.returncode, self.count()), (3, 4), run.stderr)
        self.assertEqual(run.stdout.split(), [b"18446744073709551614:7", b"18446744073709551615:7", b"0:7"])
        self.assertEqual([(n, how) for n, _, _, how in self.lines(run.stderr)],
                         [("1", "no error"), ("2", "no error"), ("3", "no error"), ("4", "ended with an error (exit code 3)")])
        self.assertIn(b"orknot: 4 runs; the last one ended with an error, with --must:noise 1:7\n", run.stderr)
        self.assertEqual(run.stderr.count(b"MUST_Output.html"), 1)  # of the last run
        self.assertEqual(run.stderr.count(b": watching "), 1)
        self.assertEqual(self.report()["application"]["exit_code"], 3)

    def test_an_error_that_leaves_the_exit_code_alone_ends_it(self):
        run = self.run_it("--must:repeat", "5", "--must:errorcode", "0", "--must:on-deadlock", "continue", "-np", "2", "sh", "-c",
                          "echo x >> count; sleep 1", FAKE_TOOL="deadlock")
        self.assertEqual((run.returncode, self.count()), (0, 1), run.stderr)
        self.assertIn(b"ended with an error (exit code 0)", run.stderr)

    def test_quiet_says_only_what_failed(self):
        run = self.run_it("--must:quiet", "--must:repeat", "3", "-np", "2", "true")
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        run = self.run_it("--must:quiet", "--must:repeat", "3", "-np", "2", "sh", "-c", self.COUNT % 2)
        self.assertEqual((run.returncode, run.stderr.decode()),
                         (3, "orknot: 2 runs; the last one ended with an error, with --must:noise 2:1000\n"))

    def test_an_interrupt_ends_it(self):
        process = self.start("--must:repeat", "1000", "-np", "2", "sh", "-c", "echo x >> count; exec sleep 0.7")
        self.assertTrue(wait_until(lambda: os.path.exists(self.path("work", "count")) and self.count() == 2), process.poll())
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=LIMIT)
        self.assertEqual((process.returncode, self.count()), (128 + signal.SIGINT, 2), stderr)
        self.assertIn(b"orknot: 2 runs; interrupted\n", stderr)
        self.assertEqual(self.report()["application"]["ended_by"], "user")

    def test_a_run_that_cannot_start_is_not_counted(self):
        run = self.run_it("--must:repeat", "5", "--must:output-dir", "missing/folder", "-np", "2", "true")
        self.assertEqual(run.returncode, 64)
        self.assertNotIn(b" run", run.stderr)

    def test_many_runs_need_no_more_than_one(self):
        """Sessions are new; files, memory and children of mustrun, the parent of the program, do not grow."""
        show = "echo $(ls /proc/$PPID/fd | wc -l) $(grep VmRSS /proc/$PPID/status | tr -dc 0-9) $(wc -w < /proc/$PPID/task/$PPID/children)"
        run = self.run_it("--must:repeat", str(self.MANY), "-np", "2", "sh", "-c", show)
        self.assertEqual(run.returncode, 0, run.stderr)
        files, memory, children = zip(*(map(int, line.split()) for line in run.stdout.splitlines()))
        self.assertEqual((len(files), len(set(files)), set(children)), (self.MANY, 1, {2}), run.stdout)
        if not SANITIZED:  # a sanitizer keeps what was freed for a while, and finds leaks itself
            self.assertLess(memory[-1] - memory[9], 500, memory)
        sessions = re.findall(r"^session (\S+)", self.log(), re.M)
        self.assertEqual((len(sessions), len(set(sessions))), (self.MANY, self.MANY))
        self.assertEqual(len(self.lines(run.stderr)), self.MANY)
        self.assertTrue(run.stderr.endswith(f"orknot: {self.MANY} runs; no error\n".encode()), run.stderr)


class Words(Case):
    SHOW = "import sys; sys.stdout.write(repr(sys.argv[1:]))"

    def test_arguments_arrive_as_they_were(self):
        arguments = ["a b", "'", '"', "new\nline", "$HOME", "", "*", "--must:quiet", "\\", "\xe4"]
        run = self.run_it("-np", "1", sys.executable, "-c", self.SHOW, *arguments)
        self.assertEqual(run.stdout.decode(), repr(arguments))

    def test_arguments_arrive_as_they_were_by_the_real_mpirun(self):
        arguments = ["a b", "'", '"', "new\nline", "$HOME", "*", "--must:quiet", "-np"]
        run = self.run_it("-np", "1", sys.executable, "-c", self.SHOW, *arguments, fake=False)
        self.assertEqual(run.stdout.decode(), repr(arguments), run.stderr)

    def test_a_foreign_file_is_not_overwritten_and_nothing_is_started(self):
        with open(self.path("work", "MUST_Output.html"), "w") as out:
            out.write("my diary")
        run = self.run_it("-np", "1", "echo", "started")
        self.assertEqual((run.returncode, run.stdout), (64, b""))
        self.assertIn(b"MUST_Output.html", run.stderr)
        with open(self.path("work", "MUST_Output.html")) as diary:
            self.assertEqual(diary.read(), "my diary")
        self.assertEqual(self.log(), "")

    def test_the_output_folder_is_made_but_not_its_parent(self):
        self.assertEqual(self.run_it("--must:output-dir", "new", "-np", "1", "true").returncode, 0)
        self.assertEqual(self.report("work/new")["verdict"], "clean")
        self.assertEqual(self.run_it("--must:output-dir", "no/new", "-np", "1", "true").returncode, 64)

    def test_only_the_wanted_formats_are_written(self):
        self.run_it("-np", "1", "true", MUST_OUTPUT="text")
        self.assertEqual(os.listdir(self.path("work")), ["MUST_Output.txt"])

    def test_wrong_words_are_one_sentence(self):
        for words in (["--must:outpt", "json"], ["--must:output", "pdf"], ["--must:fanin", "1"], ["--must:errorcode", "256"],
                      ["--must:output-dir"], ["--must:on-deadlock", "cry"], ["--must:quiet=1"]):
            with self.subTest(words=words):
                run = subprocess.run([self.mustrun] + words, capture_output=True, timeout=LIMIT)
                self.assertEqual((run.returncode, run.stderr.count(b"\n")), (64, 1))

    def test_options_with_another_prefix_are_one_sentence(self):
        for word in ("--must-quiet", "-must:quiet", "--must=quiet", "--must"):
            run = self.run_it(word, "-np", "1", "echo", "started")
            self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (64, b"", 1), word)
            self.assertIn(b"--must:", run.stderr)

    def test_options_without_effect_get_a_hint_and_the_run_goes_on(self):
        run = self.run_it("-np", "1", "echo", "--must:quiet", MUST_QIUET="1", MUST_HAVE="bread")
        self.assertEqual((run.returncode, run.stdout), (0, b"--must:quiet\n"))
        self.assertIn(b"MUST_QIUET is not an option of mustrun and is ignored; the nearest one is MUST_QUIET", run.stderr)
        self.assertIn(b"MUST_HAVE is not an option", run.stderr)
        self.assertIn(b"--must:quiet goes to the program", run.stderr)
        self.assertEqual(self.run_it("--must:quiet", "-np", "1", "true", MUST_HAVE="bread").stderr, b"")

    def test_suppressions_that_do_not_exist_are_refused_and_unused_ones_counted(self):
        with open(self.path("known"), "w") as out:
            out.write("deadlock in f\nlost-mesage\n")
        run = self.run_it("--must:suppress", self.path("known"), "-np", "1", "echo", "started")
        self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (64, b"", 1))
        self.assertIn(b'known:2: "lost-mesage" is not the id of a finding; the nearest one is "lost-message"', run.stderr)
        with open(self.path("known"), "w") as out:
            out.write("deadlock in f\n\nhang\n")
        run = self.run_it("--must:suppress", self.path("known"), "-np", "1", "true")
        self.assertEqual(run.returncode, 0)
        self.assertIn(b"2 of 2 suppressions matched no finding: lines 1, 3 of ", run.stderr)
        self.assertTrue([note for note in self.report()["notes"] if "2 of 2 suppressions" in note])

    def test_without_a_program_comes_the_usage(self):
        for words in ([], ["-np", "2"], ["--must:quiet"]):
            run = subprocess.run([self.mustrun] + words, capture_output=True, timeout=LIMIT)
            self.assertEqual(run.returncode, 64)
            self.assertIn(b"Usage: mustrun", run.stderr)

    def test_the_tool_is_told_its_options_and_no_secrets(self):
        run = self.run_it("--must:nodl", "--must:trace", "t.rec", "--must:fanin", "4", "--must:collectives", "dataflow", "-np", "1", "true",
                          LD_PRELOAD="", OMPI_MCA_mca_base_env_list="")
        self.assertEqual(run.returncode, 0, run.stderr)
        log = self.log()
        words = ["--fanin=4", "--sends=strict", "--collectives=dataflow", "--probe=end", "--queue-limit=1073741824", "--nodl",
                 "--trace=t.rec", f"--record={os.path.realpath(self.path('work'))}/MUST_Order", "--program=true", "--fold"]
        self.assertIn(f"arguments --alone {' '.join(words)}\n", log)
        self.assertIn("LD_PRELOAD=None\n", log)
        self.assertRegex(log, r"session [0-9]+-[a-z0-9]{12} token 32\n")
        info = self.run_it("--must:info", "-np", "1", "true")
        self.assertEqual(info.returncode, 0)
        self.assertIn(b"must-tool", info.stdout)
        self.assertNotIn(b"ORKNOT_TOKEN=", info.stdout)


class Files(Case):
    """Where the report cannot be written, nothing says that it was."""

    def run_limited(self, size, *words, **environment):
        """No process of the run can make a file longer than this."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        return subprocess.run(self.command(*words), cwd=self.path("work"), stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=LIMIT, env=dict(self.environment, **environment), preexec_fn=limit)

    def listed(self):
        return sorted(os.listdir(self.path("work")))

    def test_a_full_disk_is_told_and_an_earlier_report_does_not_stay(self):
        self.assertEqual(self.run_it("-np", "1", "true").returncode, 0)
        self.assertEqual(self.listed(), ["MUST_Output.html", "MUST_Output.json"])
        run = self.run_limited(3000, "-np", "1", "echo", "done")
        self.assertEqual((run.returncode, run.stdout), (70, b"done\n"))
        self.assertIn(b"mustrun: cannot write ./MUST_Output.html: File too large\n", run.stderr)
        self.assertIn(b"there is no report", run.stderr)
        self.assertNotIn(b"the report is", run.stderr)
        self.assertEqual(self.listed(), [])
        run = self.run_limited(3000, "-np", "1", "sh", "-c", "exit 5")
        self.assertEqual(run.returncode, 5)

    def test_a_report_that_fits_is_there_though_another_does_not(self):
        run = self.run_limited(3000, "--must:output", "json", "-np", "1", "true")
        self.assertEqual((run.returncode, self.listed()), (0, ["MUST_Output.json"]), run.stderr)
        self.assertIn(b"the report is MUST_Output.json", run.stderr)

    def test_a_reader_of_stderr_that_goes_takes_nothing_along(self):
        for words in ((), ("--must:verbose",), ("--must:status",)):
            source, sink = os.pipe()
            os.close(source)
            run = subprocess.run(self.command(*words, "-np", "1", "sh", "-c", "sleep 0.5; echo done; exit 3"), cwd=self.path("work"),
                                 stdout=subprocess.PIPE, stderr=sink, timeout=LIMIT, env=dict(self.environment, FAKE_TOOL="split"))
            os.close(sink)
            self.assertEqual((run.returncode, run.stdout), (3, b"done\n"))
            self.assertEqual(len(self.report()["findings"]), 1)

    def test_a_trace_that_cannot_be_written_is_one_sentence_and_nothing_is_started(self):
        os.mkdir(self.path("work", "folder"))
        with open(self.path("work", "diary"), "w") as out:
            out.write("my diary")
        for path, reason in (("no/such/t", "No such file or directory"), ("folder", "Is a directory"), ("diary/t", "Not a directory"),
                             ("diary", "it exists and is not a trace of orknot")):
            run = self.run_it("--must:trace", path, "-np", "1", "echo", "started")
            self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (64, b"", 1), run.stderr)
            self.assertIn(f"{path}: {reason}".encode(), run.stderr)
        self.assertEqual((self.listed(), self.log()), (["diary", "folder"], ""))

    def run_order(self, *words, how="order", folder="work"):
        """The word of mustrun on the file, and the command in the report."""
        run = self.run_it(*words, FAKE_TOOL=how)
        told = [line[5:] for line in self.log().splitlines() if line in ("told keep", "told drop")]
        os.remove(self.path("log"))
        return run, told, self.report(folder).get("replay")

    def test_the_order_is_kept_if_the_run_ended_badly_or_the_user_asked_for_it(self):
        run, told, replay = self.run_order("-np", "2", "true")
        self.assertEqual((run.returncode, told, replay), (0, ["drop"], None))
        self.assertNotIn(b"to repeat this order", run.stderr)
        for words, how, code in ((("-np", "2", "sh", "-c", "exit 3"), "order", 3), (("-np", "2", "true"), "order-error", 66)):
            run, told, replay = self.run_order(*words, how=how)
            self.assertEqual((run.returncode, told), (code, ["keep"]), run.stderr)
            self.assertTrue(replay.endswith("--must:replay MUST_Order " + " ".join(words).replace("exit 3", "'exit 3'")), replay)
            self.assertIn(b"to repeat this order: mustrun ", run.stderr)
        run, told, replay = self.run_order("--must:record", "my order", "-np", "2", "true")
        self.assertEqual((run.returncode, told), (0, ["keep"]))
        self.assertTrue(replay.endswith("--must:replay 'my order' -np 2 true"), replay)

    def test_a_tool_that_dies_leaves_the_order_under_another_name(self):
        run, told, replay = self.run_order("--must:output-dir", "out", "-np", "1", "sleep", "0.5", how="order-lost",
                                          folder="work/out")
        self.assertEqual(told, [])
        self.assertRegex(replay, r"--must:replay out/MUST_Order\.[0-9]+-[a-z0-9]{12}\.part -np 1 sleep 0\.5$")

    def test_a_divergence_ends_the_job_on_request_only(self):
        run = self.run_it("--must:on-deadlock", "continue", "-np", "1", "sh", "-c", "sleep 1; echo done", FAKE_TOOL="order-fatal")
        self.assertEqual((run.returncode, run.stdout), (66, b"done\n"))
        run = self.run_it("--must:on-divergence", "abort", "-np", "1", "sh", "-c", "sleep 30; echo done", FAKE_TOOL="order-fatal")
        self.assertEqual((run.returncode, run.stdout), (66, b""))
        self.assertEqual(self.report()["application"]["ended_by"], "tool")

    def test_an_order_that_cannot_be_written_or_replayed_is_one_sentence_and_nothing_is_started(self):
        os.mkdir(self.path("work", "folder"))
        with open(self.path("work", "diary"), "w") as out:
            out.write("my diary")
        for option, path, code, reason in (("record", "no/such/o", 64, "No such file or directory"),
                                           ("record", "folder", 64, "Is a directory"),
                                           ("record", "diary", 64, "it exists and is not an order file of orknot"),
                                           ("replay", "none", 64, "No such file or directory"),
                                           ("replay", "folder", 64, "Is a directory"),
                                           ("replay", "diary", 65, "it is not an order file")):
            run = self.run_it("--must:" + option, path, "-np", "1", "echo", "started")
            self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (code, b"", 1), run.stderr)
            self.assertIn(f"{path}: {reason}".encode(), run.stderr)
        os.rename(self.path("work", "diary"), self.path("work", "MUST_Order"))
        run = self.run_it("-np", "1", "echo", "started")
        self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (64, b"", 1), run.stderr)
        self.assertEqual((self.listed(), self.log()), (["MUST_Order", "folder"], ""))

    def test_words_for_standard_output_that_is_full_are_not_lost_silently(self):
        with open("/dev/full", "wb") as full:
            for words in (["--must:help"], ["--must:version"], ["--must:info", "-np", "1", "true"]):
                run = subprocess.run(self.command(*words), stdout=full, stderr=subprocess.PIPE, timeout=LIMIT, env=self.environment)
                self.assertEqual((run.returncode, run.stderr), (70, b"mustrun: cannot write standard output: No space left on device\n"))


class RealMpirun(Case):
    """Under the machine's own mpirun."""

    def test_stdout_and_stdin_are_untouched(self):
        data = bytes(range(256)) * 4000
        run = self.run_it("-np", "1", "cat", fake=False, stdin=data)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout, data)

    def environments(self, *words, **environment):
        run = self.run_it("--oversubscribe", *words, fake=False, **environment)
        self.assertEqual(run.returncode, 0, run.stderr)
        return sorted(run.stdout.decode().split("\n"))[1:]

    SHOW = ["sh", "-c", 'echo "$OMPI_COMM_WORLD_RANK $LD_PRELOAD ${#ORKNOT_TOKEN} $A $B"']

    def test_all_contexts_get_the_interceptor(self):
        lines = self.environments("-np", "2", *self.SHOW, ":", "-np", "1", *self.SHOW)
        self.assertEqual(lines, ["%d %s 32  " % (rank, self.interceptor) for rank in range(3)])

    def test_exports_of_the_user_stay(self):
        lines = self.environments("-x", "A", "-np", "1", *self.SHOW, ":", "-np", "1", "-x", "B=2", *self.SHOW, A="1")
        self.assertEqual(lines, ["0 %s 32 1 " % self.interceptor, "1 %s 32 1 2" % self.interceptor])

    @unittest.skipIf(SANITIZED, "the sanitizer wants to be preloaded first")
    def test_a_library_preloaded_by_the_user_comes_second(self):
        own = self.install(INTERCEPTOR, self.path("own"), "own.so")
        both = self.interceptor + ":" + own
        self.assertEqual(self.environments("-x", "LD_PRELOAD=" + own, "-np", "1", *self.SHOW), ["0 %s 32  " % both])
        self.assertEqual(self.environments("-np", "1", *self.SHOW, LD_PRELOAD=own), ["0 %s 32  " % both])

    def test_a_list_of_variables_stays(self):
        line = "0 %s 32  7" % self.interceptor
        self.assertEqual(self.environments("--mca", "mca_base_env_list", "B=7", "-np", "1", *self.SHOW), [line])
        self.assertEqual(self.environments("-np", "1", *self.SHOW, OMPI_MCA_mca_base_env_list="B=7"), [line])
        self.assertIn("LD_PRELOAD=None", self.log())

    def test_an_appfile_gets_the_interceptor_in_each_line(self):
        script = self.path("show.sh")
        with open(script, "w") as out:
            out.write(self.SHOW[2] + "\n")
        with open(self.path("appfile"), "w") as out:
            out.write("# two\n-np 1 -x B=5 sh %s\n\n-np 1 sh %s # second\n" % (script, script))
        lines = self.environments("--app", self.path("appfile"))
        self.assertEqual(lines, ["0 %s 32  5" % self.interceptor, "1 %s 32  " % self.interceptor])

    def test_a_program_that_cannot_be_started_is_mpiruns_affair(self):
        run = self.run_it("-np", "1", "./no-such-program", fake=False)
        plain = subprocess.run(["mpirun", "-np", "1", "./no-such-program"], capture_output=True, timeout=LIMIT,
                               env=self.environment)
        self.assertEqual(run.returncode, plain.returncode)
        self.assertIn(b"no-such-program", run.stderr)

    def ranks_of(self, process):
        """Start of two ranks that write their numbers into the log and sleep."""
        self.assertTrue(wait_until(lambda: len(re.findall("^rank", self.log(), re.M)) == 2), process)
        return self.pids()

    SLEEP = ["-np", "2", "sh", "-c", 'echo "rank $$" >>$FAKE_LOG; exec sleep 50']

    def test_a_killed_mustrun_leaves_no_rank(self):
        process = self.start("--oversubscribe", *self.SLEEP, fake=False)
        pids = self.ranks_of(process)
        process.kill()
        self.assertTrue(wait_until(lambda: not any(map(alive, pids))), pids)

    def test_a_deadlock_leaves_no_rank(self):
        process = self.start("--oversubscribe", *self.SLEEP, fake=False, FAKE_TOOL="deadlock", FAKE_RANKS="2")
        pids = self.ranks_of(process)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 66)
        self.assertTrue(wait_until(lambda: not any(map(alive, pids))), pids)

    def test_ctrl_c_on_a_terminal_shows_the_state_first(self):
        try:
            pid, terminal = pty.fork()
        except OSError as error:
            self.skipTest(f"no pseudo-terminals here: {error}")
        if pid == 0:
            os.chdir(self.path("work"))
            os.execve(self.mustrun, self.command("--oversubscribe", *self.SLEEP, fake=False), self.environment)
        pids = self.ranks_of(pid)
        os.write(terminal, b"\x03")
        said = b""
        try:
            while True:
                said += os.read(terminal, 65536)
        except OSError:
            pass
        os.close(terminal)
        _, status = os.waitpid(pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 128 + signal.SIGINT, said)
        self.assertIn(b"rank 0 is in MPI_Recv", said)
        self.assertTrue(wait_until(lambda: not any(map(alive, pids))), pids)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[5:], verbosity=2)
