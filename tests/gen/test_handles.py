# SPDX-License-Identifier: BSD-3-Clause
"""What hooks do about the handles that a function makes or frees."""

import unittest

import emit
import handles
import spec


def one(text):
    return spec.parse(text, "f")[0][0]


DUP = "MPI_Comm_dup(in COMM comm, out COMM newcomm)\n    op: constructor Comm_dup\n"
CLOSE = "MPI_File_close(inout FILE fh)\n    op: file_close File_close\n"
IMPROBE = "MPI_P(in TAG t, out LOGICAL flag, out MESSAGE message, out STATUS status)\n    op: outside\n"
ISEND = """MPI_Isend(in BUFFER b, in COUNT n, in DATATYPE t, in DESTINATION d, in TAG tag, in COMM c, out REQUEST request)
    op: send standard nonblocking
"""
RPUT = "MPI_R(in WIN win, out REQUEST request)\n    op: outside\n"
CONTENTS = "MPI_C(in DATATYPE datatype, in LENGTH n, out INT integers[n], out DATATYPE types[n])\n    op: outside\n"


class Handles(unittest.TestCase):
    def test_made(self):
        self.assertIn(
            """    ork_after_constructor(call, &args, ORK_COLL_COMM_DUP, 0, returned);
    if (ORK_LIKELY(returned == MPI_SUCCESS)) {
        ork_handle_made(call, ORK_HANDLE_COMM, ORK_KEY(*newcomm), newcomm);
    }
    return returned;
""",
            emit.hook(one(DUP)),
        )

    def test_freed_after_the_call_but_found_before_it(self):
        made = emit.hook(one(CLOSE))
        find = "    struct ork_handle_reference fh_before = ork_handle_before_free(ORK_HANDLE_FILE, fh != NULL ? ORK_KEY(*fh) : 0, fh);\n"
        forget = "        ork_handle_after_free(call, ORK_HANDLE_FILE, fh_before, ORK_KEY(*fh));\n"
        self.assertLess(made.index(find), made.index("int returned ="))
        self.assertLess(made.index("int returned ="), made.index(forget))

    def test_freed_when_mpi_is_not_in_use(self):
        made = emit.hook(one(CLOSE))
        frees = "        if (ORK_UNLIKELY(is_outside) && fh != NULL)\n            ork_outside_frees(ORK_HANDLE_FILE, ORK_KEY(*fh));\n"
        self.assertEqual(made.count(frees), 2)
        self.assertLess(made.index(frees), made.index("ORK_NEXT(MPI_File_close)", made.index("is_outside")))
        self.assertNotIn("ork_outside_frees", emit.hook(one(DUP)))

    def test_a_message_only_if_there_is_one(self):
        self.assertIn("        if (*flag)\n            ork_handle_made(call, ORK_HANDLE_MESSAGE, ORK_KEY(*message), message);\n",
                      emit.hook(one(IMPROBE)))

    def test_a_request_unless_its_operation_numbers_it(self):
        self.assertIn("        ork_handle_made(call, ORK_HANDLE_REQUEST, ORK_KEY(*request), request);\n", emit.hook(one(RPUT)))
        self.assertEqual(handles.after(one(RPUT), True), [])
        self.assertNotIn("ork_handle_made", emit.hook(one(ISEND)))
        self.assertIn("ork_handle_made(call, ORK_HANDLE_REQUEST", emit.hook(one(ISEND.replace("nonblocking", "persistent"))))

    def test_types_of_a_type(self):
        self.assertIn("        ork_handles_made_types(call, datatype, types);\n", emit.hook(one(CONTENTS)))

    def test_a_handle_that_is_only_read_is_neither(self):
        self.assertFalse(handles.concern(one("MPI_A(in COMM comm, in GROUP group)\n    op: outside\n"), False))


if __name__ == "__main__":
    unittest.main()
