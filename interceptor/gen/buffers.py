# SPDX-License-Identifier: BSD-3-Clause
"""What the hooks of collective calls do about buffers: see interceptor/call/buffers_coll.h. Knows parameter kinds, directions and
operations; names no MPI function."""

# Kind of an argument that belongs to a buffer -> member of struct ork_coll_side; of an array, its plural.
MEMBERS = {"COUNT": "count", "DISPLACEMENT": "displ", "AINT": "offset", "DATATYPE": "type"}


def _sides(function):
    """{"sent" or "received": {member: argument}}. An argument belongs to the buffer before it, and to both if it comes after two."""
    sides, current, before = {}, [], None
    for p in function.parameters:
        if p.kind == "BUFFER":
            side = "sent" if p.direction == "in" else "received"
            sides[side] = {"address": p.name}
            current = current + [side] if before == "BUFFER" else [side]
        elif p.kind in MEMBERS:
            for side in current:
                sides[side][MEMBERS[p.kind] + ("s" if p.is_array else "")] = p.name
        before = p.kind
    return sides


def _literal(members):
    return "{" + ", ".join(f".{name} = {value}" for name, value in members.items()) + "}"


def declared(function):
    """The statement that declares the buffers of a collective call, or nothing."""
    sides = _sides(function)
    if not sides:
        return []
    return ["    struct ork_coll_buffers buffers = {" + ", ".join(f".{s} = {_literal(m)}" for s, m in sides.items()) + "};"]


def passed(function):
    """The argument that passes them to a function."""
    return "&buffers" if declared(function) else "NULL"


def _file(function):
    """The same for the one buffer of a call on a file."""
    buffers = [p for p in function.parameters if p.kind == "BUFFER"]
    if not buffers or not any(p.kind == "COUNT" for p in function.parameters):
        return []
    members = {"use": "ORK_BUFFER_READ" if buffers[0].direction == "in" else "ORK_BUFFER_WRITTEN"}
    members |= _sides(function)["sent" if buffers[0].direction == "in" else "received"]
    return [f"    struct ork_buffer buffer = {_literal(members)};"]


def _blocks(function):
    """Are the buffers of the call not in use any more when it returns? Else it has a request, or is one half of a split collective."""
    return function.op[0] != "file_begin" and not any(p.kind == "REQUEST" for p in function.parameters)


def before(function, mode, flags):
    """C statements before the real call."""
    op = function.op[0]
    if op == "collective" and declared(function):
        return declared(function) + [f"    ork_coll_buffers_look(call, &args, {mode}, {flags}, &buffers);",
                                        f"    ork_exchange_look(call, &args, {mode}, &buffers);"]
    if op in ("file_collective", "file_begin", "file_access", "file_pointer", "file_start") and _file(function):
        look = ["    ork_file_buffer_look(call, &buffer);"]
        enter = ["    if (ORK_UNLIKELY(ork_windows_exist))",
                 "        ork_file_buffer_enter(call, &buffer, &args.status, &args.own);"] if _blocks(function) else []
        return _file(function) + look + enter
    return []


def after(function, mode, flags):
    """C statements after the real call, which returned it."""
    op = function.op[0]
    has_request = any(p.kind == "REQUEST" for p in function.parameters)
    if op == "collective" and has_request and declared(function):
        start = f"ork_coll_buffers_start(call, &args, {mode}, {flags}, &buffers);"
    elif op == "collective" and _blocks(function) and declared(function):
        return ["    if (ORK_UNLIKELY(ork_windows_exist) && returned == MPI_SUCCESS)",
                f"        ork_coll_buffers_returned(call, &args, {mode}, &buffers);"]
    elif op in ("file_collective", "file_access", "file_pointer") and _blocks(function) and _file(function):
        is_collective = "true" if op == "file_collective" else "false"
        return ["    if (ORK_UNLIKELY(ork_windows_exist) && returned == MPI_SUCCESS)",
                f"        ork_file_buffer_leave(call, &buffer, args.status, {is_collective});"]
    elif (op in ("file_begin", "file_start") or (op == "file_collective" and has_request)) and _file(function):
        start = "ork_file_buffer_start(call, args.id, &buffer);"
    else:
        return []
    return ["    if (ORK_LIKELY(returned == MPI_SUCCESS))", "        " + start]
