# SPDX-License-Identifier: BSD-3-Clause
"""Writes the C of the hooks. Knows parameter kinds and operations; names no MPI function."""

import re

import buffers
import checks
import agreed
import handles
from spec import SpecError

# Kind of the standard -> C type of one value. Kinds that C does not tell apart differ in the values that are valid:
#   DESTINATION, SOURCE and TARGET are ranks, or MPI_PROC_NULL; a SOURCE also MPI_ANY_SOURCE; a RANK is neither;
#   a RECV_TAG is a TAG or MPI_ANY_TAG;
#   COUNT, LENGTH, BLOCK_LENGTH, BYTES, SIZE, TARGET_DISP, DEGREE and OFFSET are not negative;
#   DISP_UNIT, ARRAY_SIZE, NUM_DIMS and NUM_PROCESSES are positive;
#   DISPLACEMENT, STRIDE, AINT, SHIFT, COORDINATE, KEY and DISTANCE may be anything.
TYPES = {
    "ACCESS_MODE": "int", "AINT": "MPI_Aint", "ARRAY_SIZE": "int", "ASSERT": "int", "BLOCK_LENGTH": "int", "BYTES": "int",
    "COLOR": "int", "COMBINER": "int", "COMM": "MPI_Comm", "COMPARISON": "int", "COORDINATE": "int", "COUNT": "int",
    "DATATYPE": "MPI_Datatype", "DEGREE": "int", "DESTINATION": "int", "DIMENSION": "int", "DIRECTION": "int", "DISPLACEMENT": "int",
    "DISP_UNIT": "int", "DISTANCE": "MPI_Offset", "DISTRIBUTION": "int", "DISTRIBUTION_ARGUMENT": "int",
    "ERRHANDLER": "MPI_Errhandler", "ERROR": "int", "ERROR_CLASS": "int", "FILE": "MPI_File", "GROUP": "MPI_Group", "INDEX": "int",
    "INFO": "MPI_Info",
    "INFO_OBJECT": "MPI_Info", "INT": "int", "KEY": "int", "KEYVAL": "int", "KEY_INDEX": "int", "LARGE_COUNT": "MPI_Count", "LENGTH": "int",
    "LEVEL": "int", "LOCK_TYPE": "int", "LOGICAL": "int", "MESSAGE": "MPI_Message", "NUM_DIMS": "int", "NUM_PROCESSES": "int",
    "OFFSET": "MPI_Offset", "OP": "MPI_Op", "ORDER": "int", "POSITION": "int", "POSITION_AINT": "MPI_Aint", "PRECISION": "int",
    "RANK": "int", "RANK_OR_NULL": "int", "RECV_TAG": "int", "REQUEST": "MPI_Request", "ROOT": "int", "SHIFT": "int",
    "SIZE": "MPI_Aint", "SOURCE": "int", "SPLIT_TYPE": "int", "START": "int", "STATUS": "MPI_Status", "STRIDE": "int", "TAG": "int",
    "TARGET": "int", "TARGET_DISP": "MPI_Aint", "THREAD_LEVEL": "int", "TOPOLOGY": "int", "TYPE_CLASS": "int",
    "VIEW_DISPLACEMENT": "MPI_Offset", "WEIGHT": "int", "WHENCE": "int", "WIN": "MPI_Win",
}
# Kinds with a C form of their own, by direction ('%s' is the name).
SPECIAL = {
    ("BUFFER", "in"): "const void *%s", ("BUFFER", "out"): "void *%s",
    ("BUFFER", "inout"): "void *%s", ("C_BUFFER", "in"): "void *%s",
    ("C_BUFFER", "out"): "void *%s", ("STRING", "in"): "const char *%s",
    ("STRING", "out"): "char *%s", ("ARGUMENT_COUNT", "inout"): "int *%s",
    ("ARGUMENT_LIST", "inout"): "char ***%s", ("STRING_ARRAY", "in"): "char *%s[]",
    ("STRING_2DARRAY", "in"): "char **%s[]", ("STATUS", "in"): "const MPI_Status *%s",
    ("LOCATION", "in"): "const void *%s", ("RANGE", "in"): "int %s[][3]",
    ("ATTRIBUTE", "in"): "void *%s", ("ATTRIBUTE", "out"): "void *%s", ("EXTRA_STATE", "in"): "void *%s",
}
# A callback's kind is its C type in capitals: USER_FUNCTION is MPI_User_function.
CALLBACK = re.compile(r"[A-Z]\w*_FUNCTION$")
# Handles that the standard passes as arrays without const in C.
MUTABLE_ARRAYS = ("REQUEST", "STRING_ARRAY", "STRING_2DARRAY")

