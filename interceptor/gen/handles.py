# SPDX-License-Identifier: BSD-3-Clause
"""What hooks do about the handles that a function makes or frees: see interceptor/hooks/handle_calls.h. Knows parameter kinds and
directions; names no MPI function."""

KINDS = ("COMM", "GROUP", "DATATYPE", "OP", "WIN", "FILE", "INFO", "ERRHANDLER", "KEYVAL", "MESSAGE")


def _made(function, numbers_requests):
    """The parameters in which the function returns handles. A request that its operation numbers is not among them."""
    kinds = KINDS if numbers_requests else KINDS + ("REQUEST",)
    return [p for p in function.parameters if p.direction == "out" and p.kind in kinds]


def _freed(function):
    """The parameters whose handle the function may free and replace by the null handle."""
    if function.op[0] == "type_commit":
        return []
    return [p for p in function.parameters if p.direction == "inout" and p.kind in KINDS and not p.is_array]


def _attribute(function):
    """The statement of a function that sets or deletes an attribute of an object, or None."""
    key = [p for p in function.parameters if p.kind == "KEYVAL" and p.direction == "in"]
    values = [p for p in function.parameters if p.kind == "ATTRIBUTE"]
    objects = [p for p in function.parameters if p.kind in ("COMM", "DATATYPE", "WIN")]
    if not key or any(p.direction != "in" for p in values + objects):
        return None
    what = "set" if values else "deleted"
    return f"    ork_attribute_{what}(ORK_HANDLE_{objects[0].kind}, ORK_KEY({objects[0].name}), {key[0].name}, returned);"


def is_about_attributes(function):
    """Does the function need interceptor/objects/attribute_keys.h?"""
    return _attribute(function) is not None


def concern(function, numbers_requests):
    """Does the function make or free handles here?"""
    return bool(_made(function, numbers_requests) or _freed(function))


def before(function):
    """C statements before the real call."""
    return [f"    struct ork_handle_reference {p.name}_before = ork_handle_before_free(ORK_HANDLE_{p.kind}, "
            f"{p.name} != NULL ? ORK_KEY(*{p.name}) : 0, {p.name});"
            for p in _freed(function)]


def freed_late(function, condition):
    """C statements before a real call that is not recorded, if the condition says that MPI is not in use."""
    return [line for p in _freed(function) for line in (
        f"        if (ORK_UNLIKELY({condition}) && {p.name} != NULL)",
        f"            ork_outside_frees(ORK_HANDLE_{p.kind}, ORK_KEY(*{p.name}));")]


def _made_lines(function, p):
    if p.is_array and p.kind == "DATATYPE":
        decoded = next(q.name for q in function.parameters if q.kind == "DATATYPE" and q.direction == "in")
        return [f"        ork_handles_made_types(call, {decoded}, {p.name});"]
    lines = [f"        ork_handle_made(call, ORK_HANDLE_{p.kind}, ORK_KEY(*{p.name}), {p.name});"]
    if p.kind == "DATATYPE":
        return [f"        ork_handle_made_type(call, {p.name});"]
    flag = [q.name for q in function.parameters if q.kind == "LOGICAL" and q.direction == "out"]
    if p.kind == "MESSAGE" and flag:
        return [f"        if (*{flag[0]})", "    " + lines[0]]
    return lines


def after(function, numbers_requests):
    """C statements after the real call, which is over: `returned` is its result."""
    lines = []
    for p in _freed(function):
        lines.append(f"        ork_handle_after_free(call, ORK_HANDLE_{p.kind}, {p.name}_before, ORK_KEY(*{p.name}));")
    for p in _made(function, numbers_requests):
        lines += _made_lines(function, p)
    lines = ["    if (ORK_LIKELY(returned == MPI_SUCCESS)) {"] + lines + ["    }"] if lines else []
    attribute = _attribute(function)
    return lines if attribute is None else lines + [attribute]
