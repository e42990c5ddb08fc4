# SPDX-License-Identifier: BSD-3-Clause
"""What the generator writes: the whole of two hooks, and the amounts."""

import unittest
import unittest.mock

import emit
import spec

ISEND = """MPI_Isend(in BUFFER buf, in COUNT count, in DATATYPE datatype, in DESTINATION dest, in TAG tag,
          in COMM comm, out REQUEST request)
    op: send standard nonblocking
"""
ISEND_C = """static int hook_MPI_Isend(const struct ork_call *call, const void *buf, int count, \
MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    struct ork_args args;

    args.count = count;
    args.datatype = datatype;
    args.peer = dest;
    args.tag = tag;
    args.comm = comm;
    args.sendbuf = buf;
    args.request = request;
    ork_before_send(call, &args, ORK_SEND_STANDARD, ORK_F_NONBLOCKING);
    ork_stored_look(request);
    ork_thread.in_library++;
    int returned = ORK_NEXT(MPI_Isend)(buf, count, datatype, dest, tag, comm, request);
    ork_thread.in_library--;
    ork_usage_settle(call, returned);
    ork_after_send(call, &args, ORK_SEND_STANDARD, ORK_F_NONBLOCKING, returned);
    return returned;
}

ORK_INLINE bool template_MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, \
MPI_Comm comm, MPI_Request *request, const void *address, int *returned)
{
    const struct ork_template *template = ork_template_of(ORK_CALL_MPI_Isend, address);
    struct ork_args args;

    if (template == NULL)
        return false;
    args.count = count;
    args.datatype = datatype;
    args.peer = dest;
    args.tag = tag;
    args.comm = comm;
    args.sendbuf = buf;
    args.request = request;
    if (!ork_template_send(template, &args, ORK_F_NONBLOCKING))
        return false;
    ork_thread.in_library++;
    *returned = ORK_NEXT(MPI_Isend)(buf, count, datatype, dest, tag, comm, request);
    ork_thread.in_library--;
    ork_template_sent(template, &args, ORK_SEND_STANDARD, ORK_F_NONBLOCKING, *returned);
    return true;
}

ORK_HOOK int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, \
MPI_Comm comm, MPI_Request *request)
{
    struct ork_call call;
    int taken;

    if (template_MPI_Isend(buf, count, datatype, dest, tag, comm, request, __builtin_return_address(0), &taken))
        return taken;
    if (!ork_begin(&call, ORK_CALL_MPI_Isend, ORK_LEVEL_MPI, ORK_NOISE_CALL, __builtin_return_address(0))) {
        bool is_outside = ork_is_outside(&call, ORK_CALL_MPI_Isend, ORK_WHEN_INITIALIZED,
                                         __builtin_return_address(0));
        int returned = ORK_NEXT(MPI_Isend)(buf, count, datatype, dest, tag, comm, request);
        if (ORK_UNLIKELY(is_outside))
            ork_outside_returned(&call, returned);
        return returned;
    }
    return hook_MPI_Isend(&call, buf, count, datatype, dest, tag, comm, request);
}

ORK_HOOK int PMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, \
MPI_Comm comm, MPI_Request *request)
{
    struct ork_call call;
    int taken;

    if (template_MPI_Isend(buf, count, datatype, dest, tag, comm, request, __builtin_return_address(0), &taken))
        return taken;
    if (!ork_begin(&call, ORK_CALL_MPI_Isend, ORK_LEVEL_PMPI, ORK_NOISE_CALL, __builtin_return_address(0))) {
        bool is_outside = ork_is_outside(&call, ORK_CALL_MPI_Isend, ORK_WHEN_INITIALIZED,
                                         __builtin_return_address(0));
        int returned = ORK_NEXT(MPI_Isend)(buf, count, datatype, dest, tag, comm, request);
        if (ORK_UNLIKELY(is_outside))
            ork_outside_returned(&call, returned);
        return returned;
    }
    return hook_MPI_Isend(&call, buf, count, datatype, dest, tag, comm, request);
}
"""

IBARRIER = "MPI_Ibarrier(in COMM comm, out REQUEST request)\n    op: collective Barrier nonblocking\n"

WAITANY = """MPI_Waitany(in LENGTH count, inout REQUEST array_of_requests[count], out INDEX index,
            out STATUS status)
    op: wait any
"""
WAITANY_C = """{
    struct ork_wait_set set;
    struct ork_args args;

    args.request = array_of_requests;
    args.status = status;
    args.length = count;
    args.outcount = NULL;
    args.index = index;
    args.set = &set;
    ork_before_wait(call, &args, ORK_WAIT_ANY);
    ork_error_handlers_wait(ORK_CALL_MPI_Waitany);
    ork_thread.in_library++;
    int returned = ORK_NEXT(MPI_Waitany)(count, array_of_requests, index, args.status);
    ork_thread.in_library--;
    ork_usage_settle(call, returned);
    ork_after_wait(call, &args, ORK_WAIT_ANY, returned);
    return ork_error_handlers_end(returned);
}
"""


