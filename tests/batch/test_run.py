# SPDX-License-Identifier: BSD-3-Clause
import fcntl
import functools
import json
import os
import pty
import signal
import subprocess
import time
import unittest

import support
from support import Folder, case, finding, report


class Results(Folder):
    def test_each_case_is_judged_and_none_keeps_the_others_from_running(self):
        leak = finding("request-leak", None, "warning", "a request was left behind")
        self.suite(
            case("good", "true"),
            case("as-expected", "true", expect="deadlock", files=report(findings=[finding()])),
            case("unexpected", "true", files=report(findings=[leak])),
            case("not-found", "true", expect=["request-leak"]),
            case("crash", "kill -SEGV $$"),
            case("slow", "exec sleep 60", time_limit=1),
            case("no-program", ["no-such-program"]),
            case("no-package", ["no-such-program"], package="no-such-package"),
            case("no-report", "exec kill -KILL $PPID"),
            case("bad-report", "true", files={"report.json": '{"schema": 9}'}),
            case("last", "true"),
        )
        ended = self.run_suite()
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertEqual(
            self.words(),
            {
                "good": "pass",
                "as-expected": "pass",
                "unexpected": "fail",
                "not-found": "fail",
                "crash": "error",
                "slow": "timeout",
                "no-program": "error",
                "no-package": "skipped",
                "no-report": "error",
                "bad-report": "error",
                "last": "pass",
            },
        )
        reasons = {name: entry["reason"] for name, entry in self.results().items()}
        self.assertEqual(reasons["unexpected"], "warning: request-leak: a request was left behind")
        self.assertEqual(reasons["not-found"], "expected request-leak, which was not found")
        self.assertEqual(reasons["crash"], "the application ended with signal 11 (SIGSEGV)")
        self.assertEqual(reasons["slow"], "did not end within 1 s")
        self.assertEqual(reasons["no-program"], "no-such-program does not exist")
        self.assertEqual(reasons["no-package"], "no-such-program does not exist: install the Debian package no-such-package")
        self.assertIn("ended with 137", reasons["no-report"])
        self.assertIn("schema", reasons["bad-report"])
        self.assertIn("7 of 10 cases are not as expected; 1 was skipped.", ended.stdout)
        self.assertIn("unexpected   warning: request-leak", ended.stdout)

    def test_all_as_expected_is_exit_code_0(self):
        self.suite(case("a", "true"), case("b", "exit 3", exit_code=3))
        ended = self.run_suite()
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertIn("All 2 cases are as expected.", ended.stdout)

    def test_exit_codes_are_seen_though_sigchld_was_ignored_or_blocked_at_its_start(self):
        self.suite(case("a", "exit 3", exit_code=3), case("b", "exit 3"), case("c", "true", probe=["false"], package="none"))
        ignore = functools.partial(signal.signal, signal.SIGCHLD, signal.SIG_IGN)
        block = functools.partial(signal.pthread_sigmask, signal.SIG_BLOCK, {signal.SIGCHLD})
        for before in (ignore, block):
            ended = self.run_suite(before=before)
            self.assertEqual((ended.returncode, ended.stderr), (1, ""))
            self.assertEqual(self.words(), {"a": "pass", "b": "error", "c": "skipped"})

    def test_the_output_is_looked_at(self):
        self.suite(
            case("said", "echo all is well", output="^all is"),
            case("silent", "true", output=["all is"]),
            case("file", "echo right > r.txt", output="^right$", result_file="r.txt"),
        )
        self.run_suite()
        self.assertEqual(self.words(), {"said": "pass", "silent": "fail", "file": "pass"})

    def test_a_failing_launcher_is_quoted(self):
        self.write("bad", "#!/bin/sh\necho 'mustrun: the tool did not start' >&2\nexit 69\n")
        os.chmod(self.path("bad"), 0o755)
        self.suite(case("a", "true"))
        self.batch("run", "suite.toml", "--output", "out", "--mustrun", self.path("bad"))
        self.assertEqual(self.results()["a"]["reason"], "mustrun ended with 69: mustrun: the tool did not start")

    def test_without_mustrun_nothing_runs(self):
        self.suite(case("a", "true"))
        ended = self.batch("run", "suite.toml", "--output", "out", "--mustrun", "./nowhere")
        self.assertEqual(ended.returncode, 69)
        self.assertIn("./nowhere is not an executable", ended.stderr)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_a_suite_error_is_exit_code_64_with_file_and_line(self):
        self.suite(case("a", "true"), "rank = 3\n")
        ended = self.run_suite()
        self.assertEqual((ended.returncode, ended.stderr), (64, "mustbatch: suite.toml:6: case 'a': unknown key 'rank'\n"))


