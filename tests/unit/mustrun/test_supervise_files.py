# SPDX-License-Identifier: BSD-3-Clause
"""Files that cannot be written, and the recorded order of a run."""
import os
import resource
import subprocess
import time

from supervise import LIMIT, Case, main


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

    def test_a_report_that_grows_is_not_written_for_each_finding_but_it_is_written_while_the_run_goes_on(self):
        begin = time.monotonic()
        run = self.run_it("--must:verbose", "-np", "1", "sh", "-c",
                          "until grep -q 'argument 149' MUST_Output.json; do sleep 0.1; done 2>/dev/null; echo seen", FAKE_TOOL="many")
        seconds = time.monotonic() - begin
        self.assertEqual((run.returncode, run.stdout), (0, b"seen\n"), run.stderr)
        self.assertEqual(len(self.report()["findings"]), 150)
        for i in range(150):
            self.assertIn(b"warning: invalid-argument: argument %d\n" % i, run.stderr)
        self.assertLessEqual(run.stderr.count(b"the report was written in"), seconds + 2)

    def test_findings_beyond_a_limit_are_counted_and_those_at_the_same_calls_too(self):
        run = self.run_it("-np", "1", "true", FAKE_TOOL="full")
        self.assertEqual(run.returncode, 66, run.stderr)  # the errors are not listed
        report = self.report()
        by_kind = {}
        for f in report["findings"]:
            by_kind.setdefault(f["id"], []).append(f)
        self.assertEqual({kind: len(of) for kind, of in by_kind.items()}, {"type-mismatch": 10, "invalid-argument": 200, "request-leak": 1})
        self.assertEqual([f.get("repeats") for f in by_kind["type-mismatch"]], [4, None, None, 3] + [None] * 6)
        self.assertEqual(report["unlisted"],
                         [{"id": "invalid-argument", "class": None, "errors": 2, "warnings": 3, "notes": 0}])
        for i in range(205):
            self.assertIn(b": invalid-argument: argument %d\n" % i, run.stderr)
        self.assertIn(b"type-mismatch: rank 9 sends", run.stderr)
        self.assertNotIn(b"type-mismatch: rank 10 sends", run.stderr)
        self.assertEqual(run.stderr.count(b"rank 3 sends"), 1)
        self.assertIn(b"orknot: note: 7 findings more at the same calls as earlier ones", run.stderr)
        self.assertIn(b"200 findings of a kind: 5 more of kind invalid-argument were printed", run.stderr)
        self.assertIn(b"orknot: 216 findings (2 errors)", run.stderr)
        with open(self.path("work", "MUST_Output.html")) as page:
            text = page.read()
        for words in ("<title>216 findings", "5 more of kind invalid-argument", "Found 4 more times at the same calls."):
            self.assertIn(words, text)

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
        with open(self.path("work", "notes"), "w") as out:
            out.write("my notes")
        for path, reason in (("no/such/t", "No such file or directory"), ("folder", "Is a directory"), ("notes/t", "Not a directory"),
                             ("notes", "it exists and is not a trace of orknot")):
            run = self.run_it("--must:trace", path, "-np", "1", "echo", "started")
            self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (64, b"", 1), run.stderr)
            self.assertIn(f"{path}: {reason}".encode(), run.stderr)
        self.assertEqual((self.listed(), self.log()), (["folder", "notes"], ""))

    def test_nothing_is_written_through_what_a_neighbour_has_put_there(self):
        """Each file that the user names: a link to a file that could be replaced, a dangling one, a FIFO."""
        beginnings = {"trace": "ORKTRACE", "record": "ORKORDER", "timestamps": "ORKSTAMPS 1\n", "print-suppressions": "# known\n"}
        for option, text in beginnings.items():
            with open(self.path("victim"), "w") as out:
                out.write(text)
            for what, reason in (("link", "symbolic link"), ("dangling", "symbolic link"), ("fifo", "no regular file")):
                path = self.path("work", what)
                if what == "fifo":
                    os.mkfifo(path)
                else:
                    os.symlink(self.path("victim" if what == "link" else "nowhere"), path)
                with self.subTest(option, neighbour=what):
                    run = self.run_it(f"--must:{option}", path, "-np", "1", "echo", "started")
                    self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (64, b"", 1), run.stderr)
                    self.assertIn(f"{path}: it is {'a ' * (what != 'fifo')}{reason}".encode(), run.stderr)
                    with open(self.path("victim")) as victim:
                        self.assertEqual(victim.read(), text)
                    self.assertFalse(os.path.exists(self.path("nowhere")))
                os.unlink(path)

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
        run = self.run_it("--must:on", "deadlock=continue", "-np", "1", "sh", "-c", "sleep 1; echo done", FAKE_TOOL="order-fatal")
        self.assertEqual((run.returncode, run.stdout), (66, b"done\n"))
        run = self.run_it("-np", "1", "sh", "-c", "sleep 30; echo done", FAKE_TOOL="order-fatal", MUST_ON="divergence=abort")
        self.assertEqual((run.returncode, run.stdout), (66, b""))
        self.assertEqual(self.report()["application"]["ended_by"], "tool")

    def test_an_order_that_cannot_be_written_or_replayed_is_one_sentence_and_nothing_is_started(self):
        os.mkdir(self.path("work", "folder"))
        with open(self.path("work", "notes"), "w") as out:
            out.write("my notes")
        for option, path, code, reason in (("record", "no/such/o", 64, "No such file or directory"),
                                           ("record", "folder", 64, "Is a directory"),
                                           ("record", "notes", 64, "it exists and is not an order file of orknot"),
                                           ("replay", "none", 64, "No such file or directory"),
                                           ("replay", "folder", 64, "Is a directory"),
                                           ("replay", "notes", 65, "it is not an order file")):
            run = self.run_it("--must:" + option, path, "-np", "1", "echo", "started")
            self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (code, b"", 1), run.stderr)
            self.assertIn(f"{path}: {reason}".encode(), run.stderr)
        os.rename(self.path("work", "notes"), self.path("work", "MUST_Order"))
        run = self.run_it("-np", "1", "echo", "started")
        self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (64, b"", 1), run.stderr)
        self.assertEqual((self.listed(), self.log()), (["MUST_Order", "folder"], ""))

    def test_words_for_standard_output_that_is_full_are_not_lost_silently(self):
        with open("/dev/full", "wb") as full:
            for words in (["--must:help"], ["--must:version"], ["--must:info", "-np", "1", "true"]):
                run = subprocess.run(self.command(*words), stdout=full, stderr=subprocess.PIPE, timeout=LIMIT, env=self.environment)
                self.assertEqual((run.returncode, run.stderr), (70, b"mustrun: cannot write standard output: No space left on device\n"))


if __name__ == "__main__":
    main()