NAME = "MPI_Comm_set_name(in COMM comm, in STRING comm_name)\n    op: comm_name\n"
NAME_C = """{
    struct ork_args args;

    args.comm = comm;
    args.name = comm_name;
    ork_thread.in_library++;
    int returned = ORK_NEXT(MPI_Comm_set_name)(comm, comm_name);
    ork_thread.in_library--;
    ork_usage_settle(call, returned);
    ork_after_comm_name(call, &args, returned);
    return returned;
}
"""

FINALIZE_C = """static int hook_MPI_Finalize(const struct ork_call *call)
{
    ork_before_finalize(call);
    ork_thread.in_library++;
    int returned = ORK_NEXT(MPI_Finalize)();
    ork_thread.in_library--;
    ork_usage_settle(call, returned);
    ork_after_finalize(call, returned);
    return returned;
}
"""

ERRHANDLER = "MPI_Comm_set_errhandler(in COMM comm, in ERRHANDLER errhandler)\n    op: errhandler\n"
ERRHANDLER_C = """static int hook_MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    struct ork_args args;

    args.errhandler = errhandler;
    ork_before_errhandler(&args);
    ork_thread.in_library++;
    int returned = ORK_NEXT(MPI_Comm_set_errhandler)(comm, errhandler);
    ork_thread.in_library--;
    ork_usage_settle(NULL, returned);
    return returned;
}
"""

STRUCT = """MPI_Type_struct(in COUNT count, in AINT displacements[count], in DATATYPE types[count], out DATATYPE newtype)
    op: local
"""
STRUCT_C = """static int hook_MPI_Type_struct(const struct ork_call *call, int count, \
const MPI_Aint displacements[], const MPI_Datatype types[], MPI_Datatype *newtype)
{
    ork_thread.in_library++;
    int returned = ORK_NEXT(MPI_Type_struct)(count, displacements, types, newtype);
    ork_thread.in_library--;
    ork_usage_settle(call, returned);
    if (ORK_LIKELY(returned == MPI_SUCCESS)) {
        ork_handle_made_type(call, newtype);
    }
    return returned;
}

ORK_HOOK int MPI_Type_struct(int count, const MPI_Aint displacements[], const MPI_Datatype types[], \
MPI_Datatype *newtype)
{
    struct ork_call call;

    if (!ork_begin_local(&call, ORK_CALL_MPI_Type_struct, ORK_LEVEL_MPI, __builtin_return_address(0))) {
        bool is_outside = ork_is_outside(&call, ORK_CALL_MPI_Type_struct, ORK_WHEN_INITIALIZED,
                                         __builtin_return_address(0));
        int returned = ORK_NEXT(MPI_Type_struct)(count, displacements, types, newtype);
        if (ORK_UNLIKELY(is_outside))
            ork_outside_returned(&call, returned);
        return returned;
    }
    return hook_MPI_Type_struct(&call, count, displacements, types, newtype);
}
"""


def one(text):
    return spec.parse(text, "f")[0][0]