class Runs(Folder):
    def test_each_run_has_a_fresh_folder_with_all_that_it_made(self):
        self.suite(
            case("a", "cat; echo oops >&2; touch made; test ! -e left && touch left", stdin="in.txt", files={"in.txt": "hello\n"}, repeat=2)
        )
        self.assertEqual(self.run_suite().returncode, 0)
        for name in ("tool-1", "tool-2"):
            self.assertEqual(self.read("out", "a", name, "stdout"), "hello\n")
            self.assertEqual(self.read("out", "a", name, "stderr"), "oops\n")
            self.assertTrue(os.path.exists(self.path("out", "a", name, "work", "made")))
            run = json.loads(self.read("out", "a", name, "run.json"))
            self.assertEqual((run["exit_code"], run["end"]), (0, "ended"))
            self.assertGreater(run["seconds"], 0)
        (first, _) = self.results()["a"]["runs"]
        self.assertEqual(first["report"], "a/tool-1/MUST_Output.html")
        self.assertTrue(os.path.exists(self.path("out", first["report"])))

    def test_inputs_are_copied_or_linked_and_the_originals_stay(self):
        self.write("data/one.txt", "1")
        self.write("data/sub/two.txt", "2")
        change = "echo changed > one.txt; cat sub/two.txt"
        self.suite(
            case("copy", change, directory="data", input=["*.txt", "sub"]),
            case("link", "cat one.txt sub/two.txt", directory="data", input=["*.txt", "sub"], place="link"),
        )
        self.assertEqual(self.run_suite().returncode, 0)
        self.assertEqual(self.read("data", "one.txt"), "1")
        self.assertEqual(self.read("out", "link", "tool-1", "stdout"), "12")
        self.assertTrue(os.path.islink(self.path("out", "link", "tool-1", "work", "one.txt")))

    def test_a_text_is_not_written_through_a_link_into_the_users_folder(self):
        self.write("data/sub/two.txt", "2")
        self.suite(case("a", "true", directory="data", input=["sub"], place="link", files={"sub/new.txt": "x"}))
        self.run_suite()
        self.assertEqual(self.words(), {"a": "error"})
        self.assertEqual(os.listdir(self.path("data", "sub")), ["two.txt"])

    def test_a_missing_input_is_an_error_of_its_case(self):
        self.suite(case("a", "true", input=["nothing-*.txt"]), case("b", "true"))
        self.run_suite()
        self.assertEqual(self.words(), {"a": "error", "b": "pass"})
        self.assertIn("there is no input 'nothing-*.txt'", self.results()["a"]["reason"])

    def test_commands_prepare_the_folder(self):
        self.suite(
            case(
                "a",
                ["./made"],
                prepare=[["sh", "-c", "printf '#!/bin/sh\\necho made\\n' > made"], ["chmod", "+x", "made"]],
                output="^made$",
            ),
            case("b", "true", prepare=[["sh", "-c", "echo no compiler >&2; exit 4"]]),
        )
        self.run_suite()
        self.assertEqual(self.words(), {"a": "pass", "b": "error"})
        self.assertIn("ended with 4: no compiler", self.results()["b"]["reason"])

    def test_environment_and_options_reach_the_run(self):
        self.suite(case("a", "echo $GREETING $MUST_X", environment={"GREETING": "hi"}, options=["--oversubscribe"]))
        self.run_suite("--compare", "--", "--must:sends=buffered", "-x", "MUST_X")
        self.assertEqual(self.read("out", "a", "tool-1", "stdout"), "hi\n")
        plain, tool = (run["command"] for run in self.results()["a"]["runs"])
        self.assertEqual(plain[1:6], ["--oversubscribe", "-x", "MUST_X", "-np", "2"])
        self.assertEqual(tool[4:10], ["--oversubscribe", "--must:sends=buffered", "-x", "MUST_X", "-np", "2"])

    def test_compare_runs_in_turns_and_gives_a_slowdown(self):
        log = self.path("log")
        self.suite(case("a", f"pwd | xargs dirname | xargs basename >> {log}; sleep 0.1"))
        self.assertEqual(self.run_suite("--compare", "--repeat", "3").returncode, 0)
        self.assertEqual(self.read("log").split(), ["plain-1", "tool-1", "plain-2", "tool-2", "plain-3", "tool-3"])
        slowdown = self.results()["a"]["slowdown"]
        self.assertTrue(0 < slowdown["low"] <= slowdown["ratio"] <= slowdown["high"])

    def test_results_that_differ_from_those_without_the_tool_are_a_failure(self):
        differs = "case $(pwd) in */tool-*) echo x=2;; *) echo x=1;; esac; pwd"
        self.suite(
            case("a", differs, same="^x="),
            case("b", "echo x=1; pwd", same="^x="),
            case("c", differs),
            case("d", "case $(pwd) in */plain-*) echo x=1;; esac", same="^x="),
        )
        self.run_suite("--compare")
        self.assertEqual(self.words(), {"a": "fail", "b": "pass", "c": "pass", "d": "fail"})
        self.assertEqual(self.results()["d"]["reason"], "the result differs: no line, without the tool 'x=1'")
        self.assertEqual(self.results()["a"]["reason"], "the result differs: 'x=2', without the tool 'x=1'")

    def test_a_plain_run_of_a_deadlock_may_hang(self):
        hangs = "case $(pwd) in */plain-*) exec sleep 60;; esac; exit 1"
        self.suite(case("a", hangs, time_limit=10, expect="deadlock", files=report(findings=[finding()])))
        self.assertEqual(self.run_suite("--compare").returncode, 0)
        self.assertIsNone(self.results()["a"]["slowdown"])

    def test_a_plain_run_that_crashes_is_an_error(self):
        self.suite(case("a", "case $(pwd) in */plain-*) exit 9;; esac"))
        self.run_suite("--compare")
        self.assertIn("without the tool: mpirun ended with 9", self.results()["a"]["reason"])

    def test_jobs_run_side_by_side(self):
        meet = "touch {0}; for i in $(seq 200); do test -e {1} && exit 0; sleep 0.05; done; exit 1"
        a, b = self.path("a.here"), self.path("b.here")
        self.suite(case("a", meet.format(a, b)), case("b", meet.format(b, a)))
        self.assertEqual(self.run_suite("--jobs", "2").returncode, 0)


