# SPDX-License-Identifier: BSD-3-Clause
import unittest

from mustbatch import expectation

MANIFEST = {"id": "deadlock", "class": "manifest", "severity": "error"}
POTENTIAL = {"id": "deadlock", "class": "potential", "severity": "error"}
LEAK = {"id": "request-leak", "class": None, "severity": "warning"}
STATE = {"id": "state", "class": None, "severity": "note"}


class Expectation(unittest.TestCase):
    def fits(self, value, *findings):
        return not expectation.unexpected(value, findings) and not expectation.missing(value, findings)

    def test_clean_allows_notes_only(self):
        self.assertTrue(self.fits("clean"))
        self.assertTrue(self.fits("clean", STATE))
        self.assertFalse(self.fits("clean", LEAK))

    def test_findings_needs_a_warning_or_an_error(self):
        self.assertTrue(self.fits("findings", LEAK))
        self.assertFalse(self.fits("findings"))
        self.assertFalse(self.fits("findings", STATE))

    def test_deadlock_needs_one_of_any_class_and_nothing_else(self):
        self.assertTrue(self.fits("deadlock", MANIFEST))
        self.assertTrue(self.fits("deadlock", POTENTIAL, STATE))
        self.assertFalse(self.fits("deadlock"))
        self.assertFalse(self.fits("deadlock", MANIFEST, LEAK))

    def test_a_list_names_each_finding_with_or_without_its_class(self):
        self.assertTrue(self.fits(["deadlock"], MANIFEST))
        self.assertTrue(self.fits(["deadlock:potential", "request-leak"], LEAK, POTENTIAL))
        self.assertFalse(self.fits(["deadlock:potential"], MANIFEST))
        self.assertFalse(self.fits(["deadlock:potential"], POTENTIAL, MANIFEST))
        self.assertFalse(self.fits(["request-leak", "lost-message"], LEAK))

    def test_a_note_can_be_demanded(self):
        self.assertTrue(self.fits(["state"], STATE))
        self.assertFalse(self.fits(["state"]))

    def test_any_takes_everything(self):
        self.assertTrue(self.fits("any"))
        self.assertTrue(self.fits("any", MANIFEST, LEAK))

    def test_words_of_a_command_line(self):
        self.assertEqual(expectation.from_words("deadlock"), "deadlock")
        self.assertEqual(expectation.from_words("deadlock:potential, state"), ["deadlock:potential", "state"])
        self.assertIsNone(expectation.problem(["lost-message"]))
        self.assertIn("Lost", expectation.problem(["Lost"]))


if __name__ == "__main__":
    unittest.main()
