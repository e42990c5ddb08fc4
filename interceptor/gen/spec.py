# SPDX-License-Identifier: BSD-3-Clause
"""Reads interceptor/spec/*.mpi: stanzas of MPI functions and lists of those without a hook.

A stanza is a prototype in the words of the MPI standard, then indented `key: value` lines:

    MPI_Isend(in BUFFER buf, in COUNT count, ..., out REQUEST request)
        op: send standard nonblocking

An array may have its length in brackets: another parameter. `const: no`: C declares arrays that are only read without const.
What the checks of arguments need (checks.py):

    in place: sendbuf at root                 where MPI_IN_PLACE may be given; "at root": only there
    significant: A B at root, C at members    the other processes may give anything. root; members: those that exchange data with the
                                              root; participants: all but those that give MPI_PROC_NULL as root; leader: of the group
    comm: intra                               or inter: the kind of the first communicator
    topology: cartesian                       or graph, distributed, any: the communicator has it
    assertions: NOSTORE NOPUT                 the MPI_MODE_ constants that may be given
    null: fh                                  this handle may be the null handle
    agreed: 7.4: A B; 7.5.4: C                these must be the same at all ranks, by these sections of MPI-3.1 (agreed.py)
    any time: yes                             since MPI-4.0, it may be called before MPI_Init and after MPI_Finalize
    removed: 3.0                              the version of MPI that removed it: it is not in the standard ABI

A last parameter `...` stands for further ones, which are not passed on.
Lists name functions without a hook:

    local: MPI_A MPI_B                        need none: they neither communicate nor wait
    newer: MPI_C                              above MPI-3.1: their calls are counted, and may have done anything
    left: MPI_D                               above MPI-3.1, and as `local`: they do not pass through the tool

'#' starts a comment.
"""

import re
from dataclasses import dataclass, field

DIRECTIONS = ("in", "out", "inout")
KEYS = ("op", "bytes", "const", "in place", "significant", "comm", "topology", "assertions", "null", "any time", "agreed", "removed")

LISTS = ("local", "newer", "left")


class SpecError(Exception):
    """A mistake in a specification, with its place."""


@dataclass
class Parameter:
    direction: str
    kind: str
    name: str
    is_array: bool = False
    length: str = ""


@dataclass
class Function:
    name: str
    parameters: list
    place: str
    op: list = field(default_factory=list)
    bytes: str = ""
    const: str = ""
    in_place: str = ""
    significant: str = ""
    comm: str = ""
    topology: str = ""
    assertions: str = ""
    null: str = ""
    any_time: str = ""
    agreed: str = ""
    removed: str = ""
    is_variadic: bool = False

    @property
    def is_standard(self):
        """Does the standard ABI of MPI-5.0 have it (section 20.4)? Not what was removed, nor an extension."""
        return self.name.startswith("MPI_") and not self.removed


@dataclass
class Names:
    """Functions without a hook."""
    local: list = field(default_factory=list)
    newer: list = field(default_factory=list)
    left: list = field(default_factory=list)

    def all(self):
        return self.local + self.newer + self.left

    def add(self, more):
        for name in LISTS:
            getattr(self, name).extend(getattr(more, name))


_PARAMETER = re.compile(r"(\w+) (\w+) (\w+)(?:(\[)(\w*)\])?$")
_PROTOTYPE = re.compile(r"(P?\w+)\((.*)\)$")
_LIST = re.compile(rf"({'|'.join(LISTS)}):(.*)$")


def _parameter(text, place):
    match = _PARAMETER.match(text)
    if not match or match[1] not in DIRECTIONS:
        raise SpecError(f"{place}: not a parameter: '{text}'")
    return Parameter(match[1], match[2], match[3], match[4] is not None, match[5] or "")


def _function(text, place):
    match = _PROTOTYPE.match(text)
    if not match:
        raise SpecError(f"{place}: not a prototype: '{text}'")
    inner = match[2].strip()
    texts = [p.strip() for p in inner.split(",")] if inner else []
    is_variadic = texts[-1:] == ["..."]
    parameters = [_parameter(p, place) for p in texts[:-1 if is_variadic else None]]
    return Function(match[1], parameters, place, is_variadic=is_variadic)


def _logical_lines(text):
    """(number, line) with continued prototypes and lists joined, comments and blank lines left out."""
    pending, number = "", 0
    for i, raw in enumerate(text.splitlines(), 1):
        line = raw.split("#")[0].rstrip()
        if not line:
            continue
        is_continued = pending.count("(") > pending.count(")") or (
            _LIST.match(pending) and line[0] == " ")
        if is_continued:
            pending += " " + line.strip()
            continue
        if pending:
            yield number, pending
        pending, number = line, i
    if pending:
        yield number, pending


def parse(text, filename="spec"):
    """The functions of one file and the names of those without a hook, in its order."""
    functions, names = [], Names()
    for number, line in _logical_lines(text):
        place = f"{filename}:{number}"
        if match := _LIST.match(line):
            getattr(names, match[1]).extend(match[2].split())
        elif line[0] != " ":
            functions.append(_function(line, place))
        else:
            key, colon, value = line.strip().partition(":")
            if not colon or key not in KEYS or not functions:
                raise SpecError(f"{place}: not an attribute of a function: '{line.strip()}'")
            name = key.replace(" ", "_")
            if getattr(functions[-1], name):
                raise SpecError(f"{place}: {key} is given twice")
            setattr(functions[-1], name, value.split() if key == "op" else value.strip())
    for f in functions:
        if not f.op:
            raise SpecError(f"{f.place}: {f.name} has no op")
        if f.const not in ("", "no"):
            raise SpecError(f"{f.place}: const is 'no', or not given")
        if f.any_time not in ("", "yes"):
            raise SpecError(f"{f.place}: any time is 'yes', or not given")
    return functions, names


def load(paths):
    """All functions of the files, and the names of those without a hook; a name may occur once."""
    functions, names, seen = [], Names(), set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            more, more_names = parse(file.read(), path)
        for name in [f.name for f in more] + more_names.all():
            if name in seen:
                raise SpecError(f"{path}: {name} occurs twice")
            seen.add(name)
        functions += more
        names.add(more_names)
    return functions, names
