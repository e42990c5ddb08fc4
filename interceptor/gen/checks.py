# SPDX-License-Identifier: BSD-3-Clause
"""The checks of arguments: see interceptor/checks/check.h. Each has a fast question, which the hook asks, and an examination, which is
called if an answer is yes, and which reports what is wrong. Knows parameter kinds; names no MPI function."""

import re
from dataclasses import dataclass

from spec import SpecError

# Scalars that must not be less than a bound: kind -> (bound, row of usage.def).
LEAST = {
    "COUNT": (0, "NEGATIVE_COUNT"), "LENGTH": (0, "NEGATIVE_LENGTH"), "BLOCK_LENGTH": (0, "NEGATIVE_BLOCK_LENGTH"),
    "BYTES": (0, "NEGATIVE_SIZE"), "SIZE": (0, "NEGATIVE_SIZE"), "TARGET_DISP": (0, "NEGATIVE_TARGET_DISP"),
    "OFFSET": (0, "NEGATIVE_OFFSET"), "DEGREE": (0, "NEGATIVE_DEGREE"), "LARGE_COUNT": (0, "NEGATIVE_COUNT"),
    "DISP_UNIT": (1, "DISP_UNIT"), "ARRAY_SIZE": (1, "ELEMENT_NOT_POSITIVE"), "NUM_DIMS": (1, "NUM_DIMS"),
    "NUM_PROCESSES": (0, "NUM_PROCESSES"),
}
# The row for elements of arrays, by bound.
ELEMENTS = ["NEGATIVE_ELEMENT", "ELEMENT_NOT_POSITIVE"]
# Handles whose validity the table of handles knows: kind -> name of the null handle.
HANDLES = {
    "GROUP": "MPI_GROUP_NULL", "OP": "MPI_OP_NULL", "WIN": "MPI_WIN_NULL", "FILE": "MPI_FILE_NULL", "INFO": "MPI_INFO_NULL",
    "INFO_OBJECT": "MPI_INFO_NULL", "ERRHANDLER": "MPI_ERRHANDLER_NULL", "MESSAGE": "MPI_MESSAGE_NULL",
    "KEYVAL": "MPI_KEYVAL_INVALID",
}
# One of some constants: kind -> (row, constants).
CHOICES = {
    "LOCK_TYPE": ("LOCK_TYPE", "MPI_LOCK_SHARED MPI_LOCK_EXCLUSIVE"),
    "WHENCE": ("WHENCE", "MPI_SEEK_SET MPI_SEEK_CUR MPI_SEEK_END"),
    "ORDER": ("ORDER", "MPI_ORDER_C MPI_ORDER_FORTRAN"),
}
# Results that may be NULL: what MPI has a constant for that is NULL in C, and what has a check of its own.
NULL_RESULTS = {"STATUS", "WEIGHT", "ERROR", "BUFFER", "ARGUMENT_COUNT", "ARGUMENT_LIST"}
# Operations without checks: they begin before recording, or must do whatever happens.
UNCHECKED = {"init", "finalize", "abort", "control"}
# Operations that need datatypes that are committed.
COMMUNICATES = ("send", "recv", "sendrecv", "mrecv", "rma", "collective", "file_access", "file_pointer", "file_start", "file_begin",
               "file_collective")
# What a one-sided call does with the data of its origin buffer.
VERBS = {"put": "puts", "accumulate": "accumulates", "fetch": "accumulates"}
# Lengths of arrays that are no parameter.
GROUPS = {"remote": "bounds->size", "local": "bounds->local_size", "sources": "bounds->sources", "destinations": "bounds->destinations"}


@dataclass
class Check:
    """`hot`: C expression, true if something may be wrong; None: examine at every call. `cold`: C expression that reports it. `guard`:
    C expression, true where the arguments are significant, or empty."""

    hot: str
    cold: str
    guard: str = ""
    is_guarded: bool = False  # the question, too, may be asked only where the guard is true

    def question(self):
        if not self.guard:
            return f"({self.hot})"
        return f"({self.guard} && ({self.hot}))" if self.is_guarded else f"(({self.hot}) && {self.guard})"

    def examination(self):
        return f"({self.guard} && {self.cold})" if self.guard else f"({self.cold})"


