# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of collective calls that must be the same at all ranks, or at those of a group: the key `agreed` of a stanza.

The hook of such a function computes a value for each of them (interceptor/call/agreed.h), which its record has. agreed.def lists them.
"""

import re

from spec import SpecError

# Operations whose records have such values.
OPS = ("constructor", "file_open", "file_collective", "win_collective")
MAX = 4
_CLAUSE = re.compile(r"\s*([0-9.]+): (.+)$")


def _parameter(function, name):
    found = [p for p in function.parameters if p.name == name]
    if not found:
        raise SpecError(f"{function.place}: no parameter '{name}' can be equal")
    return found[0]


def _before(function, p):
    return function.parameters[function.parameters.index(p) - 1]


def _num_edges(function, p):
    """The number of weights: of the neighbours before them, or the sum of their degrees."""
    edges = _before(function, p)
    if edges.length:
        return edges.length
    degrees = _before(function, edges)
    return f"ork_sum({degrees.length}, {degrees.name})"


def _array(function, p):
    if p.kind == "DIMENSION":
        return "DIMENSIONS", f"ork_agreed_dimensions({p.length}, {p.name})"
    if p.kind == "LOGICAL":
        return "LIST", f"ork_agreed_logicals({p.length}, {p.name})"
    if p.kind == "INDEX":
        return "LIST", f"ork_agreed_list({p.length}, {p.name})"
    if p.kind == "RANK" and _before(function, p).kind == "INDEX":
        index = _before(function, p)
        return "LIST", f"ork_agreed_edges({index.length}, {index.name}, {p.name})"
    if p.kind == "WEIGHT":
        return "WEIGHTED", f"ork_agreed_weights({_num_edges(function, p)}, {p.name})"
    return None


def _scalar(function, p):
    if p.kind == "DATATYPE":
        datarep = [q for q in function.parameters if q.kind == "STRING"][0]
        return "NUMBER", f"ork_agreed_extent({p.name}, {datarep.name})"
    return {
        "ACCESS_MODE": ("MODES", f"ork_agreed_modes({p.name})"),
        "ASSERT": ("ASSERTIONS", f"ork_agreed_assertions({p.name})"),
        "DISTANCE": ("NUMBER", f"ork_agreed_number({p.name})"),
        "GROUP": ("GROUP", "0"),  # the detector has it from the list of the record
        "LENGTH": ("NUMBER", f"ork_agreed_number({p.name})"),
        "LOGICAL": ("LOGICAL", f"ork_agreed_logical({p.name})"),
        "OFFSET": ("NUMBER", f"ork_agreed_number({p.name})"),
        "RANK": ("NUMBER", f"ork_agreed_number({p.name})"),
        "SPLIT_TYPE": ("NUMBER", f"ork_agreed_split_type({p.name})"),
        "STRING": ("DATAREP", f"ork_agreed_datarep({p.name})"),
        "WHENCE": ("WHENCE", f"ork_agreed_seek({p.name})"),
    }.get(p.kind)


def of(function):
    """(name, section, form, C expression) of each value, in the order of the record's."""
    if not function.agreed:
        return []
    values = []
    for clause in function.agreed.split(";"):
        match = _CLAUSE.match(clause)
        if not match or function.op[0] not in OPS:
            raise SpecError(f"{function.place}: nothing can be equal: '{clause.strip()}'")
        for name in match[2].split():
            p = _parameter(function, name)
            form = _array(function, p) if p.is_array else _scalar(function, p)
            if form is None:
                raise SpecError(f"{function.place}: a {p.kind} cannot be equal: '{name}'")
            values.append(("extent of " + name if p.kind == "DATATYPE" else name, match[1]) + form)
    if len(values) > MAX:
        raise SpecError(f"{function.place}: more than {MAX} values")
    return values


def statements(function):
    """C statements that set args.agreed."""
    if function.op[0] not in OPS:
        return []
    values = [expression for *_, expression in of(function)]
    return [f"    args.agreed[{i}] = {value};" for i, value in enumerate(values + ["0"] * (MAX - len(values)))]


def rows(functions):
    """The rows of agreed.def."""
    out = []
    for function in functions:
        for i, (name, section, form, _) in enumerate(of(function)):
            out.append(f'ORK_AGREED({function.op[1].upper()}, {i}, "{name}", "{section}", {form})\n')
    return out