# (kind, given) -> field of struct ork_args; given: "in" by value, "out" by address. A second value
# of a kind goes to the field with a 2.
FIELDS = {
    ("COUNT", "in"): "count", ("DATATYPE", "in"): "datatype", ("DATATYPE", "out"): "newtype",
    ("DESTINATION", "in"): "peer", ("SOURCE", "in"): "peer",
    ("TAG", "in"): "tag", ("RECV_TAG", "in"): "tag", ("COMM", "in"): "comm", ("COMM", "out"): "newcomm",
    ("REQUEST", "in"): "polled", ("REQUEST", "out"): "request", ("LENGTH", "in"): "length", ("LENGTH", "out"): "outcount",
    ("INDEX", "out"): "index", ("LOGICAL", "out"): "flag", ("STATUS", "out"): "status",
    ("MESSAGE", "out"): "message", ("OP", "in"): "op", ("ROOT", "in"): "root",
    ("GROUP", "in"): "group", ("COLOR", "in"): "color", ("STRING", "in"): "name",
    ("ERROR", "in"): "errorcode", ("ERRHANDLER", "in"): "errhandler", ("RANK", "in"): "rank", ("WIN", "in"): "win",
    ("WIN", "out"): "newwin", ("FILE", "in"): "file", ("FILE", "out"): "newfile",
    ("BUFFER", "in"): "sendbuf", ("BUFFER", "out"): "recvbuf",
    ("LOCK_TYPE", "in"): "lock_type", ("ASSERT", "in"): "assertion", ("LEVEL", "in"): "level",
    ("TARGET", "in"): "target", ("TARGET_DISP", "in"): "target_disp", ("SIZE", "in"): "size", ("C_BUFFER", "in"): "base",
    ("LOCATION", "in"): "base", ("BYTES", "in"): "size", ("ACCESS_MODE", "in"): "amode", ("VIEW_DISPLACEMENT", "in"): "displacement",
    ("DISTANCE", "in"): "distance", ("WHENCE", "in"): "whence",
}

# What RMA calls have besides, by the names of the standard: the target's elements are the last ones.
RMA_FIELDS = {"origin_addr": "origin", "compare_addr": "compare", "result_addr": "result", "result_count": "count3",
              "result_datatype": "datatype3"}

_SEND = {w: "ORK_SEND_" + w.upper() for w in ("standard", "synchronous", "buffered", "ready")}
_EPOCH = {w: "ORK_KIND_WIN_" + w.upper()
          for w in ("post", "start", "complete", "wait", "lock", "unlock")}
_FLUSH = {"target": "ORK_EPOCH_DO_FLUSH", "all": "ORK_EPOCH_DO_FLUSH_ALL", "sync": "ORK_EPOCH_DO_SYNC",
          "local": "ORK_EPOCH_DO_FLUSH | ORK_FLUSH_LOCAL", "local_all": "ORK_EPOCH_DO_FLUSH_ALL | ORK_FLUSH_LOCAL"}
_RMA = {w: "ORK_ACCESS_" + w.upper() for w in ("put", "get", "accumulate", "fetch", "swap")}
_ACCESS = {f"{verb}{how}": f"ORK_FILE_{verb.upper()} | ORK_FILE_{pointer}"
           for verb in ("read", "write") for how, pointer in (("", "INDIVIDUAL"), ("_at", "EXPLICIT"), ("_shared", "SHARED"))}
_ACCESS |= {"seek": "ORK_FILE_INDIVIDUAL | ORK_FILE_POSITION", "position": "ORK_FILE_INDIVIDUAL | ORK_FILE_POSITION",
            "position_shared": "ORK_FILE_SHARED | ORK_FILE_POSITION"}
