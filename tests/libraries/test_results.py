# SPDX-License-Identifier: BSD-3-Clause
import os
import tempfile
import unittest

import results

JUNIT = """<?xml version="1.0"?>
<testsuite name="(empty)" tests="6" failures="1" skipped="4">
  <testcase name="mpich5.p2p.recv_recv" status="run"><system-out>recv_recv</system-out></testcase>
  <testcase name="mpich5.p2p.send_send" status="fail"><failure message=""/><system-out>recv_recv</system-out></testcase>
  <testcase name="mpich5.equal.files_wrong" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
  <testcase name="mpich5.rma.put" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
    <system-out>skipped: with this library the program itself does otherwise: the plain program hangs</system-out></testcase>
  <testcase name="mpich5.p2p.gone" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
    <system-out>skipped: gone is not there</system-out></testcase>
  <testcase name="mpich5.p2p.off" status="disabled"><skipped message="Disabled"/></testcase>
</testsuite>
"""


class Results(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mpich5.xml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(JUNIT)
            self.row = results.read(path)

    def test_each_test_is_in_one_column(self):
        self.assertEqual(self.row, {
            "passed": ["mpich5.p2p.recv_recv"], "failed": ["mpich5.p2p.send_send"], "habits": ["mpich5.equal.files_wrong"],
            "differ without the tool": ["mpich5.rma.put"], "not run": ["mpich5.p2p.gone", "mpich5.p2p.off"]})

    def test_the_table_has_a_row_for_each_label_and_names_what_did_not_pass(self):
        lines = results.table({"mpich5": self.row, "openmpi5": {name: [] for name in results.COLUMNS}}).split("\n")
        self.assertEqual(lines[2:4], ["| `mpich5` | 6 | 1 | 1 | 1 | 1 | 2 |", "| `openmpi5` | 0 | 0 | 0 | 0 | 0 | 0 |"])
        self.assertEqual(lines[4:], ["", "failed:", "mpich5.p2p.send_send", "", "differ without the tool:", "mpich5.rma.put"])


if __name__ == "__main__":
    unittest.main()
