# SPDX-License-Identifier: BSD-3-Clause
"""Makes calls.def, agreed.def and the hooks from the specification.

    generate.py calls OUT SPEC...           the list of call ids: all described functions, and those that are only counted
    generate.py left OUT SPEC...            the list of functions above MPI-3.1 that do not pass through the tool
    generate.py agreed OUT SPEC...          the list of arguments that must be the same at all ranks
    generate.py prototypes OUT SPEC...      the declarations of the functions that the standard ABI has
    generate.py hooks OUT EXPORTS SPEC      the hooks of one file's functions that the library exports
    generate.py entries OUT.S OUT.def SYSTEM LIBRARY SPEC...
                                            the entries of the preload file: of all described functions, and of these, which are
                                            lists with commas: functions of the system, and of MPI libraries
    generate.py check EXPORTS SPEC...       fails if the library exports a function nobody describes

EXPORTS is the output of `nm -D --defined-only` of the MPI library. For hooks it may be the word `standard`: what the standard ABI has.
"""

import os
import sys

import emit
import entries
import spec


def exported(path):
    """Names of the MPI_ and MPIX_ functions in a symbol list."""
    names = set()
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if len(words) == 3 and words[1] in "TWi" and words[2].startswith(("MPI_", "MPIX_")):
                names.add(words[2].partition("@")[0])
    if not names:
        raise spec.SpecError(f"{path}: no MPI function in this list of symbols")
    return names


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def check(exports, paths):
    """Names that are exported but unknown, sorted."""
    functions, names = spec.load(paths)
    return sorted(exported(exports) - {f.name for f in functions} - set(names.all()))


def main(arguments):
    if len(arguments) < 3:
        sys.exit(__doc__)
    what, *rest = arguments
    if what == "calls":
        functions, names = spec.load(rest[1:])
        write(rest[0], emit.calls([f.name for f in functions] + names.newer, "interceptor/spec"))
    elif what == "left":
        write(rest[0], emit.left(spec.load(rest[1:])[1].left, "interceptor/spec"))
    elif what == "agreed":
        functions, _ = spec.load(rest[1:])
        write(rest[0], emit.agreed_arguments(functions, "interceptor/spec"))
    elif what == "prototypes":
        functions, _ = spec.load(rest[1:])
        write(rest[0], emit.prototypes([f for f in functions if f.is_standard], "interceptor/spec"))
    elif what == "hooks" and len(rest) == 3:
        functions, _ = spec.load(rest[2:])
        if rest[1] == "standard":
            present = [f for f in functions if f.is_standard]
        else:
            available = exported(rest[1])
            present = [f for f in functions if f.name in available]
        write(rest[0], emit.hooks(present, os.path.basename(rest[2])))
    elif what == "entries" and len(rest) > 4:
        system, library = (text.split(",") if text else [] for text in rest[2:4])
        made = entries.of_mpi(*spec.load(rest[4:]))
        made += [(name, "LIBRARY", "NONE") for name in library] + [(name, "SYSTEM", "NONE") for name in system]
        made.sort()  # interceptor/preload/resolve.c looks names up
        write(rest[0], entries.assembly([name for name, *_ in made]))
        write(rest[1], entries.definitions(made))
    elif what == "check":
        unknown = check(rest[0], rest[1:])
        if unknown:
            sys.exit("neither described nor listed as local: " + " ".join(unknown))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except spec.SpecError as error:
        sys.exit(str(error))