_WAIT = {w: "ORK_WAIT_" + w.upper() for w in ("one", "all", "any", "some")}
FLAGS = {"nonblocking": "ORK_F_NONBLOCKING", "persistent": "ORK_F_PERSISTENT",
         "matched": "ORK_F_MATCHED"}

class Operation:
    """What an operation adds to a function. A mode of "*" is any word W, meaning ORK_COLL_W. `required`: fields that it must find;
    `optional`: those that it takes if they are there. `before` and `after`: the arguments of ork_before_X() and ork_after_X(), the
    operation's part before and after the real call; None: no such part."""

    def __init__(self, before, after, required="", optional="", modes=None):
        self.before = None if before is None else before.split()
        self.after = None if after is None else after.split()
        self.required = required.split()
        self.optional = optional.split()
        self.modes = modes

    def fields(self):
        return self.required + self.optional

    def takes(self, argument):
        return argument in (self.before or []) + (self.after or [])


OPS = {
    "send": Operation("call args mode flags", "call args mode flags result", "count datatype peer tag comm sendbuf", "request", _SEND),
    "recv": Operation("call args flags", "call args flags result", "count datatype peer tag comm recvbuf", "request status"),
    "sendrecv": Operation("call args", "call args result", "count datatype peer tag peer2 tag2 comm status recvbuf",
                          "count2 datatype2 sendbuf"),
    "probe": Operation("call args flags", "call args flags result", "peer tag comm status", "message"),
    "iprobe": Operation("args", "call args flags result", "peer tag comm flag status", "message"),
    "mrecv": Operation("call args flags", "call args flags result", "count datatype message recvbuf", "request status"),
    "start": Operation("call args", "call args result", "request", "length"),
    "wait": Operation("call args mode", "call args mode result", "request status", "length outcount index", _WAIT),
    "test": Operation("call args mode", "call args mode result", "request status", "length flag outcount index", _WAIT),
    "poll": Operation("call args", "call args result", "flag polled"),
    "cancel": Operation("call args", "call result", "request"),
    "request_free": Operation("call args", "call args result", "request"),
    "collective": Operation("call args mode flags", "call args mode flags result", "comm", "root op request", "*"),
    "constructor": Operation("call args mode flags", "call args mode flags result", "comm newcomm",
                             "request group tag color rank rank2 comm2 root", "*"),
    "comm_free": Operation("call args mode", "call args result", "newcomm", modes="*"),
    "comm_name": Operation(None, "call args result", "comm name"),
    "win_maker": Operation("call args mode", "call args mode result", "comm newwin", modes="*"),
    "win_free": Operation("call args mode", "call args result", "newwin", modes="*"),
    "win_collective": Operation("call args mode", "call args mode result", "win", "assertion", "*"),
    "epoch": Operation("call args mode", "call args mode result", "win", "group rank lock_type assertion", _EPOCH),
    "win_test": Operation("call args", "call args result", "win flag"),
    "rma": Operation("call args mode flags", "call args mode flags result", "win target target_disp datatype origin",
                     "count count2 datatype2 op request result compare count3 datatype3", _RMA),
    "flush": Operation("call args mode", "call args mode result", "win", "rank", _FLUSH),
    "win_attach": Operation("call args", "call args result", "win base size"),
    "win_detach": Operation("call args", None, "win base"),
    "win_shared": Operation("call args", None, "win"),
    "win_name": Operation(None, "call args result", "win name"),
    "file_open": Operation("call args mode", "call args mode result", "comm newfile", "amode", "*"),
    "file_close": Operation("call args mode", "call args result", "newfile", modes="*"),
    "file_collective": Operation("call args mode flags", "call args mode flags result", "file",
                                 "request status count displacement distance whence datatype datatype2", "*"),
    "file_begin": Operation("call args mode", "call args mode result", "file", "count datatype", "*"),
    "file_end": Operation("call args mode", "call args mode result", "file", modes="*"),
    "file_access": Operation("call args mode", None, "file", "status count datatype distance whence", _ACCESS),
    "file_pointer": Operation("call args mode", "call args result", "file", "status count datatype", _ACCESS),
    "file_start": Operation("call args mode", "call args mode result", "file request", "count datatype", _ACCESS),
    "init": Operation("", "call result"),
    "finalize": Operation("call", "call result"),
    "abort": Operation("call args", None, "comm errorcode"),
    "control": Operation("call args", None, "level"),
    "errhandler": Operation("args", None, "errhandler"),
    "outside": Operation("call", "call result"),
    "join": Operation("call args", "call args result", "newcomm"),
    "attach": Operation("call", "call args result", "size base"),
    "detach": Operation("call", "call result"),
    "local": Operation(None, None),
    "free_mem": Operation("call args", None, "base"),
    "type_commit": Operation("call args", "args result", "newtype"),
}
# Operations with scratch memory of their own, too large to be cleared at each call.
SCRATCH = {op: "struct ork_wait_set" for op in ("wait", "test", "start", "request_free")}
# Operations that can have templates (interceptor/fastpath/loop_body.h): the arguments of ork_template_X() and of the function that
# ends it; and the modes and flags with which they can.
STEPS = {
    "send": ("template args flags", "sent", "template args mode flags result", ("standard", "synchronous", "ready", "nonblocking")),
    "recv": ("template args flags", "received", "template args flags result", ("nonblocking",)),
    "sendrecv": ("template args", "leave", "template result", ()),
    "probe": ("template args", "found", "template args flags result", ("matched",)),
    "mrecv": ("template args flags", "mreceived", "template args flags result", ("nonblocking",)),
    "start": ("template args", "started", "template args result", ()),
    "wait": ("template args", "waited", "template args mode result", ("one", "all", "any", "some")),
    "test": ("template args", "tested", "template args mode result", ("one", "all", "any", "some")),
    "iprobe": ("template args", "probed", "template args flags result", ("matched",)),
    "rma": ("template args mode flags", "accessed", "template args mode flags result",
            ("put", "get", "accumulate", "fetch", "swap", "nonblocking")),
    "flush": ("template args", "flushed", "template mode result", ("target", "all", "local", "local_all")),
    "win_collective": ("template args", "fenced", "template args mode result", ("Win_fence",)),
    "epoch": ("template args mode", "epoch_passed", "template args mode result", tuple(_EPOCH)),
    "win_test": ("template args", "win_tested", "template args result", ()),
}
# Operations that may be choices (interceptor/outcomes/choice.h), unless the call only starts one.
CHOICES = ("recv", "sendrecv", "probe", "iprobe", "wait", "test", "poll")
# Constructors that start processes, for which the library may get another command (interceptor/process/spawn.h): the function that
# says which, its arguments, and how the call names what it gets.
SPAWNS = {
    "Comm_spawn": ("ork_spawn_begin", "command argv info", {"command": "spawn.command[0]", "argv": "spawn.argv[0]"}),
    "Comm_spawn_multiple": ("ork_spawn_multiple_begin", "count array_of_commands array_of_argv array_of_info",
                            {"array_of_commands": "spawn.command", "array_of_argv": "spawn.argv"}),
}
# How --must:noise delays an operation: word W means ORK_NOISE_W. The others are not delayed.
NOISE = dict.fromkeys(("send", "recv", "sendrecv", "probe", "mrecv", "start", "wait", "epoch"), "call")
NOISE |= dict.fromkeys(("iprobe", "test", "poll", "win_test"), "poll")
# How the hook of an operation begins, if not by ork_begin(): before anything is recorded; and if nothing is recorded of the call.
BEGIN = {"init": "ork_begin_unattached", **dict.fromkeys(("local", "free_mem", "type_commit", "file_access", "attach"), "ork_begin_local")}


