# SPDX-License-Identifier: BSD-3-Clause
"""The man page of mustrun has every option that --must:help shows, in the same words; both pages format without a warning."""
import re
import shutil
import subprocess
import sys
import unittest

MUSTRUN, MUSTRUN_PAGE, MUSTVIEW_PAGE = sys.argv[1:4]
ENTRY = r"^  (--must:\S+)( \S+)?\n      (.*?)( \(default: (.*)\))?( \[(\w+)\])?$"


KEY = r"^      (\S+=\S+)\n          (.*?)( \(default: (.*)\))?( \[old name, until 0.2: (\S+)\])?$"


def words(page):
    with open(page) as file:
        text = file.read()
    return re.sub(r"\s+", " ", re.sub(r"\\f[BIR]|^\.\w+ ?", "", text, flags=re.M).replace("\\-", "-").replace("\\e", "\\"))


class Pages(unittest.TestCase):
    def test_every_option_of_the_help_is_in_the_page(self):
        text = subprocess.run([MUSTRUN, "--must:help", "all"], capture_output=True, text=True, check=True).stdout
        page = words(MUSTRUN_PAGE)
        entries = re.findall(ENTRY, text, re.M)
        self.assertEqual(len(entries), text.count("\n  --must:"))
        self.assertGreater(len(entries), 10)
        for option, argument, sentence, _, default, _, environment in entries:
            with self.subTest(option=option):
                expected = "%s%s %s" % (option, argument, sentence)
                expected += " (default: %s)" % default if default else ""
                expected += " [%s]" % environment if environment else ""
                self.assertIn(expected, page)

    def test_every_key_of_an_option_is_in_the_page(self):
        text = subprocess.run([MUSTRUN, "--must:help", "all"], capture_output=True, text=True, check=True).stdout
        page = words(MUSTRUN_PAGE)
        entries = re.findall(KEY, text, re.M)
        self.assertGreater(len(entries), 10)
        for key, sentence, _, default, _, old in entries:
            with self.subTest(key=key):
                self.assertIn("%s %s%s" % (key, sentence, " (default: %s)" % default if default else ""), page)
                self.assertIn("[old name, until 0.2: %s]" % old if old else "[old name, until 0.2: ", page)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_both_pages_format_without_a_warning(self):
        for page in (MUSTRUN_PAGE, MUSTVIEW_PAGE):
            run = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stderr), (0, ""))


unittest.main(argv=sys.argv[:1])