class Hooks(unittest.TestCase):
    """Without the checks of arguments: see test_checks.py."""

    maxDiff = None

    def setUp(self):
        without = unittest.mock.patch("checks.of", return_value=[])
        without.start()
        self.addCleanup(without.stop)

    def test_a_nonblocking_send(self):
        self.assertEqual(emit.hook(one(ISEND)), ISEND_C)

    def test_which_calls_can_be_steps(self):
        for text, is_step in ((ISEND, True), (ISEND.replace("nonblocking", "persistent"), False),
                              (ISEND.replace("standard", "buffered"), False), (WAITANY, True),
                              (WAITANY.replace("wait any", "wait all").replace("out INDEX index,", ""), True), (IBARRIER, False)):
            with self.subTest(text):
                self.assertEqual("template_MPI" in emit.hook(one(text)), is_step)

    def test_the_status_goes_through_the_operation(self):
        self.assertIn(WAITANY_C, emit.hook(one(WAITANY)))

    def test_an_epoch_names_its_kind_and_what_it_lacks(self):
        made = emit.hook(one("MPI_Win_lock_all(in ASSERT assert, in WIN win)\n    op: epoch lock\n"))
        self.assertIn("""    args.win = win;
    args.group = MPI_GROUP_NULL;
    args.rank = ORK_NO_RANK;
    args.lock_type = MPI_LOCK_SHARED;
    args.assertion = assert;
    ork_before_epoch(call, &args, ORK_KIND_WIN_LOCK);
""", made)

    def test_what_is_freed_is_given_by_address(self):
        made = emit.hook(one("MPI_File_close(inout FILE fh)\n    op: file_close File_close\n"))
        self.assertIn("""    args.newfile = fh;
    ork_before_file_close(call, &args, ORK_COLL_FILE_CLOSE);
""", made)

    def test_an_operation_gets_only_what_it_takes(self):
        self.assertIn(NAME_C, emit.hook(one(NAME)))
        self.assertIn(FINALIZE_C, emit.hook(one("MPI_Finalize()\n    op: finalize\n")))
        self.assertIn(ERRHANDLER_C, emit.hook(one(ERRHANDLER)))
        self.assertIn("    return hook_MPI_Comm_set_errhandler(comm, errhandler);\n", emit.hook(one(ERRHANDLER)))

    def test_a_local_function_is_passed_on(self):
        self.assertIn(STRUCT_C, emit.hook(one(STRUCT)))

    def test_arrays_of_old_functions_have_no_const(self):
        made = emit.hook(one(STRUCT + "    const: no\n"))
        self.assertIn("int MPI_Type_struct(int count, MPI_Aint displacements[], MPI_Datatype types[], ", made)
        self.assertNotIn("const MPI_", made)

    def test_callbacks_have_the_type_of_their_kind(self):
        made = emit.hook(one("MPI_Op_create(in USER_FUNCTION user_fn, in LOGICAL commute, out OP op)\n    op: local\n"))
        self.assertIn("int MPI_Op_create(MPI_User_function *user_fn, int commute, MPI_Op *op)\n", made)
        self.refuse("MPI_A(out USER_FUNCTION f)\n    op: local\n", "no C type")

    def test_a_second_value_of_a_kind(self):
        found = emit.fields(one("MPI_S(in DESTINATION dest, in TAG a, in SOURCE source, in TAG b)\n"
                                "    op: sendrecv\n"))
        self.assertEqual(found, {"peer": "dest", "tag": "a", "peer2": "source", "tag2": "b"})

    def test_calls_are_in_the_order_of_the_specification(self):
        made = emit.calls([f.name for f in spec.parse(WAITANY + ISEND)[0]], "x")
        self.assertLess(made.index("ORK_CALL(MPI_Waitany)"), made.index("ORK_CALL(MPI_Isend)"))

    def refuse(self, text, words):
        with self.assertRaisesRegex(spec.SpecError, words):
            emit.hook(one(text))

    def test_mistakes(self):
        self.refuse("MPI_A()\n    op: fly\n", "f:1: no such op: fly")
        self.refuse("MPI_A(in DESTINATION p)\n    op: send standard\n", "needs a count")
        self.refuse(ISEND.replace("standard", "quick"), "knows no 'quick'")
        self.refuse(ISEND.replace("standard ", ""), "needs a mode")
        self.refuse(WAITANY.replace("any\n", "any nonblocking\n"), "knows no 'nonblocking'")
        self.refuse(ISEND.replace("in TAG tag", "in LABEL tag"), "needs a tag")
        self.refuse("MPI_A(in LABEL x)\n    op: outside\n", "no C type")


class Contributions(unittest.TestCase):
    def amount(self, text):
        head = "MPI_A(in COUNT n, in COUNT ns[], in DATATYPE t, in DATATYPE ts[], in COMM c)\n"
        return emit.contribution(one(f"{head}    op: collective Barrier\n    bytes: {text}\n"))

    def test_forms(self):
        self.assertEqual(self.amount("n * t"), [
            "    struct ork_amount amount = ork_amount(n, t);", "    args.bytes = amount.bytes;", "    args.type = amount.type;",
            "    args.is_void = ork_is_void(n, t);", "    args.sends = true;"])
        self.assertEqual(self.amount("sum ns * t at root"), [
            "    if (ork_contributes(&args, ORK_AT_ROOT)) {",
            "        args.bytes = ork_bytes_sum(args.comm, ns, t);", "        args.sends = true;", "    }"])
        self.assertEqual(self.amount("sum ns * ts"),
                         ["    args.bytes = ork_bytes_of_types(args.comm, ns, ts);", "    args.sends = true;"])
        self.assertIn("    args.bytes = amount.bytes * ork_comm_extent(args.comm);", self.amount("n * t per process"))

    def test_mistakes(self):
        for text in ("n", "n * x", "sum n * t", "ns * t", "n * ts", "n * t at home"):
            with self.assertRaises(spec.SpecError, msg=text):
                self.amount(text)


if __name__ == "__main__":
    unittest.main()
