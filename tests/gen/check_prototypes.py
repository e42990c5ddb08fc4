# SPDX-License-Identifier: BSD-3-Clause
"""check_prototypes.py FOLDER COMPILER OPTION...: a description whose C type differs from the declaration in mpi.h must not compile.
Without the mistake it must."""

import os
import subprocess
import sys
import tempfile

import emit
import spec

RIGHT = """MPI_Cart_coords(in COMM comm, in RANK rank, in LENGTH maxdims, out COORDINATE coords[maxdims])
    op: local
"""
MISTAKES = [
    ("in RANK rank", "in AINT rank"),
    ("out COORDINATE coords[maxdims]", "in COORDINATE coords[maxdims]"),
    (", out COORDINATE coords[maxdims]", ""),
]


def compiles(text, folder, command):
    (function,), _ = spec.parse(text)
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "hooks.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(emit.hooks([function], "a test"))
        made = subprocess.run([*command, "-std=gnu11", "-fsyntax-only", "-I", folder, path], capture_output=True, text=True)
    return made.returncode == 0, made.stderr


def main(folder, *command):
    done, message = compiles(RIGHT, folder, command)
    if not done:
        sys.exit(f"the right description does not compile:\n{message}")
    for old, new in MISTAKES:
        done, message = compiles(RIGHT.replace(old, new), folder, command)
        if done or "conflicting types" not in message:
            sys.exit(f"'{new}' instead of '{old}' is not found:\n{message}")


main(*sys.argv[1:])
