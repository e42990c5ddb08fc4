# SPDX-License-Identifier: BSD-3-Clause
"""library.py OUT SPEC...: C of a library with the standard ABI of MPI-5.0, which calls the MPI library of the build. It exists for tests
only: it has the functions of interceptor/spec that need no more than what conversion.h converts. Functions that call back, and those with
arrays of a length that only the library knows, are left out."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "interceptor", "gen"))
import emit  # noqa: E402
import spec  # noqa: E402

HANDLES = {"COMM": "comm", "DATATYPE": "type", "OP": "op", "GROUP": "group", "WIN": "win", "INFO": "info", "INFO_OBJECT": "info",
           "ERRHANDLER": "errhandler", "REQUEST": "request", "MESSAGE": "message", "FILE": "file"}
NUMBERS = {"SOURCE": "rank", "DESTINATION": "rank", "TARGET": "rank", "RANK": "rank", "RANK_OR_NULL": "rank", "ROOT": "rank",
           "RECV_TAG": "tag", "LOCK_TYPE": "lock", "ASSERT": "assertion", "THREAD_LEVEL": "level", "KEYVAL": "keyval",
           "COMBINER": "combiner", "ERROR": "code", "ERROR_CLASS": "code", "COMPARISON": "comparison", "TOPOLOGY": "topology",
           "ACCESS_MODE": "amode", "WHENCE": "whence", "SPLIT_TYPE": "split", "ORDER": "order", "DISTRIBUTION": "distribution"}
# Kinds that are the same in both; of the others a function is left out.
SAME = set(emit.TYPES) - set(HANDLES) - set(NUMBERS) - {"STATUS", "TYPE_CLASS", "DISTRIBUTION_ARGUMENT", "VIEW_DISPLACEMENT", "WEIGHT"}
SAME |= {"BUFFER", "C_BUFFER", "STRING", "STRING_ARRAY", "STRING_2DARRAY", "ARGUMENT_COUNT", "ARGUMENT_LIST", "LOCATION",
         "ATTRIBUTE", "RANGE"}


def is_same(p):
    """The codes of spawned processes are passed on: of these, programs only read MPI_SUCCESS."""
    return p.kind in SAME or (p.kind == "ERROR" and p.is_array)


def converter(p):
    if is_same(p):
        return None
    return HANDLES.get(p.kind) or NUMBERS.get(p.kind) or ("status" if p.kind == "STATUS" else None)


def length_of(f, p):
    """C for the number of values, or None. As many statuses as requests."""
    if not p.is_array:
        return "1"
    names = [q.name for q in f.parameters if q.kind == "LENGTH" and q.direction == "in"]
    return p.length if p.length in [q.name for q in f.parameters] else names[0] if p.kind == "STATUS" and names else None


def is_possible(f):
    return not f.is_variadic and f.is_standard and all(
        is_same(p) or (converter(p) and length_of(f, p)) for p in f.parameters)


def declared(p):
    """As the program gives it: a handle is a void pointer, a status has another type."""
    return emit.declaration(p).replace("MPI_Status", "struct abi_status").replace(emit.TYPES[p.kind], "void *") \
        if p.kind in HANDLES else emit.declaration(p).replace("MPI_Status", "struct abi_status")


def convert(f, p):
    """(before the call, what is passed, after it)"""
    name, how = p.name, converter(p)
    kind = emit.TYPES.get(p.kind)
    if how is None:
        return [], name, []
    if p.direction == "in" and not p.is_array and p.kind != "STATUS":
        return [], f"{how}_in({name})", []
    length = length_of(f, p)
    before = [f"    {kind} *own_{name} = take({length}, sizeof(*own_{name}));"]
    one = f"for (int i = 0; {name} != NULL && i < {length}; i++)"
    if p.direction != "out":
        before.append(f"    {one} own_{name}[i] = {how}_in({name}[i]);")
    after = [f"    {one} {name}[i] = {how}_out(own_{name}[i]);"] if p.direction != "in" else []
    return before, f"({name} != NULL ? own_{name} : NULL)", after + [f"    free(own_{name});"]


def function(f):
    parts = [convert(f, p) for p in f.parameters]
    parameters = ", ".join(declared(p) for p in f.parameters) or "void"
    arguments = ", ".join(passed for _, passed, _ in parts)
    lines = [f"int abi_{f.name}({parameters}) __asm__(\"{f.name}\");",
             f"int abi_P{f.name}({parameters}) __asm__(\"P{f.name}\") __attribute__((alias(\"{f.name}\")));",
             f"int abi_{f.name}({parameters})", "{"]
    lines += [line for before, _, _ in parts for line in before]
    lines += [f"    int code = NATIVE({f.name})({arguments});"]
    lines += [line for _, _, after in parts for line in after]
    return lines + ["    return code_out(code);", "}", ""]


def main(out, paths):
    functions, _ = spec.load(paths)
    lines = ["/* Made by tests/e2e/abi/library.py. */", '#include "tests/e2e/abi/conversion.h"', ""]
    for f in functions:
        if is_possible(f):
            lines += function(f)
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


main(sys.argv[1], sys.argv[2:])