def declaration(p, is_const=True):
    """The parameter as C declares it. `is_const`: an array that is only read is const."""
    if (p.kind, p.direction) in SPECIAL:
        return SPECIAL[p.kind, p.direction] % p.name
    if CALLBACK.match(p.kind) and p.direction == "in":
        return f"MPI_{p.kind.capitalize()} *{p.name}"
    if p.kind not in TYPES:
        raise SpecError(f"no C type for {p.direction} {p.kind} {p.name}")
    const = "const " if is_const and p.is_array and p.direction == "in" and p.kind not in MUTABLE_ARRAYS else ""
    if p.is_array:
        return f"{const}{TYPES[p.kind]} {p.name}[]"
    return f"{TYPES[p.kind]} {'' if p.direction == 'in' else '*'}{p.name}"


def fields(function):
    """{field: C expression} for all parameters that have one."""
    found = {}
    for p in function.parameters:
        # An array that is only read is not the scalar of its kind.
        if p.is_array and p.direction == "in":
            continue
        if p.name in RMA_FIELDS:
            found[RMA_FIELDS[p.name]] = p.name
        name = FIELDS.get((p.kind, "in" if p.direction == "in" else "out"))
        if name is None:
            continue
        found[name + "2" if name in found else name] = p.name
    return found


def _operation(function):
    """(op, mode, flags, {field: expression}) with every word checked."""
    op, *words = function.op
    if op not in OPS:
        raise SpecError(f"{function.place}: no such op: {op}")
    modes = OPS[op].modes
    mode, flags = "0", []
    for word in words:
        if word in FLAGS and OPS[op].takes("flags"):
            flags.append(FLAGS[word])
        elif modes == "*":
            mode = "ORK_COLL_" + word.upper()
        elif modes and word in modes:
            mode = modes[word]
        else:
            raise SpecError(f"{function.place}: op {op} knows no '{word}'")
    if modes and mode == "0":
        raise SpecError(f"{function.place}: op {op} needs a mode")
    found = fields(function)
    for name in OPS[op].required:
        if name not in found:
            raise SpecError(f"{function.place}: op {op} needs a {name}")
    return op, mode, " | ".join(flags) or "0", {k: v for k, v in found.items() if k in OPS[op].fields()}


