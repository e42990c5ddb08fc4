# SPDX-License-Identifier: BSD-3-Clause
import os
import re

import support
from mustbatch import options


class Options(support.Folder):
    def refused(self, *words):
        ended = self.batch(*words)
        self.assertEqual(ended.returncode, 64, ended.stderr)
        self.assertEqual(ended.stderr.count("\n"), 1)
        return ended.stderr

    def test_help_of_each_command_names_its_options_and_no_other(self):
        for command in options.COMMANDS:
            ended = self.batch(command.name, "--help")
            self.assertEqual(ended.returncode, 0)
            shown = set(re.findall(r"^  (?:-\w, )?--([\w-]+)", ended.stdout, re.M))
            self.assertEqual(shown, {option.name for option in options.options_of(command.name)})

    def test_the_man_page_has_every_command_and_option(self):
        with open(os.path.join(os.environ["BATCH_BUILD"], "mustbatch", "mustbatch.1"), encoding="utf-8") as file:
            page = file.read().replace("\\-", "-").replace("\\fR", "").replace("\\fB", "")
        self.assertNotIn("@", page.replace("@, -", ""))
        for command in options.COMMANDS:
            self.assertIn(f"\nmustbatch {command.name}", page)
        for option in options.OPTIONS:
            self.assertIn(f"\n--{option.name}", page)
            self.assertIn(option.sentence, page)

    def test_wrong_command_lines_are_refused_in_one_sentence(self):
        self.assertIn("invalid choice: 'walk'", self.refused("walk"))
        self.assertIn("required", self.refused())
        self.assertIn("'many' is not a valid N", self.refused("run", "x.toml", "--jobs", "many"))
        self.assertIn("'0' is not a valid N", self.refused("run", "x.toml", "--repeat", "0"))
        self.assertIn("'nan' is not a valid S", self.refused("run", "x.toml", "--time-limit", "nan"))
        self.assertIn("--comp", self.refused("run", "x.toml", "--comp"))
        self.assertIn("takes no words after --", self.refused("collect", ".", "--", "-x"))
        self.assertIn("x.toml: cannot be read", self.refused("run", "x.toml", "--mustrun", support.STANDIN))

    def test_the_version_is_shown(self):
        self.assertRegex(self.batch("--version").stdout, r"^mustbatch \d+\.\d+")


if __name__ == "__main__":
    import unittest

    unittest.main()
