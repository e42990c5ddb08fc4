#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Explorations that cannot be made or continued: one sentence that names the cause, and the documented exit code.

usage: test_files.py <mustrun> <folder of the programs> [test]
"""
import os
import shutil
import sys
import unittest

import exploring

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:3])
USAGE, DATA = 64, 65


def lab(name):
    source = os.path.join(HERE, "programs", f"{name}.c")
    return exploring.Lab(MUSTRUN, exploring.Program(source, os.path.join(PROGRAMS, f"explore_{name}")))


class Refused(unittest.TestCase):
    def refused(self, exploration, code, *words):
        self.assertEqual(exploration.exit_code, code, exploration.stderr)
        lines = [line for line in exploration.stderr.splitlines() if line]
        self.assertLessEqual(len(lines), 2, exploration.stderr)  # the sentence, and perhaps "try --must:help"
        for word in words:
            self.assertIn(word, lines[0])
        self.assertEqual(exploration.leftovers, [])

    def setUp(self):
        self.lab = lab("crash").__enter__()
        self.addCleanup(self.lab.__exit__)


class Options(Refused):
    def test_those_that_it_sets_itself(self):
        for option in (("record", "x"), ("replay", "x"), ("repeat", 3), "deterministic", ("noise", 1)):
            name = option if isinstance(option, str) else option[0]
            self.refused(self.lab.explore(option), USAGE, f"--must:{name}")

    def test_values(self):
        for name, value in (
            ("explore-bounds", "runs=many"),
            ("explore-bounds", "runs=-1"),
            ("explore-bounds", "time=soon"),
            ("explore-bounds", "mixing=1.5"),
            ("explore-bounds", "loop="),
            ("explore-bounds", "quota=-3"),
            ("explore-bounds", "sample=seed"),
            ("explore-jobs", "0"),
            ("explore-bounds", "symmetric=2-1"),
            ("explore-bounds", "symmetric=1,,2"),
            ("ignore-output", "("),
        ):
            with self.subTest(name, value=value):
                self.refused(self.lab.explore((name, value)), USAGE, name)

    def test_a_rank_that_is_not_there(self):
        self.refused(self.lab.explore(("explore-bounds", "symmetric=1-9")), USAGE, "--must:explore-bounds symmetric")

    def test_one_file_for_several_runs(self):
        self.refused(self.lab.explore(("compare", "result.txt"), ("explore-jobs", 2)), USAGE, "--must:compare")


class Folders(Refused):
    @classmethod
    def setUpClass(cls):
        cls.first = lab("crash").__enter__()
        cls.addClassCleanup(cls.first.__exit__)
        cls.exploration = cls.first.explore()

    def explored(self):
        """A copy of one exploration that has been made."""
        self.assertEqual(self.exploration.exit_code, 66, self.exploration.stderr)
        folder = shutil.copytree(self.exploration.folder, self.lab.path("explored"))
        return folder, os.path.join(folder, "MUST_Exploration", "exploration.db")

    def resume(self, folder, *options, words=()):
        return self.lab.explore("explore-resume", *options, folder=folder, words=words)

    def test_no_exploration_is_there(self):
        self.refused(self.resume(self.lab.path("nothing")), USAGE, "cannot continue the exploration", "there is no exploration")

    def test_it_is_of_another_program(self):
        folder, _ = self.explored()
        self.refused(self.resume(folder, words=["other"]), DATA, "another program")

    def test_it_has_other_bounds(self):
        folder, _ = self.explored()
        self.refused(self.resume(folder, ("explore-bounds", "loop=3")), DATA, "other bounds")

    def test_it_is_damaged(self):
        folder, path = self.explored()
        with open(path, "rb") as file:
            good = file.read()
        for what, bytes_ in (
            ("no database", b"x" * 5000),
            ("cut off", good[: len(good) // 2]),
            ("overwritten", good[:4096] + b"\xff" * (len(good) - 4096)),
        ):
            with self.subTest(what):
                for name in os.listdir(os.path.dirname(path)):
                    if name.startswith("exploration.db-"):
                        os.unlink(os.path.join(os.path.dirname(path), name))
                with open(path, "wb") as file:
                    file.write(bytes_)
                self.refused(self.resume(folder), DATA, "cannot continue the exploration")

    def test_a_new_exploration_replaces_an_old_one(self):
        folder, _ = self.explored()
        again = self.lab.explore(folder=folder, words=["other"])
        self.assertEqual((again.exit_code, again.result["orders"]), (66, 2), again.stderr)

    def outcomes(self, folder):
        """What an exploration has found, as far as it is still there."""
        below = os.path.join(folder, "MUST_Exploration")
        return sorted(name for name in os.listdir(below) if name.startswith("run-"))

    def test_a_command_that_cannot_be_explored_leaves_an_earlier_one(self):
        """Whatever is wrong with it, and whether mustrun or the first run finds that."""
        folder, _ = self.explored()
        kept = self.outcomes(folder)
        words = self.lab.program.words
        for options, program in (
            ([("explore-bounds", "symmetric=1-9")], words),
            ([("ignore-output", "(")], words),
            ([("suppress", "no-such-file")], words),
            ([], ["./no-such-program"]),
        ):
            with self.subTest(options=options, program=program):
                self.lab.program.words = program
                self.assertNotIn(self.lab.explore("explore-replace", *options, folder=folder).exit_code, (0, 66))
                self.lab.program.words = words
                self.assertEqual(self.outcomes(folder), kept)
                again = self.resume(folder)
                self.assertEqual((again.exit_code, again.result["orders"]), (66, 2), again.stderr)

    def test_an_unfinished_one_is_only_replaced_if_the_user_says_so(self):
        folder = self.lab.explore(("explore-bounds", "runs=1")).folder
        kept = self.outcomes(folder)
        self.refused(self.lab.explore(folder=folder), USAGE, "it is unfinished", "--must:explore-resume", "--must:explore-replace")
        self.refused(self.lab.explore(folder=folder, words=["other"]), USAGE, "it is unfinished")
        self.assertEqual(self.outcomes(folder), kept)
        again = self.resume(folder)
        self.assertEqual((again.exit_code, again.result["orders"]), (66, 2), again.stderr)
        self.lab.explore(("explore-bounds", "runs=1"), folder=folder)  # that one was finished, this one is not
        other = self.lab.explore("explore-replace", folder=folder, words=["other"])
        self.assertEqual((other.exit_code, other.result["orders"]), (66, 2), other.stderr)

    def test_folders_of_the_user_are_no_outcomes(self):
        folder = self.lab.path("mine")
        os.makedirs(os.path.join(folder, "MUST_Exploration", "run-1"))
        self.refused(self.lab.explore(folder=folder), USAGE, "it has folders named run-N, and no exploration")
        self.assertEqual(self.outcomes(folder), ["run-1"])

    def test_somebody_elses_database_is_left_alone(self):
        folder = self.lab.path("mine")
        os.makedirs(os.path.join(folder, "MUST_Exploration"))
        path = os.path.join(folder, "MUST_Exploration", "exploration.db")
        with open(path, "wb") as file:
            file.write(b"my notes" * 100)
        self.refused(self.lab.explore(folder=folder), USAGE, "MUST_Exploration")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), b"my notes" * 100)

    def test_somebody_elses_report_is_left_alone(self):
        folder = self.lab.path("mine")
        os.mkdir(folder)
        path = os.path.join(folder, "MUST_Output.json")
        with open(path, "wb") as file:
            file.write(b"my notes")
        exploration = self.lab.explore(folder=folder)
        self.assertEqual(exploration.exit_code, USAGE, exploration.stderr)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), b"my notes")

    def test_the_folder_cannot_be_written(self):
        path = self.lab.path("file")
        with open(path, "wb"):
            pass
        self.refused(self.lab.explore(folder=path), USAGE, path)


class Neighbours(Refused):
    """Somebody else has put something under a name that an exploration uses."""

    def setUp(self):
        super().setUp()
        self.folder = self.lab.path("shared")
        self.home = self.lab.path("home")
        self.victims = ["input", "run-1/thesis", "work-1/thesis"]
        for name in self.victims:
            path = os.path.join(self.home, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write("of the victim")

    def below(self, *names):
        return os.path.join(self.folder, "MUST_Exploration", *names)

    def with_input(self):
        return exploring.parse_expected("input words", "1 order")

    def check_home(self):
        for name in self.victims:
            with open(os.path.join(self.home, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), "of the victim")
        self.assertEqual(sorted(os.listdir(self.home)), ["input", "run-1", "work-1"])

    def test_the_folder_is_a_link(self):
        os.mkdir(self.folder)
        os.symlink(self.home, self.below())
        self.refused(self.lab.explore(folder=self.folder, expected=self.with_input()), USAGE, "MUST_Exploration: it is a symbolic link")
        self.check_home()

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a folder to another user")
    def test_the_folder_is_of_another_user(self):
        os.makedirs(self.below())
        os.chown(self.below(), 65534, 65534)
        self.refused(self.lab.explore(folder=self.folder), USAGE, "MUST_Exploration: it belongs to another user")
        self.assertEqual(os.listdir(self.below()), [])

    def test_files_and_folders_are_links(self):
        os.makedirs(self.below())
        for name in ("input", "work-1", "work-2"):
            os.symlink(os.path.join(self.home, name.replace("-2", "-1")), self.below(name))
        exploration = self.lab.explore(folder=self.folder, expected=self.with_input())
        self.assertEqual(exploration.exit_code, 66, exploration.stderr)
        self.check_home()
        self.assertNotIn("input", os.listdir(self.below()))

    def test_the_database_is_a_link(self):
        os.makedirs(self.below())
        for name in ("exploration.db", "exploration.db-wal", "exploration.db-journal"):
            os.symlink(os.path.join(self.home, "input"), self.below(name))
            self.refused(self.lab.explore(folder=self.folder), USAGE, f"{name}: it is a symbolic link")
            os.unlink(self.below(name))
        self.check_home()

    def test_an_outcome_of_an_earlier_exploration_is_a_link(self):
        self.lab.explore(folder=self.folder)
        name = next(name for name in os.listdir(self.below()) if name.startswith("run-"))
        os.rename(self.below(name), self.below("other"))
        os.symlink(os.path.join(self.home, "run-1"), self.below(name))
        exploration = self.lab.explore(folder=self.folder)
        self.assertEqual(exploration.exit_code, 66, exploration.stderr)
        self.check_home()


class Programs(Refused):
    def test_there_is_no_such_program(self):
        self.lab.program.words = ["./no-such-program"]
        ordinary = self.lab.run()  # the exit code is mpirun's
        exploration = self.lab.explore()
        self.assertEqual(exploration.exit_code, ordinary.exit_code, exploration.stderr)
        self.assertIn("no-such-program", exploration.stderr)

    def test_the_program_changed_its_number_of_ranks(self):
        folder = self.lab.explore().folder
        self.lab.program.ranks = 4
        self.refused(self.lab.explore("explore-resume", folder=folder), DATA, "another program")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