_BYTES = re.compile(
    r"(sum )?(\w+) \* (\w+)( per process)?(?: at (senders|participants|root))?$")


def contribution(function):
    """C statements that set args.bytes, and args.is_void from one count and one datatype."""
    if not function.bytes:
        return []
    match = _BYTES.match(function.bytes)
    by_name = {p.name: p for p in function.parameters}
    if not match or match[2] not in by_name or match[3] not in by_name:
        raise SpecError(f"{function.place}: not an amount: '{function.bytes}'")
    total, count, datatype, per_process, who = match.groups()
    if bool(total) != by_name[count].is_array or (by_name[datatype].is_array and not total):
        raise SpecError(f"{function.place}: 'sum' goes with an array of counts")
    extent = " * ork_comm_extent(args.comm)" if per_process else ""
    if not total:
        lines = [f"    struct ork_amount amount = ork_amount({count}, {datatype});",
                 f"    args.bytes = amount.bytes{extent};", "    args.type = amount.type;"]
        lines.append(f"    args.is_void = ork_is_void({count}, {datatype});")
    else:
        function_name = "ork_bytes_of_types" if by_name[datatype].is_array else "ork_bytes_sum"
        lines = [f"    args.bytes = {function_name}(args.comm, {count}, {datatype});"]
    lines.append("    args.sends = true;")
    if not who:
        return lines
    return [f"    if (ork_contributes(&args, ORK_AT_{who.upper()})) {{"] + ["    " + x for x in lines] + ["    }"]


# What an operation finds in a field that the function does not have; else 0.
DEFAULTS = {
    "root": "ORK_NO_ROOT", "op": "MPI_OP_NULL", "length": "1", "group": "MPI_GROUP_NULL",
    "comm2": "MPI_COMM_NULL", "rank": "ORK_NO_RANK", "lock_type": "MPI_LOCK_SHARED",
    "datatype": "MPI_DATATYPE_NULL",
    "datatype2": "MPI_DATATYPE_NULL", "datatype3": "MPI_DATATYPE_NULL", "sendbuf": "NULL", "origin": "NULL", "result": "NULL",
    "compare": "NULL", "request": "NULL", "status": "NULL", "message": "NULL", "outcount": "NULL", "index": "NULL", "flag": "NULL",
}


def _args(op, values, function):
    """Assignments to all fields of struct ork_args that the operation takes, and no others."""
    lines = [f"    args.{name} = {values.get(name, DEFAULTS.get(name, '0'))};" for name in OPS[op].fields()]
    buffers = [p.name for p in function.parameters if p.kind == "BUFFER"]
    if op == "collective":
        test = " || ".join(f"{b} == MPI_IN_PLACE" for b in buffers) or "false"
        lines += [f"    args.in_place = {test};", "    args.bytes = 0;", "    args.type = 0;", "    args.is_void = false;",
                  "    args.sends = args.receives = false;", "    args.words = 0;"]
    if op in SCRATCH:
        lines.append("    args.set = &set;")
    return lines + agreed.statements(function)


