# SPDX-License-Identifier: BSD-3-Clause
"""The parser of the specification."""

import os
import tempfile
import unittest

import generate
import spec

SEND = "MPI_A(in BUFFER b, in COUNT n,\n      out REQUEST r[n])  # comment\n    op: send standard\n"


class Parse(unittest.TestCase):
    def refuse(self, text, words):
        with self.assertRaises(spec.SpecError) as caught:
            spec.parse(text, "f")
        self.assertIn(words, str(caught.exception))

    def test_a_stanza_over_two_lines(self):
        (function,), names = spec.parse(SEND)
        self.assertEqual((function.name, function.op, names.all()), ("MPI_A", ["send", "standard"], []))
        self.assertEqual([(p.direction, p.kind, p.name, p.is_array, p.length) for p in function.parameters],
                         [("in", "BUFFER", "b", False, ""), ("in", "COUNT", "n", False, ""),
                          ("out", "REQUEST", "r", True, "n")])

    def test_no_parameters(self):
        (function,), _ = spec.parse("MPI_F()\n    op: finalize\n")
        self.assertEqual(function.parameters, [])

    def test_lists_and_continued_ones(self):
        functions, names = spec.parse("local: MPI_A MPI_B\n    MPI_C\nnewer: MPI_N\nleft: MPI_L\n    MPI_M\nlocal: MPI_D\n")
        self.assertEqual((functions, names.local), ([], ["MPI_A", "MPI_B", "MPI_C", "MPI_D"]))
        self.assertEqual((names.newer, names.left), (["MPI_N"], ["MPI_L", "MPI_M"]))

    def test_mistakes_have_a_place(self):
        self.refuse("MPI_A(in BUFFER)\n    op: send\n", "f:1: not a parameter")
        self.refuse("MPI_A(on COUNT n)\n    op: send\n", "f:1: not a parameter")
        self.refuse("\nMPI_A\n", "f:2: not a prototype")
        self.refuse("MPI_A()\n", "f:1: MPI_A has no op")
        self.refuse("MPI_A()\n    up: send\n", "f:2: not an attribute")
        self.refuse("    op: send\n", "f:1: not an attribute")
        self.refuse("MPI_A()\n    op: send\n    const: yes\n", "f:1: const is 'no'")
        self.refuse("MPI_A()\n    op: send\n    any time: no\n", "f:1: any time is 'yes'")
        self.refuse("MPI_A()\n    op: send\n    op: recv\n", "f:3: op is given twice")

    def test_the_standard_abi_has_no_extensions_nor_what_was_removed(self):
        functions, _ = spec.parse("MPI_A()\n    op: local\nMPI_B()\n    op: local\n    removed: 3.0\nMPIX_C()\n    op: local\n")
        self.assertEqual([(f.name, f.is_standard) for f in functions], [("MPI_A", True), ("MPI_B", False), ("MPIX_C", False)])

    def test_a_name_occurs_once(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "x.mpi")
            with open(path, "w", encoding="utf-8") as file:
                file.write(SEND + "local: MPI_A\n")
            with self.assertRaisesRegex(spec.SpecError, "MPI_A occurs twice"):
                spec.load([path])


class Exports(unittest.TestCase):
    def files(self, symbols, text):
        for name, content in (("symbols", symbols), ("x.mpi", text)):
            with open(os.path.join(self.directory.name, name), "w", encoding="utf-8") as file:
                file.write(content)
        return [os.path.join(self.directory.name, name) for name in ("symbols", "x.mpi")]

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def test_unknown_functions_are_named(self):
        symbols, text = self.files(
            "0001 T MPI_A\n0002 W MPI_New\n0003 T PMPI_Other\n0004 D MPI_DATA\n"
            "                 U MPI_Used\n0005 T MPI_B\n", SEND + "local: MPI_B\n")
        self.assertEqual(generate.check(symbols, [text]), ["MPI_New"])

    def test_a_list_without_mpi_is_no_list(self):
        with self.assertRaisesRegex(spec.SpecError, "no MPI function"):
            generate.exported(self.files("0001 T main\n", "")[0])

    def test_hooks_are_made_for_what_is_there(self):
        symbols, text = self.files("0001 T MPI_A\n", "MPI_A()\n    op: outside\n"
                                   "MPI_Gone()\n    op: outside\n")
        out = os.path.join(self.directory.name, "out.c")
        generate.main(["hooks", out, symbols, text])
        with open(out, encoding="utf-8") as file:
            made = file.read()
        self.assertIn("int PMPI_A(void)", made)
        self.assertNotIn("MPI_Gone", made)


if __name__ == "__main__":
    unittest.main()
