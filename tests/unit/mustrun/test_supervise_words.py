# SPDX-License-Identifier: BSD-3-Clause
"""Arguments, options, and what the tool is told of them."""
import os
import re
import subprocess
import sys

from supervise import LIMIT, Case, main


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
            out.write("my notes")
        run = self.run_it("-np", "1", "echo", "started")
        self.assertEqual((run.returncode, run.stdout), (64, b""))
        self.assertIn(b"MUST_Output.html", run.stderr)
        with open(self.path("work", "MUST_Output.html")) as notes:
            self.assertEqual(notes.read(), "my notes")
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
                      ["--must:output-dir"], ["--must:on", "deadlock=cry"], ["--must:quiet=1"]):
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

    def test_colours_come_when_they_are_wanted(self):
        plain = self.run_it("-np", "1", "true", FAKE_TOOL="order-error").stderr  # no terminal
        self.assertNotIn(b"\033[", plain)
        colored = self.run_it("--must:color", "always", "-np", "1", "true", FAKE_TOOL="order-error", NO_COLOR="1").stderr
        self.assertIn(b"\033[1;31merror:\033[0m", colored)
        self.assertNotIn(b"\033[", self.run_it("-np", "1", "true", FAKE_TOOL="order-error", MUST_COLOR="never").stderr)

    def test_the_report_says_how_the_run_was_started(self):
        words = ["--must:errorcode", "7", "-np", "1", "sh", "-c", "exit 3"]
        code = self.run_it(*words).returncode
        run = self.report()["run"]
        self.assertEqual((run["exit_code"], run["launcher"]), (code, self.fake_mpirun))
        self.assertEqual(run["command"], self.command(*words))
        self.assertEqual(run["folder"], os.path.realpath(self.path("work")))
        self.assertRegex(run["started"], r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}$")
        self.assertTrue(run["host"])

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
        self.assertIn(f"arguments --processes=1 {' '.join(words)}\n", log)
        self.assertIn("LD_PRELOAD=None\n", log)
        self.assertRegex(log, r"session [0-9]+-[a-z0-9]{12} token 32\n")
        info = self.run_it("--must:info", "-np", "1", "true")
        self.assertEqual(info.returncode, 0)
        self.assertIn(b"must-tool", info.stdout)
        self.assertNotIn(b"ORKNOT_TOKEN=", info.stdout)

    def test_info_reads_the_suppressions(self):
        with open(self.path("work", "known"), "w") as file:
            file.write("deadlock:potential\n")
        info = self.run_it("--must:info", "--must:suppress", "known", "-np", "1", "true")
        self.assertEqual(info.returncode, 0, info.stderr)
        self.assertIn(b"suppressions: known\n", info.stdout)
        for name, text in (("wrong", "no-such-finding\n"), ("missing", None)):
            if text is not None:
                with open(self.path("work", name), "w") as file:
                    file.write(text)
            run = self.run_it("--must:suppress", name, "-np", "1", "true")
            info = self.run_it("--must:info", "--must:suppress", name, "-np", "1", "true")
            self.assertEqual((info.returncode, info.stdout, info.stderr), (64, b"", run.stderr))
            self.assertEqual(run.returncode, 64)

    def test_info_shows_an_exploration_and_writes_nothing(self):
        def shown(*words):
            info = self.run_it("--must:info", "--must:explore", *words, "-np", "1", "true")
            self.assertEqual((info.returncode, os.listdir(self.path("work"))), (0, []), info.stderr)
            return re.search(rb"^exploration: (.*)$", info.stdout, re.M).group(1).decode()
        self.assertEqual(shown(), "./MUST_Exploration, at most 1000 runs of the application's job, 1 at a time")
        self.assertEqual(
            shown("--must:explore-bounds=runs=0", "--must:explore-jobs=4", "--must:explore-bounds=time=60,mixing=2",
                  "--must:explore-bounds", "symmetric=1-3", "--must:explore-resume", "--must:output-dir=out"),
            "out/MUST_Exploration, which goes on, any number of runs of the application's job, 4 at a time, "
            "none is started after 60 s, mixing 2, symmetric ranks 1-3")
        self.assertNotIn(b"exploration", self.run_it("--must:info", "-np", "1", "true").stdout)


if __name__ == "__main__":
    main()