def _part(op, when, given):
    """The call of one part of an operation, or nothing."""
    wanted = getattr(OPS[op], when)
    return [] if wanted is None else [f"    ork_{when}_{op}({', '.join(given[name] for name in wanted)});"]


def _numbers_requests(function):
    """Are the requests of the function only in the table of requests? Persistent ones are also live handles."""
    return "request" in OPS[function.op[0]].fields() and "persistent" not in function.op


def _needs_call(function):
    return (OPS[function.op[0]].takes("call") or checks.of(function) or
            handles.concern(function, _numbers_requests(function)))


def _may_choose(function):
    op, *words = function.op
    return op in CHOICES and not {"nonblocking", "persistent"} & set(words)


def _body(function):
    """The statements of the function that both hooks share."""
    op, mode, flags, values = _operation(function)
    given = {"call": "call", "args": "&args", "mode": mode, "flags": flags, "result": "returned"}
    passed = ["args.status" if values.get("status") == p.name else p.name for p in function.parameters]
    out = handles.before(function)
    if op in SCRATCH:
        out.append(f"    {SCRATCH[op]} set;")
    if OPS[op].takes("args"):
        out += ["    struct ork_args args;", ""] + _args(op, values, function)
    out += contribution(function)
    if op == "collective" and "op" in values:
        out.append(f"    args.is_void |= {values['op']} == MPI_OP_NULL && args.bytes > 0;")
    out += checks.statements(function, checks.of(function)) + buffers.before(function, mode, flags) + _part(op, "before", given)
    out += [f"    ork_stored_look({p.name});" for p in function.parameters if p.kind == "REQUEST" and p.direction == "out"]
    # What the library calls back there are its accesses to memory, see interceptor/hooks/touch.c.
    begin, arguments, replaced = SPAWNS.get(function.op[-1], (None, "", {}))
    if begin:
        out += ["    struct ork_spawn spawn;", f"    {begin}(&spawn, &args, {', '.join(arguments.split())});"]
    out += _library_call(function, "int returned", [replaced.get(name, name) for name in passed])
    if begin:
        out.append("    ork_spawn_end(&spawn, &args, returned);")
    out.append(f"    ork_usage_settle({'call' if _needs_call(function) else 'NULL'}, returned);")
    out += _part(op, "after", given) + buffers.after(function, mode, flags) + handles.after(function, _numbers_requests(function))
    return out + _pending(function) + [f"    return {_returned(function, 'returned')};"]


def _library_call(function, result, passed):
    out = [f"    ork_error_handlers_wait(ORK_CALL_{function.name});"] if _may_choose(function) else []
    return out + ["    ork_thread.in_library++;", f"    {result} = ORK_NEXT({function.name})({', '.join(passed)});",
                  "    ork_thread.in_library--;"]


def _returned(function, result):
    """What the call returns to the program, after all that is recorded of it."""
    return f"ork_error_handlers_end({result})" if _may_choose(function) else result


def _pending(function):
    """A nonblocking operation on a file has begun."""
    file = [p.name for p in function.parameters if p.kind == "FILE" and p.direction == "in"]
    request = [p.name for p in function.parameters if p.kind == "REQUEST" and p.direction == "out"]
    if not file or not request:
        return []
    return ["    if (ORK_LIKELY(returned == MPI_SUCCESS))", f"        ork_file_pending(call, {file[0]}, *{request[0]});"]


def _when(function):
    """When the function may be called: see interceptor/process/outside.h."""
    if function.op[0] == "init":
        return "ORK_WHEN_ONCE"
    return "ORK_WHEN_EVER" if function.any_time else "ORK_WHEN_INITIALIZED"


def _is_step(function):
    op, *words = function.op
    return op in STEPS and set(words) <= set(STEPS[op][3])