class Selection(Folder):
    def test_only_runs_what_matches(self):
        self.suite(case("fft-a", "true"), case("fft-b", "true"), case("lu", "true"))
        self.run_suite("--only", "fft-*", "--only", "l?")
        self.assertEqual(sorted(self.words()), ["fft-a", "fft-b", "lu"])
        ended = self.run_suite("--only", "qr*")
        self.assertEqual(ended.returncode, 64)
        self.assertIn("no case of small is called qr*", ended.stderr)

    def test_list_shows_the_cases_and_why_one_is_skipped(self):
        self.suite(case("here", "true"), case("gone", ["no-such-program"], package="pkg", ranks=8, expect=["deadlock"]))
        ended = self.batch("list", "suite.toml")
        self.assertEqual(ended.returncode, 0)
        self.assertEqual(ended.stdout.splitlines()[0], "here  2 ranks    clean")
        self.assertIn("gone  8 ranks    deadlock  (skipped: no-such-program does not exist: install the Debian package pkg)", ended.stdout)
        self.assertIn("debian", self.batch("list").stdout)


class OutputFolder(Folder):
    def refused(self, *words):
        ended = self.run_suite(*words)
        self.assertEqual(ended.returncode, 64, ended.stdout)
        return ended.stderr

    def test_a_folder_that_mustbatch_did_not_make_is_refused(self):
        self.suite(case("a", "true"))
        self.write("out/thesis.txt", "my thesis")
        self.assertIn("is not empty and was not made by mustbatch", self.refused())
        self.assertIn("is not empty", self.refused("--resume"))
        self.assertEqual(os.listdir(self.path("out")), ["thesis.txt"])

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file to another user")
    def test_results_of_another_user_are_refused(self):
        """Whoever made them could have named any folder as one that may be removed."""
        self.suite(case("a", "true"))
        for name in (".mustbatch", "state.json"):
            self.assertEqual(self.run_suite().returncode, 0)
            os.chown(self.path("out", name), 65534, 65534)
            self.assertIn("has the results of another user", self.refused())
            os.chown(self.path("out", name), os.geteuid(), os.getegid())

    def test_an_empty_folder_is_used(self):
        self.suite(case("a", "true"))
        os.mkdir(self.path("out"))
        self.assertEqual(self.run_suite().returncode, 0)

    def test_a_folder_with_the_name_of_a_case_that_mustbatch_did_not_make_stays(self):
        self.suite(case("a", "true"))
        self.run_suite()
        self.write("out/b/mine.txt", "mine")
        self.suite(case("b", "true"))
        self.assertIn("has a 'b' that mustbatch did not make", self.refused())
        self.assertEqual(self.read("out", "b", "mine.txt"), "mine")

    def test_nothing_has_run_when_a_later_case_has_no_place(self):
        self.suite(case("a", "true"))
        self.run_suite()
        self.write("out/b/mine.txt", "mine")
        self.suite(case("c", f"touch {self.path('ran')}"), case("b", "true"))
        self.refused()
        self.assertFalse(os.path.exists(self.path("ran")))

    def test_results_that_cannot_be_written_are_said_in_one_sentence(self):
        self.suite(case("a", "true"), case("b", f"mkdir {self.path('out', 'summary.json')}"))
        ended = self.run_suite()
        self.assertEqual(ended.returncode, 70)
        self.assertRegex(ended.stderr, r"^mustbatch: .*summary.json.*\n$")

    def test_an_earlier_summary_does_not_stay_where_none_can_be_written(self):
        self.suite(case("a", "true"))
        self.assertEqual(self.run_suite().returncode, 0)
        self.assertTrue(os.path.exists(self.path("out", "summary.html")))
        self.suite(case("a", "true"), case("b", f"mkdir {self.path('out', 'summary.json')}"))
        self.assertEqual(self.run_suite().returncode, 70)
        self.assertFalse(os.path.exists(self.path("out", "summary.html")))
        self.assertFalse(os.path.exists(self.path("out", "summary.xml")))

    def test_an_earlier_run_is_replaced_case_by_case_and_other_files_stay(self):
        self.suite(case("a", "touch $(date +%s%N)"))
        self.run_suite()
        before = os.listdir(self.path("out", "a", "tool-1", "work"))
        self.write("out/notes.txt", "mine")
        self.run_suite()
        self.assertNotEqual(os.listdir(self.path("out", "a", "tool-1", "work")), before)
        self.assertEqual(self.read("out", "notes.txt"), "mine")

    def test_the_results_of_another_suite_are_not_mixed_in(self):
        self.suite(case("a", "true"))
        self.run_suite()
        self.suite(case("a", "true"), head='name = "other"\n')
        self.assertIn("has the results of the suite 'small'", self.refused())

    def test_a_file_in_the_way_is_refused(self):
        self.suite(case("a", "true"))
        self.write("out", "a file")
        self.assertIn("cannot be used", self.refused())

    def test_two_at_a_time_do_not_share_a_folder(self):
        self.suite(case("a", "true"))
        self.run_suite()
        with open(self.path("out", ".mustbatch"), "r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("in use by another mustbatch", self.refused())

    def test_a_state_that_cannot_be_read_is_refused(self):
        self.suite(case("a", "true"))
        self.run_suite()
        self.write("out/state.json", "{")
        self.assertIn("state.json that cannot be read", self.refused())


class Terminal(Folder):
    def test_a_terminal_gets_a_bar_and_a_pipe_plain_lines(self):
        self.suite(case("a", "sleep 0.7"), case("b", "false"))
        self.assertNotIn("\033", self.run_suite().stdout)
        ours, theirs = pty.openpty()
        started = subprocess.Popen(self.command(*self.run_words()), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
        os.close(theirs)
        text = self.drain(ours)
        self.assertEqual(started.wait(), 1)
        self.assertIn("[........................] 0/2  a tool-1 0 s", text)
        self.assertIn("[############............] 1/2", text)
        self.assertIn("2/2, 1 not as expected", text)

    def drain(self, fd):
        text = b""
        end = time.monotonic() + support.LIMIT
        while time.monotonic() < end:
            try:
                data = os.read(fd, 4096)
            except OSError:
                break
            if not data:
                break
            text += data
        os.close(fd)
        return text.decode()


if __name__ == "__main__":
    unittest.main()
