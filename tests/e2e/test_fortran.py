# SPDX-License-Identifier: BSD-3-Clause
"""Tests of what a Fortran program becomes for each binding."""

import contextlib
import glob
import io
import os
import tempfile
import unittest

import expectation
import fortran

SOURCE = """! SPDX-License-Identifier: BSD-3-Clause
! Both ranks receive.
!
! RANKS: 2
! EXPECT: deadlock
! SEVERAL: manifest; 0 1; {0,1}
! [f08 usempi] CALL: 0 MPI_Recv
! [mpifh] CALL: 0 MPI_Recv HERE
program both
  use mpi_f08
  implicit none
  integer :: ierr, got
  type(MPI_Comm) :: comm
  type(MPI_Request) :: req(2), one
  type(MPI_Status) :: st

  comm = MPI_COMM_WORLD
  if (got .eq. 0) then
    ! A comment of its own.
    call MPI_RECV(got, 1, MPI_INTEGER, 0, 0, &
      comm, st, ierr) ! HERE
  end if
end program both
"""

HEAD = """! SPDX-License-Identifier: BSD-3-Clause
! Made by tests/e2e/fortran.py from programs/fortran/both.f90: do not edit.
! Both ranks receive.
!
! RANKS: 2
! EXPECT: deadlock
! SEVERAL: manifest; 0 1; {0,1}
"""

F08 = HEAD + "! CALL: 0 MPI_Recv\n" + SOURCE[SOURCE.index("program") :]

USEMPI = (
    HEAD
    + """! CALL: 0 MPI_Recv
program both
  use mpi
  implicit none
  integer :: ierr, got
  integer :: comm
  integer :: req(2), one
  integer :: st(MPI_STATUS_SIZE)

  comm = MPI_COMM_WORLD
  if (got .eq. 0) then
    ! A comment of its own.
    call MPI_RECV(got, 1, MPI_INTEGER, 0, 0, &
      comm, st, ierr) ! HERE
  end if
end program both
"""
)

MPIFH = (
    HEAD
    + """! CALL: 0 MPI_Recv HERE
      program both
      implicit none
      include 'mpif.h'
      integer :: ierr, got
      integer :: comm
      integer :: req(2), one
      integer :: st(MPI_STATUS_SIZE)

      comm = MPI_COMM_WORLD
      if (got .eq. 0) then
        ! A comment of its own.
        call MPI_RECV(got, 1, MPI_INTEGER, 0, 0,
     &   comm, st, ierr) ! HERE
      end if
      end program both
"""
)


def statement(columns):
    """The program with a statement that has so many columns in fixed form."""
    line = "  got = "
    return SOURCE.replace("  comm = MPI_COMM_WORLD", line + "1" * (columns - 4 - len(line)) + " ! A comment may stand beyond.")


class Bindings(unittest.TestCase):
    maxDiff = None

    def test_each_binding(self):
        for binding, text in zip(fortran.BINDINGS, (F08, USEMPI, MPIFH)):
            self.assertEqual(fortran.convert(SOURCE, binding, "both.f90"), text)

    def test_a_mark_is_found_in_the_line_of_the_program_that_is_made(self):
        made = fortran.convert(SOURCE, "mpifh", "both.f90")
        found = expectation.parse(made, "both.f")
        self.assertEqual([(c.rank, c.name, c.mark) for c in found.calls], [(0, "MPI_Recv", "HERE")])
        self.assertEqual([made.splitlines()[n - 1] for n in found.marks["HERE"]], ["     &   comm, st, ierr) ! HERE"])

    def test_fixed_form_has_72_columns(self):
        self.assertIn("1 ! A comment", fortran.convert(statement(72), "mpifh", "both.f90"))
        with self.assertRaisesRegex(fortran.BadProgram, "72 columns"):
            fortran.convert(statement(73), "mpifh", "both.f90")
        fortran.convert(statement(73), "f08", "both.f90")

    def test_an_unknown_binding_is_refused(self):
        for tag in ("[f08 f90]", "[]"):
            with self.assertRaisesRegex(fortran.BadProgram, "no such bindings"):
                fortran.convert(SOURCE.replace("[mpifh]", tag), "f08", "both.f90")

    def test_statuses_of_one_declaration_are_refused(self):
        with self.assertRaisesRegex(fortran.BadProgram, "one status alone"):
            fortran.convert(SOURCE.replace(":: st", ":: st, other"), "usempi", "both.f90")

    def test_another_module_is_refused(self):
        with self.assertRaisesRegex(fortran.BadProgram, "use mpi_f08"):
            fortran.convert(USEMPI, "f08", "both.f90")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="orknot-test-")
        self.addCleanup(folder.cleanup)
        self.program, self.output = (os.path.join(folder.name, name) for name in ("both.f90", "both.f"))

    def run_main(self, text):
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(text)
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            return fortran.main(["mpifh", self.program, self.output]), errors.getvalue()

    def test_the_program_is_written(self):
        self.assertEqual(self.run_main(SOURCE), (0, ""))
        with open(self.output, encoding="utf-8") as file:
            self.assertEqual(file.read(), MPIFH)

    def test_nothing_is_written_of_a_bad_program(self):
        code, errors = self.run_main("end\n")
        self.assertEqual((code, os.path.exists(self.output)), (1, False))
        self.assertIn("both.f90: ", errors)

    def test_each_program_gives_an_expectation_for_each_binding(self):
        paths = glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs", "fortran", "*.f90"))
        self.assertGreater(len(paths), 20)
        for path in paths:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            for binding in fortran.BINDINGS:
                with self.subTest(path=path, binding=binding):
                    expectation.parse(fortran.convert(text, binding, os.path.basename(path)))


if __name__ == "__main__":
    unittest.main()