def _step(function, parameters):
    """The function that makes the call by its template, if it has the next one."""
    op, mode, flags, values = _operation(function)
    before, end, after, _ = STEPS[op]
    given = {"template": "template", "args": "&args", "mode": mode, "flags": flags, "result": "*returned"}
    passed = ["args.status" if values.get("status") == p.name else p.name for p in function.parameters]
    own = ["const void *address", "int *returned"]
    return [
        f"ORK_INLINE bool template_{function.name}({', '.join(parameters + own)})", "{",
        f"    const struct ork_template *template = ork_template_of(ORK_CALL_{function.name}, address);",
        "    struct ork_args args;", "",
        "    if (template == NULL)", "        return false;",
        *[f"    args.{name} = {values.get(name, DEFAULTS.get(name, '0'))};" for name in OPS[op].fields()],
        f"    if (!ork_template_{op}({', '.join(given[name] for name in before.split())}))", "        return false;",
        *_library_call(function, "*returned", passed),
        f"    ork_template_{end}({', '.join(given[name] for name in after.split())});",
        *([f"    *returned = {_returned(function, '*returned')};"] if _may_choose(function) else []),
        "    return true;", "}", ""]


def hook(function):
    """Both hooks of a function and the body they share."""
    body = _body(function)
    op, name = function.op[0], function.name
    parameters = [declaration(p, function.const != "no") for p in function.parameters]
    names = [p.name for p in function.parameters]
    own = [("const struct ork_call *call", "&call")] if _needs_call(function) else []
    begin = BEGIN.get(op, "ork_begin")
    noise = "" if op in BEGIN else f"ORK_NOISE_{NOISE.get(op, 'none').upper()}, "
    out = checks.examination(function, checks.of(function), parameters)
    out += [f"static int hook_{name}({', '.join([p for p, _ in own] + parameters) or 'void'})", "{"] + body + ["}", ""]
    take = []
    if _is_step(function):
        out += _step(function, parameters)
        take = ["    int taken;", "",
                f"    if (template_{name}({', '.join(names)}, __builtin_return_address(0), &taken))",
                "        return taken;"]
    dots = ["..."] if function.is_variadic else []
    for prefix, level in (("", "ORK_LEVEL_MPI"), ("P", "ORK_LEVEL_PMPI")):
        level_of_begin = "" if op == "init" else level + ", "
        passed_on = [
            f"        bool is_outside = ork_is_outside(&call, ORK_CALL_{name}, {_when(function)},",
            "                                         __builtin_return_address(0));",
            *handles.freed_late(function, "is_outside"),
            f"        int returned = ORK_NEXT({name})({', '.join(names)});",
            "        if (ORK_UNLIKELY(is_outside))",
            "            ork_outside_returned(&call, returned);",
            "        return returned;", "    }"]
        out += [
            f"ORK_HOOK int {prefix}{name}({', '.join(parameters + dots) or 'void'})", "{",
            "    struct ork_call call;", *(take or [""]),
            f"    if (!{begin}(&call, ORK_CALL_{name}, {level_of_begin}{noise}__builtin_return_address(0))) {{",
            *passed_on,
            f"    return hook_{name}({', '.join([given for _, given in own] + names)});", "}", ""]
    return "\n".join(out)


HEAD = """/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by interceptor/gen from {source}. */
"""


def hooks(functions, source):
    """A C file with the hooks of `functions`."""
    keys = '#include "interceptor/objects/attribute_keys.h"\n' if any(handles.is_about_attributes(f) for f in functions) else ""
    return HEAD.format(source=source) + keys + '#include "interceptor/ops.h"\n\n' + "\n".join(
        hook(f) for f in functions)


def prototypes(functions, source):
    """The C declarations of the functions, by both names."""
    out = [HEAD.format(source=source)]
    for f in functions:
        parameters = [declaration(p, f.const != "no") for p in f.parameters] + (["..."] if f.is_variadic else [])
        out += [f"int {prefix}{f.name}({', '.join(parameters) or 'void'});\n" for prefix in ("", "P")]
    return "".join(out)


def calls(names, source):
    """The list of call ids."""
    return HEAD.format(source=source) + "".join(f"ORK_CALL({name})\n" for name in names)


def left(names, source):
    """The list of functions that do not pass through the tool."""
    return HEAD.format(source=source) + "".join(f"ORK_LEFT({name})\n" for name in names)


def agreed_arguments(functions, source):
    """The list of arguments that must be the same at all ranks."""
    return HEAD.format(source=source) + "".join(agreed.rows(functions))
