# SPDX-License-Identifier: BSD-3-Clause
import os
import tempfile
import unittest

from mustbatch import errors, lines, suite

CASE = '[[case]]\nname = "a"\nranks = 2\ncommand = ["x"]\n'


class Reading(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return suite.read(path)

    def refusal(self, text):
        with self.assertRaises(errors.Refused) as caught:
            self.read(text)
        where, _, sentence = str(caught.exception).partition("s.toml:")
        self.assertTrue(os.path.isabs(where))
        line, _, sentence = sentence.partition(": ")
        return int(line), sentence

    def test_a_case_has_what_the_file_says_and_defaults_for_the_rest(self):
        (case,) = self.read(CASE + 'time-limit = 2.5\nexpect = ["request-leak"]\n').cases
        self.assertEqual((case.name, case.ranks, case.command), ("a", 2, ["x"]))
        self.assertEqual((case.time_limit, case.expect, case.repeat, case.place), (2.5, ["request-leak"], 1, "copy"))

    def test_defaults_count_for_every_case_and_tables_are_joined(self):
        text = (
            '[defaults]\nranks = 3\nenvironment = { A = "1", B = "1" }\n'
            '[[case]]\nname = "a"\ncommand = ["x"]\nenvironment = { B = "2" }\n'
        )
        (case,) = self.read(text).cases
        self.assertEqual((case.ranks, case.environment), (3, {"A": "1", "B": "2"}))

    def test_a_list_of_ranks_makes_a_case_for_each(self):
        cases = self.read(CASE.replace("ranks = 2", "ranks = [2, 8]")).cases
        self.assertEqual([(case.name, case.ranks) for case in cases], [("a.2", 2), ("a.8", 8)])

    def test_broken_syntax_is_refused_with_its_line(self):
        self.assertEqual(self.refusal('name = "s"\n[[case]\nname = 1\n')[0], 2)
        self.assertEqual(self.refusal('name = "s"\nx = "open\n')[0], 2)
        line, sentence = self.refusal(CASE + CASE.replace("ranks = 2", "ranks = 2 2"))
        self.assertEqual(line, 7)
        self.assertNotIn("at line", sentence)

    def test_a_wrong_value_is_refused_with_the_line_of_its_key(self):
        wrong = {
            "ranks = 0": "'ranks' must be a whole number",
            "ranks = true": "'ranks' must be a whole number",
            "ranks = [2, 2]": "'ranks' must be a whole number",
            "time-limit = -1": "'time-limit' must be",
            "time-limit = true": "'time-limit' must be",
            'expect = "fine"': "'fine' is not one of clean, findings, deadlock, any",
            "expect = []": "the list of findings is empty",
            "command = []": "'command' must be a list that starts with the program",
            'command = "x"': "'command' must be a list of strings",
            'input = ["../secret"]': "must be a path inside the case's folder",
            'input = ["/etc/passwd"]': "must be a path inside the case's folder",
            'files = { "../x" = "" }': "must be a path inside the case's folder",
            'stdin = "/dev/null"': "must be a path inside the case's folder",
            'place = "move"': 'must be "copy" or "link"',
            'output = "("': "is not a regular expression",
            "exit-code = 256": "'exit-code' must be",
            "repeat = 0": "'repeat' must be",
            "environment = { A = 1 }": "must be a table of strings",
            'comand = ["x"]': "unknown key 'comand'",
        }
        for row, expected in wrong.items():
            with self.subTest(row):
                key = row.split(" ")[0]
                rest = "".join(line for line in CASE.splitlines(True) if not line.startswith(key + " "))
                line, sentence = self.refusal(CASE.replace('"a"', '"first"') + "# a comment\n\n" + rest + row + "\n")
                self.assertEqual(line, 7 + rest.count("\n"))
                self.assertIn(expected, sentence)
                self.assertIn("case 'a'", sentence)

    def test_missing_keys_name_the_line_of_the_case(self):
        line, sentence = self.refusal(CASE + '\n[[case]]\nranks = 2\ncommand = ["x"]\n')
        self.assertEqual((line, sentence), (6, "'name' is missing"))
        self.assertEqual(self.refusal('name = "s"\n')[1], "there is no [[case]]")

    def test_unknown_keys_outside_of_cases_are_refused(self):
        self.assertEqual(self.refusal('nome = "s"\n' + CASE), (1, "unknown key 'nome'"))
        self.assertEqual(self.refusal(CASE + "[defalts]\nranks = 2\n"), (5, "unknown key 'defalts'"))
        self.assertEqual(self.refusal('[defaults]\nname = "x"\n' + CASE)[0], 2)

    def test_names_that_are_no_folder_names_are_refused(self):
        for name in ("..", "a/b", "", "-x", "a b", "x" * 101):
            with self.subTest(name):
                line, sentence = self.refusal(CASE.replace('"a"', f'"{name}"'))
                self.assertEqual(line, 2)
                self.assertIn("must consist of", sentence)
        self.assertEqual(
            self.refusal(CASE.replace('"a"', '"state.json"')), (2, "case 'state.json': 'name': 'state.json' is a file of the results")
        )

    def test_two_cases_of_one_name_are_refused(self):
        self.assertEqual(self.refusal(CASE + CASE), (6, "there are two cases 'a'"))
        self.assertEqual(self.refusal(CASE.replace("= 2", "= [2, 3]") + CASE.replace('"a"', '"a.3"')), (6, "there are two cases 'a.3'"))

    def test_what_is_no_text_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s.toml")
            with open(path, "wb") as file:
                file.write(b"\xff\xfe\0")
            for name in (path, folder, path + ".not"):
                with self.subTest(name), self.assertRaises(errors.Refused):
                    suite.read(name)

    def test_a_case_that_changes_has_another_fingerprint(self):
        (a,), (b,) = self.read(CASE).cases, self.read(CASE + 'output = "x"\n').cases
        self.assertNotEqual(a.fingerprint({}), b.fingerprint({}))
        self.assertNotEqual(a.fingerprint({"compare": True}), a.fingerprint({"compare": False}))


class Lines(unittest.TestCase):
    TEXT = '''name = "s" # line 1
[[case]]
name = "a"
files."x" = """
ranks = "not this"
[[case]]
"""
ranks = 2
[case.environment]
A = '[[case]]'
[[case]]
"name" = \'\'\'b
ranks = 1\'\'\'
'''

    def test_text_in_strings_and_comments_is_no_key(self):
        found = lines.Lines(self.TEXT)
        self.assertEqual(found.line("case", 0, "name"), 3)
        self.assertEqual(found.line("case", 0, "files"), 4)
        self.assertEqual(found.line("case", 0, "ranks"), 8)
        self.assertEqual(found.line("case", 0, "environment"), 9)
        self.assertEqual(found.line("case", 1, "name"), 12)
        self.assertEqual(found.line("case", 1, "ranks"), 11)  # not there: that of the case
        self.assertEqual(found.line("case", 7, "name"), 1)


class Installed(unittest.TestCase):
    def test_the_suites_that_are_installed_can_be_read_and_name_their_packages(self):
        known = suite.installed(os.path.join(os.environ["BATCH_SOURCE"], "mustbatch", "suites"))
        self.assertIn("debian", known)
        for path in known.values():
            found = suite.read(path)
            self.assertTrue(found.description)
            for case in found.cases:
                with self.subTest(case.name):
                    self.assertTrue(case.package)


class Documented(unittest.TestCase):
    def test_every_key_of_a_case_is_in_the_reference(self):
        with open(os.path.join(os.environ["BATCH_SOURCE"], "docs", "reference", "mustbatch.md"), encoding="utf-8") as file:
            page = file.read()
        for key in suite.KEYS:
            self.assertIn(f"| `{key}` |", page)


if __name__ == "__main__":
    unittest.main()