def _first(function, *kinds):
    return next((p for p in function.parameters if p.kind in kinds and not p.is_array and p.direction == "in"), None)


def _comm(function):
    """The communicator that gives the ranks and the lengths of arrays, or None."""
    return _first(function, "COMM")


def _significant(function):
    """{parameter: guard}."""
    found = {}
    root = _first(function, "ROOT")
    leader = _first(function, "RANK")
    guards = {"root": root and f"ork_is_root(bounds, {root.name})", "members": root and f"ork_is_member(bounds, {root.name})",
              "participants": root and f"{root.name} != MPI_PROC_NULL",
              "leader": leader and f"bounds->rank == {leader.name}", "successors": "bounds->rank > 0"}
    names = {p.name for p in function.parameters}
    for clause in function.significant.split(",") if function.significant else []:
        words = clause.split()
        if len(words) < 3 or words[-2] != "at" or not guards.get(words[-1]) or not names.issuperset(words[:-2]):
            raise SpecError(f"{function.place}: not significant anywhere: '{clause.strip()}'")
        found |= dict.fromkeys(words[:-2], guards[words[-1]])
    return found


def _in_place(function):
    """(parameter, condition), or (None, "")."""
    if not function.in_place:
        return None, ""
    name, _, where = function.in_place.partition(" at ")
    if where not in ("", "root") or name not in {p.name for p in function.parameters if p.kind == "BUFFER"}:
        raise SpecError(f"{function.place}: nothing is in place: '{function.in_place}'")
    root = _first(function, "ROOT")
    return name, f"ork_is_root(bounds, {root.name})" if where else "true"


def _both(a, b):
    return f"{a} && {b}" if a and b else a or b


def _content(function, i):
    """The count and the datatype of buffer i: (count, datatype), None where it has none."""
    rest = [p for p in function.parameters[i + 1:] if p.kind not in ("BUFFER", "DISPLACEMENT", "AINT")]
    if rest and rest[0].kind == "COUNT" and rest[1].kind == "DATATYPE":
        return rest[0], rest[1]
    if rest and rest[0].kind == "DATATYPE":
        return None, rest[0]
    return None, None


def _is_received(function, i):
    """Does the call store data of the datatype that is parameter i?"""
    for p in reversed(function.parameters[:i]):
        if p.kind == "DATATYPE":
            return False
        if p.kind == "BUFFER":
            return p.direction == "out" or (p.direction == "inout" and function.op[0] != "collective")
    return False


def _length(function, p):
    """The C expression for the number of elements of an array; "": unknown."""
    if p.length in GROUPS:
        return GROUPS[p.length]
    return p.length


