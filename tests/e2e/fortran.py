#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write a Fortran test program for one of the three bindings of MPI.

    fortran.py f08|usempi|mpifh PROGRAM OUTPUT [PROGRAM OUTPUT]...

A program in programs/fortran/ is free form and uses the module mpi_f08. `f08` is that; for `usempi` (module mpi) and `mpifh` (mpif.h, fixed
form) the handles and the status become integers. A line of the head comment that begins with names of bindings is for these only:

    ! [f08 usempi] CALL: 0 MPI_Barrier
    ! [mpifh] CALL: 0 MPI_Barrier HERE
"""

import os
import re
import sys

BINDINGS = ("f08", "usempi", "mpifh")
COLUMNS = 72  # of fixed form, without the comment
MARGIN = " " * 6
CONTINUATION = " " * 5 + "&"

TAGGED = re.compile(r"! \[([^]]*)\] (.*)")
USE = "  use mpi_f08"
IMPLICIT = "  implicit none"
INCLUDE = "  include 'mpif.h'"
STATUS = re.compile(r"type\(MPI_Status\) :: (\w+)$")
HANDLE = re.compile(r"type\(MPI_\w+\) ::")


class BadProgram(Exception):
    """The program cannot be written for a binding; the text says why."""


def for_binding(lines, binding):
    """The lines without those that are for other bindings only."""
    for line in lines:
        match = TAGGED.fullmatch(line)
        if match is None:
            yield line
            continue
        names = match[1].split()
        if not names or not set(names) <= set(BINDINGS):
            raise BadProgram(f"no such bindings: [{match[1]}]")
        if binding in names:
            yield f"! {match[2]}"


def declare(line):
    """A declaration as the older bindings have it."""
    line = STATUS.sub(r"integer :: \1(MPI_STATUS_SIZE)", line)
    if "type(MPI_Status)" in line:
        raise BadProgram(f"a declaration of one status alone is needed: {line}")
    return HANDLE.sub("integer ::", line)


def use_module(lines):
    return ["  use mpi" if line == USE else declare(line) for line in lines]


def include_header(lines):
    for line in lines:
        if line == IMPLICIT:
            yield from (IMPLICIT, INCLUDE)
        elif line != USE:
            yield declare(line)


def fix_form(lines):
    """Free form to fixed form. One level of indentation is the margin's."""
    continued = False
    for line in lines:
        if not line or line.startswith("!"):
            yield line
            continue
        text = re.sub(r"^  ", "", line)
        text = CONTINUATION + "   " + text.lstrip() if continued else MARGIN + text
        continued = text.endswith("&")
        text = text.removesuffix("&").rstrip()
        if len(text.split(" ! ")[0]) > COLUMNS:
            raise BadProgram(f"longer than {COLUMNS} columns in fixed form: {text}")
        yield text


def convert(text, binding, name):
    """The text of a program in programs/fortran/ for one binding. Raises BadProgram."""
    lines = list(for_binding(text.splitlines(), binding))
    if USE not in lines or IMPLICIT not in lines[lines.index(USE) + 1 :]:
        raise BadProgram(f"'{USE}' and then '{IMPLICIT}' are missing")
    lines.insert(1, f"! Made by tests/e2e/fortran.py from programs/fortran/{name}: do not edit.")
    if binding == "usempi":
        lines = use_module(lines)
    if binding == "mpifh":
        lines = fix_form(include_header(lines))
    return "\n".join(lines) + "\n"


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def main(argv):
    binding, *files = argv
    for program, output in zip(files[::2], files[1::2]):
        try:
            text = convert(read(program), binding, os.path.basename(program))
        except BadProgram as error:
            print(f"{program}: {error}", file=sys.stderr)
            return 1
        if text != read(output):  # what is as it was is not compiled again
            with open(output, "w", encoding="utf-8") as file:
                file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