class _Checks:
    def __init__(self, function):
        self.function = function
        self.found = []
        self.significant = _significant(function)
        self.place_name, self.place_where = _in_place(function)
        self.comm = _comm(function)
        self.win = _first(function, "WIN")
        self.op = _first(function, "OP")

    def add(self, hot, cold, guard="", is_guarded=False):
        self.found.append(Check(hot, cold, guard, is_guarded))

    def sent_to(self, i):
        """A guard: what parameter i describes goes to, or comes from, some process."""
        peer = next((p for p in self.function.parameters[i:] if p.kind in ("DESTINATION", "SOURCE", "TARGET")), None)
        return f"{peer.name} != MPI_PROC_NULL" if peer is not None and peer.direction == "in" else ""

    def guard(self, p):
        return self.significant.get(p.name, "")

    def described_guard(self, p):
        """The guard of what describes a buffer: also false if that buffer is MPI_IN_PLACE and has a description of its own."""
        guard = self.guard(p)
        if self.place_name is None:
            return guard
        names = [q.name for q in self.function.parameters]
        i = names.index(self.place_name)
        kinds = [q.kind for q in self.function.parameters]
        is_shared = "BUFFER" in (kinds[i + 1], kinds[i - 1] if i else "")
        described = set()
        for name, kind in zip(names[i + 1:], kinds[i + 1:]):
            if kind not in ("COUNT", "DISPLACEMENT", "AINT", "DATATYPE"):
                break
            described.add(name)
        return _both(guard, f"{self.place_name} != MPI_IN_PLACE") if p.name in described and not is_shared else guard

    def least(self, p, i):
        bound, row = LEAST[p.kind]
        guard = self.described_guard(p)
        if p.is_array:
            length = _length(self.function, p)
            if length:
                self.add(f"ork_has_less({length}, {p.name}, {bound})",
                         f'ork_wrong_array(call, ORK_USAGE_{ELEMENTS[bound]}, "{p.name}", {length}, {p.name}, {bound})', guard, True)
        elif p.direction == "in":
            self.add(f"{p.name} < {bound}", f'ork_wrong_value(call, ORK_USAGE_{row}, "{p.name}", {p.name}, {p.name} < {bound})',
                     _both(guard, self.sent_to(i) if p.kind == "COUNT" else ""))

    def rank(self, p):
        if p.kind in ("TARGET", "RANK") and self.win is not None:
            self.add(f"ork_is_no_target({self.win.name}, {p.name})", f'ork_wrong_target(call, "{p.name}", {p.name}, {self.win.name})')
        elif self.comm is not None and p.kind in ("DESTINATION", "SOURCE", "ROOT", "RANK"):
            word = p.kind.lower()
            comm = "bounds"
            if p.name in self.significant and p.kind == "RANK":  # of another communicator
                other = [q for q in self.function.parameters if q.kind == "COMM" and q.name in self.significant][0]
                comm = f"ork_bounds_of({other.name})"
            self.add(f"ork_is_no_{word}({comm}, {p.name})", f'ork_wrong_{word}(call, "{p.name}", {p.name}, {comm})', self.guard(p))

    def tag(self, p, i):
        before = [q.name for q in self.function.parameters[:i] if q.kind in ("DESTINATION", "SOURCE")]
        peer = f"{before[-1]} != MPI_PROC_NULL" if before else ""
        word = p.kind.lower()
        self.add(f"ork_is_no_{word}({p.name})", f'ork_wrong_{word}(call, "{p.name}", {p.name})', peer)

    def comm_handle(self, p):
        if p.direction == "in" and p is self.comm:
            kind = {"": "ORK_COMM_ANY_KIND", "intra": "ORK_COMM_INTRA_ONLY", "inter": "ORK_COMM_INTER_ONLY"}[self.function.comm]
            self.found.insert(0, Check(f"!ork_is_good_comm(bounds, {kind})", f'ork_wrong_comm(call, "{p.name}", {p.name}, {kind})'))
        elif p.direction == "in":
            self.found.insert(1, Check(f"!ork_bounds_of({p.name})->is_valid", f'ork_wrong_comm(call, "{p.name}", {p.name}, '
                                       'ORK_COMM_ANY_KIND)', self.guard(p)))
        elif p.direction == "inout":
            self.add(f"{p.name} == NULL || ork_is_no_freeable_comm(*{p.name})",
                     f'ork_wrong_freed_comm(call, "{p.name}", {p.name})')

    def handle(self, p):
        kind = "INFO" if p.kind == "INFO_OBJECT" else p.kind
        value = p.name if p.direction == "in" else f"*{p.name}"
        null = p.name in self.function.null.split() or (p.kind == "INFO" and p.direction == "in")
        guard = self.guard(p)
        if p.direction == "out" or p.is_array:
            return
        if null:
            guard = _both(guard, f"{value} != {HANDLES[p.kind]}")
        if p.direction == "inout":
            self.add(f"{p.name} == NULL", f'ork_wrong_null(call, "{p.name}", {p.name})')
            guard = _both(guard, f"{p.name} != NULL")
        if kind == "MESSAGE":
            guard = _both(guard, f"{value} != MPI_MESSAGE_NO_PROC")
        self.add(f"!ork_handle_is_valid(ORK_HANDLE_{kind}, ORK_KEY({value}))",
                 f'ork_wrong_handle(call, "{p.name}", ORK_HANDLE_{kind}, ORK_KEY({value}), "{HANDLES[p.kind]}")', guard, True)
        if kind == "OP" and p.direction == "inout":
            self.add(None, f'ork_wrong_freed_op(call, "{p.name}", {value})', guard)

    def own_datatype(self, p):
        """A datatype that the call commits or frees."""
        exists = f"{p.name} != NULL"
        unknown = f"!ork_type_is_predefined(*{p.name})"
        self.add(f"{p.name} == NULL", f'ork_wrong_null(call, "{p.name}", {p.name})')
        self.add(f"{unknown} && !ork_handle_is_valid(ORK_HANDLE_DATATYPE, ORK_KEY(*{p.name}))",
                 f'ork_wrong_handle(call, "{p.name}", ORK_HANDLE_DATATYPE, ORK_KEY(*{p.name}), "MPI_DATATYPE_NULL")', exists, True)
        if self.function.op[0] != "type_commit":
            self.add(f"!({unknown})", f'!({unknown}) && ork_wrong_freed_type(call, "{p.name}", *{p.name})', exists, True)

    def datatype(self, p, i):
        f = self.function
        datatypes = [q for q in f.parameters if q.kind == "DATATYPE"]
        guard = _both(self.described_guard(p), self.sent_to(i))
        if self.op is not None and self.win is not None and p is datatypes[0]:
            guard = _both(guard, f"{self.op.name} != MPI_NO_OP")
        unknown = f"!ork_type_is_predefined({p.name})"
        self.add(f"!ork_is_good_type({p.name})", f'ork_wrong_datatype(call, "{p.name}", {p.name}, {self.elements(i)})', guard, True)
        if f.op[0] in COMMUNICATES:
            received = self.received(p, i)
            self.add(f"{unknown} && ork_type_fault({p.name}, {received}) != ORK_TYPE_IS_READY",
                     f'ork_wrong_type(call, "{p.name}", {p.name}, {received})', guard, True)

    def datatypes(self, p, i):
        """An array of them, each with a count or the length of a block."""
        length = _length(self.function, p)
        before = reversed(self.function.parameters[:i])
        counts = next((q.name for q in before if q.kind in ("COUNT", "BLOCK_LENGTH") and q.is_array), "NULL")
        if length:
            self.add(f"ork_has_bad_type({length}, {p.name})",
                     f'ork_wrong_datatypes(call, "{p.name}", {length}, {p.name}, {counts})', self.described_guard(p), True)

    def displacements(self, p, i):
        """Those of the blocks of a buffer."""
        f = self.function
        before = list(reversed(f.parameters[:i]))
        buffer = next((q for q in before if q.kind == "BUFFER"), None)
        counts = next((q for q in before if q.kind == "COUNT" and q.is_array), None)
        datatype = next((q for q in f.parameters[i:] if q.kind == "DATATYPE"), None)
        length = _length(f, p)
        if not (buffer and counts and datatype and length):
            return
        kind = "types" if datatype.is_array else "type"
        side = (f"&(struct ork_coll_side){{.address = {buffer.name}, .counts = {counts.name}, .displs = {p.name}, "
                f".{kind} = {datatype.name}}}")
        self.add(f"ork_has_less({length}, {p.name}, 0)", f'ork_wrong_displs(call, "{p.name}", {length}, {side})',
                 self.described_guard(p), True)

    def elements(self, i):
        """The C expression for the largest number of elements of the datatype that is parameter i."""
        count = next((p for p in reversed(self.function.parameters[:i]) if p.kind in ("COUNT", "BUFFER")), None)
        if count is None or count.kind == "BUFFER":
            return "1"
        length = _length(self.function, count) if count.is_array else ""
        return f"ork_largest({length}, {count.name})" if length else "1" if count.is_array else count.name

    def received(self, p, i):
        """How many elements of the datatype p the call stores: in its buffer, or at the target. Collective calls compare all bytes of
        their buffers (call/buffers_coll.h), so that of these only one element is looked at."""
        f = self.function
        if f.op[0] == "collective":
            return "1" if _is_received(f, i) else "0"
        is_target = f.op[0] == "rma" and f.op[1] in VERBS and p is [q for q in f.parameters if q.kind == "DATATYPE"][-1]
        if is_target and self.op is not None:
            return f"({self.op.name} != MPI_NO_OP ? {self.elements(i)} : 0)"
        return self.elements(i) if is_target or _is_received(f, i) else "0"

    def memory(self, p, i, kind, guard=""):
        """Memory whose size in bytes, of this kind, is the next parameter."""
        size = self.function.parameters[i + 1] if i + 1 < len(self.function.parameters) else None
        if size is not None and size.kind == kind:
            self.add(f"{p.name} == NULL && {size.name} > 0", f'ork_wrong_null_bytes(call, "{p.name}", {p.name}, {size.name})', guard)

    def buffer(self, p, i):
        f = self.function
        count, datatype = _content(f, i)
        guard = self.guard(p)
        if p.name != self.place_name:
            self.add(f"ork_is_in_place({p.name})", f'ork_wrong_in_place(call, "{p.name}", {p.name})', guard)
        else:
            wrong = f"ork_is_in_place({p.name}) && (bounds->is_inter || !({self.place_where}))"
            self.add(wrong, f'{wrong} && ork_wrong_in_place(call, "{p.name}", {p.name})', guard)
        guard = _both(guard, self.sent_to(i))
        if self.op is not None and self.win is not None and p.direction == "in":
            guard = _both(guard, f"{self.op.name} != MPI_NO_OP")
        self.reach(p, count, datatype, guard)
        if datatype is None:
            self.memory(p, i, "SIZE", guard)
        elif count is None:
            self.add(f"{p.name} == NULL", f'ork_wrong_null_buffer(call, "{p.name}", {p.name}, 1, {datatype.name})', guard)
        elif not count.is_array:
            self.add(f"{p.name} == NULL && {count.name} > 0",
                     f'ork_wrong_null_buffer(call, "{p.name}", {p.name}, {count.name}, {datatype.name})', guard)
        elif not datatype.is_array and self.op is None:
            length = _length(f, count)
            self.add(f"{p.name} == NULL", f'ork_wrong_null_buffer(call, "{p.name}", {p.name}, '
                     f'ork_largest({length}, {count.name}), {datatype.name})', _both(guard, f"{count.name} != NULL"))

    def reach(self, p, count, datatype, guard):
        """A buffer must not reach past the memory that it begins. That of a persistent operation may be allocated later. A process
        may have no neighbours, and then its buffers are not used."""
        f = self.function
        if count is None or count.is_array or datatype.is_array or "persistent" in f.op or f.topology:
            return
        is_sent = f.op[0] in ("send", "sendrecv", "rma", "collective") and p.direction != "out"
        if not is_sent and f.op[0] not in ("recv", "sendrecv"):
            return
        use = "READ" if is_sent else "WRITTEN"
        buffer = f"&(struct ork_buffer){{ORK_BUFFER_{use}, {p.name}, {count.name}, {datatype.name}}}"
        self.add(f"ork_may_reach({p.name}, {count.name}, {datatype.name})", f'ork_wrong_reach(call, "{p.name}", {buffer})', guard, True)

    def result(self, p):
        if p.kind == "STATUS" and p.direction == "out" and not p.is_array:
            self.add(f"{p.name} == ork_fortran_constants.statuses_ignore", f'ork_wrong_status(call, "{p.name}", {p.name})')
        if p.kind in NULL_RESULTS or p.direction == "in":
            return
        if p.is_array and p.length and p.length in {q.name for q in self.function.parameters}:
            self.add(f"{p.name} == NULL && {p.length} > 0", f'ork_wrong_null_array(call, "{p.name}", {p.name}, {p.length})')
        elif not p.is_array and p.direction == "out":
            self.add(f"{p.name} == NULL", f'ork_wrong_null(call, "{p.name}", {p.name})')

    def input_array(self, p):
        length = _length(self.function, p)
        guard = self.described_guard(p)
        if length and p.kind not in ("WEIGHT", "STRING_2DARRAY"):
            self.add(f"{p.name} == NULL && {length} > 0", f'ork_wrong_null_array(call, "{p.name}", {p.name}, {length})', guard, True)

    def operator(self):
        f = self.function
        datatypes = [p for p in f.parameters if p.kind == "DATATYPE" and p.direction == "in" and not p.is_array]
        if self.op is None or not datatypes:
            return
        use = "ORK_OP_REDUCTION" if self.win is None else "ORK_OP_ACCUMULATE"
        if self.win is not None and any(p.kind == "BUFFER" and p.direction == "out" for p in f.parameters):
            use = "ORK_OP_FETCH"
        self.add(f"!ork_op_fits({self.op.name}, {datatypes[-1].name}, {use})",
                 f'ork_wrong_op(call, "{self.op.name}", {self.op.name}, {datatypes[-1].name}, {use})', self.guard(self.op))

    def topology(self):
        f = self.function
        if f.topology:
            if f.topology not in ("any", "cartesian", "graph", "distributed"):
                raise SpecError(f"{f.place}: no such topology: {f.topology}")
            self.add(f"!ork_has_topology(bounds, ORK_TOPOLOGY_{f.topology.upper()})",
                     f'ork_wrong_topology(call, "{self.comm.name}", bounds, ORK_TOPOLOGY_{f.topology.upper()})')

    def signatures(self):
        """What a one-sided call moves between its buffers and the target."""
        f = self.function
        names = [(p.name, q.name) for p, q in zip(f.parameters, f.parameters[1:]) if (p.kind, q.kind) == ("COUNT", "DATATYPE")]
        if f.op[0] != "rma" or len(names) < 2:
            return
        (origin, *result, target) = names
        target_guard = next(f"{p.name} != MPI_PROC_NULL" for p in f.parameters if p.kind == "TARGET")
        moves = [("gets", target, origin)] if f.op[1] == "get" else [(VERBS[f.op[1]], origin, target)]
        moves += [("fetches", target, r) for r in result]
        for verb, (count, datatype), (room, room_type) in moves:
            guard = f"{self.op.name} != MPI_NO_OP && {target_guard}" if self.op is not None and verb != "fetches" else target_guard
            self.add(f"{datatype} != {room_type} || {count} > {room}",
                     f'ork_wrong_signature(call, "{verb}", {count}, {datatype}, {room}, {room_type})', guard)

    def described(self, p, i):
        """The elements of a buffer: a literal of struct ork_buffer; "": unknown. Packed data is at a position."""
        count, datatype = _content(self.function, i)
        if datatype is not None and (count is None or not count.is_array):
            return f"&(struct ork_buffer){{.address = {p.name}, .count = {count.name if count else 1}, .type = {datatype.name}}}"
        position = next((p for p in self.function.parameters if p.kind == "POSITION"), None)
        count, datatype = _first(self.function, "COUNT"), _first(self.function, "DATATYPE")
        if position is None or count is None or datatype is None:
            return ""
        return f"ORK_PACKED({p.name}, {position.name}, {count.name}, {datatype.name})"

    def aliases(self):
        """What a local or one-sided call reads must be apart from what it writes. Others look at their buffers by themselves."""
        f = self.function
        buffers = [(i, p) for i, p in enumerate(f.parameters) if p.kind == "BUFFER"]
        if f.op[0] not in ("local", "rma"):
            return
        for i, p in buffers:
            for k, q in buffers:
                if p.direction != "in" or q.direction == "in":
                    continue
                a, b = self.described(p, i), self.described(q, k)
                is_origin = f.op[0] == "rma" and (i, p) == buffers[0]
                row = "ORK_USAGE_BUFFER_ALIAS_RMA" if is_origin else "ORK_USAGE_BUFFER_ALIAS"
                guard = f"{self.op.name} != MPI_NO_OP" if f.op[0] == "rma" and self.op is not None else ""
                if a and b:
                    self.add(f"ork_may_alias({a}, {b})", f"ork_wrong_alias(call, {a}, {b}, {row})", _both(guard, self.sent_to(i)))

    def environment(self, p):
        """An attribute of the environment must not be changed or deleted, nor its key be freed."""
        f = self.function
        if p.kind != "KEYVAL" or p.direction == "out" or any(q.kind == "ATTRIBUTE" and q.direction == "out" for q in f.parameters):
            return
        if p.direction == "inout":
            self.add(f"{p.name} != NULL && ork_is_environment(*{p.name})",
                     f'ork_wrong_environment(call, "{p.name}", *{p.name})', f"{p.name} != NULL")
        elif self.comm is not None:
            self.add(f"{self.comm.name} == MPI_COMM_WORLD && ork_is_environment({p.name})",
                     f'ork_wrong_environment(call, "{p.name}", {p.name})', f"{self.comm.name} == MPI_COMM_WORLD")

    def set_of_ranks(self, p):
        group = _first(self.function, "GROUP")
        if group is not None and p.kind == "RANK":
            self.add(None, f'ork_wrong_group_ranks(call, "{p.name}", {group.name}, {p.length}, {p.name})')
        elif group is not None and p.kind == "RANGE":
            self.add(None, f'ork_wrong_group_ranges(call, "{p.name}", {group.name}, {p.length}, {p.name})')
        elif group is not None and p.kind == "RANK_OR_NULL":
            self.add(None, f'ork_wrong_translated(call, "{p.name}", {group.name}, {p.length}, {p.name})')

    def subgroup(self):
        """The members of a new communicator."""
        f = self.function
        group = _first(f, "GROUP")
        if group is not None and self.comm is not None and any(q.kind == "COMM" and q.direction == "out" for q in f.parameters):
            self.add(None, f'ork_wrong_subgroup(call, "{group.name}", {group.name}, bounds)')

    def grid(self, p):
        """The dimensions of a grid, or coordinates in it."""
        f = self.function
        makes_comm = any(q.kind == "COMM" and q.direction == "out" for q in f.parameters)
        if p.kind == "DIMENSION" and p.direction == "in" and makes_comm:
            self.add(None, f'ork_wrong_grid(call, "{p.name}", bounds, {p.length}, {p.name})')
        elif p.kind == "DIMENSION" and p.direction == "inout":
            processes = _first(f, "NUM_PROCESSES")
            self.add(None, f'ork_wrong_division(call, "{p.name}", {p.length}, {p.name}, {processes.name})')
        elif p.kind == "COORDINATE" and p.direction == "in":
            self.add(None, f'ork_wrong_coordinates(call, "{p.name}", bounds, {p.name})')

    def graph(self, p, i):
        """The nodes and edges of a graph, or the neighbours of a process."""
        before = self.function.parameters[:i]
        if p.kind == "INDEX":
            edges = self.function.parameters[i + 1].name
            self.add(None, f'ork_wrong_graph(call, "{p.name}", bounds, {p.length}, {p.name}, "{edges}", {edges})')
        elif p.kind == "RANK" and self.comm is not None and before[-1].kind != "INDEX":
            self.add(None, f'ork_wrong_neighbours(call, "{p.name}", bounds, {self.num_edges(before, p)}, {p.name})')
        elif p.kind == "WEIGHT":
            self.add(None, f'ork_wrong_weights(call, "{p.name}", {self.num_edges(before[:-1], before[-1])}, {p.name})')

    def num_edges(self, before, p):
        """The number of elements of an array of neighbours: its length, or the sum of the degrees before it."""
        return p.length or f"ork_sum({before[-1].length}, {before[-1].name})"

    def part(self):
        """The datatype of a part of an array."""
        arrays = {p.kind: p.name for p in self.function.parameters if p.is_array}
        n = _first(self.function, "NUM_DIMS")
        if "START" in arrays:
            sizes, parts = [p.name for p in self.function.parameters if p.kind == "ARRAY_SIZE"]
            starts = arrays["START"]
            self.add(None, f'ork_wrong_part(call, {n.name}, {sizes}, "{parts}", {parts}, "{starts}", {starts})')
        elif "DISTRIBUTION" in arrays:
            size, rank = _first(self.function, "NUM_PROCESSES"), _first(self.function, "RANK")
            names = [arrays[kind] for kind in ("ARRAY_SIZE", "DISTRIBUTION", "DISTRIBUTION_ARGUMENT", "DIMENSION")]
            self.add(None, "ork_wrong_distributed(call, &(struct ork_distributed){"
                     + ", ".join([size.name, rank.name, n.name] + names) + "})")

    def attached(self):
        """The attached buffer must have room for a buffered send. That of a persistent one is needed when it is started."""
        f = self.function
        if f.op[0] != "send" or "buffered" not in f.op or "persistent" in f.op:
            return
        count, datatype, dest = (_first(f, kind).name for kind in ("COUNT", "DATATYPE", "DESTINATION"))
        amount = f"ork_amount({count}, {datatype}).bytes"
        self.add(f"ork_attached_lacks({amount})", f"ork_wrong_attached(call, {dest}, {amount})")

    def parameter(self, p, i):
        if p.kind in LEAST:
            self.least(p, i)
        elif p.kind in ("DESTINATION", "SOURCE", "ROOT", "TARGET", "RANK") and p.direction == "in" and not p.is_array:
            self.rank(p)
        elif p.kind in ("TAG", "RECV_TAG"):
            self.tag(p, i)
        elif p.kind == "COMM":
            self.comm_handle(p)
        elif p.kind in HANDLES:
            self.handle(p)
        elif p.kind == "DATATYPE" and p.direction == "in" and not p.is_array:
            self.datatype(p, i)
        elif p.kind == "DATATYPE" and p.direction == "in":
            self.datatypes(p, i)
        elif p.kind == "DISPLACEMENT" and p.direction == "in" and p.is_array:
            self.displacements(p, i)
        elif p.kind == "REQUEST" and p.direction == "inout" and not p.is_array:
            self.add(f"ork_is_no_request({p.name})", f'ork_wrong_request(call, "{p.name}", {p.name})')
        elif p.kind == "DATATYPE" and p.direction == "inout":
            self.own_datatype(p)
        elif p.kind == "BUFFER":
            self.buffer(p, i)
        elif p.kind == "C_BUFFER" and p.direction == "in":
            self.memory(p, i, "BYTES")
        elif p.kind in CHOICES:
            row, words = CHOICES[p.kind]
            wrong = " && ".join(f"{p.name} != {w}" for w in words.split())
            self.add(wrong, f'ork_wrong_value(call, ORK_USAGE_{row}, "{p.name}", {p.name}, {wrong})')
        elif p.kind == "COLOR":
            wrong = f"{p.name} < 0 && {p.name} != MPI_UNDEFINED"
            self.add(wrong, f'ork_wrong_value(call, ORK_USAGE_COLOR, "{p.name}", {p.name}, {wrong})')
        elif p.kind == "ASSERT":
            allowed = " | ".join(f"MPI_MODE_{w}" for w in self.function.assertions.split()) or "0"
            wrong = f"({p.name} & ~({allowed})) != 0"
            self.add(wrong, f'ork_wrong_value(call, ORK_USAGE_ASSERTION, "{p.name}", {p.name}, {wrong})')
        elif p.kind == "DIRECTION":
            wrong = f"{p.name} < 0 || {p.name} >= bounds->num_dims"
            self.add(wrong, f'ork_wrong_value(call, ORK_USAGE_DIRECTION, "{p.name}", {p.name}, {wrong})')

    def all(self):
        for p in self.function.parameters:
            if p.is_array and p.direction == "in" and p.kind != "REQUEST":
                self.input_array(p)
        for i, p in enumerate(self.function.parameters):
            self.parameter(p, i)
            self.result(p)
            self.environment(p)
            if p.is_array and p.direction == "in":
                self.set_of_ranks(p)
                self.graph(p, i)
            if p.is_array:
                self.grid(p)
        self.topology()
        self.subgroup()
        self.part()
        self.attached()
        self.operator()
        self.signatures()
        self.aliases()
        return self.found


def _order(check):
    """The communicator first, then the other handles and the topology, then what needs them."""
    if "ork_is_good_comm(" in (check.hot or ""):
        return 0
    return 1 if re.search(r"ork_wrong_(handle|datatypes?|topology)\(", check.cold) else 2


def of(function):
    """The checks of a function, in the order of the examination, which ends with the first mistake."""
    return [] if function.op[0] in UNCHECKED else sorted(_Checks(function).all(), key=_order)


def _bounds(function, lines):
    """The declaration of `bounds`, if the lines use it."""
    comm = _comm(function)
    used = comm is not None and any("bounds" in re.sub(r"\bork_\w*bounds\b", "", line) for line in lines)
    return [f"    const struct ork_comm_bounds *bounds = ork_bounds_of({comm.name});"] if used else []


def statements(function, checks):
    """C statements of the hook: the fast questions, and the call of the examination."""
    if not checks:
        return []
    examine = f"examine_{function.name}({', '.join(['call'] + [p.name for p in function.parameters])});"
    if any(c.hot is None for c in checks):
        return [f"    {examine}"]
    questions = [c.question() for c in checks]
    return _bounds(function, questions) + [f"    if (ORK_UNLIKELY({' || '.join(questions)}))", f"        {examine}"]


def examination(function, checks, parameters):
    """The C function that examines the arguments. `parameters`: their declarations."""
    if not checks:
        return []
    parts = [c.examination() for c in checks]
    declared = ", ".join(["const struct ork_call *call"] + parameters)
    return [f"__attribute__((cold, noinline)) static void examine_{function.name}({declared})",
            "{", *_bounds(function, parts), *[f"    (void){p.name};" for p in function.parameters],
            f"    (void)({' || '.join(parts)});", "}", ""]
