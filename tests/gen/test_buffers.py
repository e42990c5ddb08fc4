# SPDX-License-Identifier: BSD-3-Clause
"""What hooks of collective calls do about buffers."""

import unittest

import emit
import spec


def hook(text):
    return emit.hook(spec.parse(text, "f")[0][0])


GATHERV = """MPI_G(in BUFFER sendbuf, in COUNT sendcount, in DATATYPE sendtype, out BUFFER recvbuf, in COUNT recvcounts[],
      in DISPLACEMENT displs[], in DATATYPE recvtype, in ROOT root, in COMM comm)
    op: collective Gatherv
"""
IREDUCE = """MPI_R(in BUFFER sendbuf, out BUFFER recvbuf, in COUNT count, in DATATYPE datatype, in OP op, in COMM comm,
      out REQUEST request)
    op: collective Allreduce nonblocking
"""
BARRIER = "MPI_B(in COMM comm)\n    op: collective Barrier\n"
WRITE = """MPI_W(in FILE fh, in BUFFER buf, in COUNT count, in DATATYPE datatype, out STATUS status)
    op: file_collective File_write_all
"""
END = "MPI_E(in FILE fh, out BUFFER buf, out STATUS status)\n    op: file_end File_write_all\n"


class Buffers(unittest.TestCase):
    def test_each_argument_belongs_to_the_buffer_before_it(self):
        made = hook(GATHERV)
        self.assertIn(".sent = {.address = sendbuf, .count = sendcount, .type = sendtype}", made)
        self.assertIn(".received = {.address = recvbuf, .counts = recvcounts, .displs = displs, .type = recvtype}", made)
        self.assertLess(made.index("ork_coll_buffers_look(call, &args, ORK_COLL_GATHERV, 0, &buffers);"), made.index("int returned ="))
        self.assertNotIn("ork_coll_buffers_start", made)

    def test_after_two_buffers_an_argument_belongs_to_both(self):
        made = hook(IREDUCE)
        for side in ("sent = {.address = sendbuf", "received = {.address = recvbuf"):
            self.assertIn(f".{side}, .count = count, .type = datatype}}", made)
        self.assertIn("""    if (ORK_LIKELY(returned == MPI_SUCCESS))
        ork_coll_buffers_start(call, &args, ORK_COLL_ALLREDUCE, ORK_F_NONBLOCKING, &buffers);
""", made)

    def test_a_file_has_one_buffer(self):
        self.assertIn("struct ork_buffer buffer = {.use = ORK_BUFFER_READ, .address = buf, .count = count, .type = datatype};", hook(WRITE))

    def test_buffers_in_windows_are_only_looked_at_when_the_call_blocks(self):
        made = hook(GATHERV)
        self.assertIn("""    if (ORK_UNLIKELY(ork_windows_exist) && returned == MPI_SUCCESS)
        ork_coll_buffers_returned(call, &args, ORK_COLL_GATHERV, &buffers);
""", made)
        self.assertNotIn("ork_windows_exist", hook(IREDUCE))
        for op, is_collective in (("file_collective File_write_all", "true"), ("file_access write", "false")):
            made = hook(WRITE.replace("file_collective File_write_all", op))
            self.assertLess(made.index("ork_file_buffer_enter(call, &buffer, &args.status, &args.own);"), made.index("int returned ="))
            self.assertIn(f"ork_file_buffer_leave(call, &buffer, args.status, {is_collective});", made)

    def test_the_buffer_of_a_nonblocking_call_on_a_file_is_pending(self):
        made = hook(WRITE.replace("file_collective File_write_all", "file_start write").replace("out STATUS status", "out REQUEST request"))
        self.assertNotIn("ork_file_buffer_enter", made)
        self.assertLess(made.index("ork_file_buffer_look(call, &buffer);"), made.index("int returned ="))
        self.assertIn("""    if (ORK_LIKELY(returned == MPI_SUCCESS))
        ork_file_buffer_start(call, args.id, &buffer);
""", made)

    def test_functions_without_a_known_buffer(self):
        for text in (BARRIER, END):
            self.assertNotIn("buffer", hook(text).replace("BUFFER", "").replace("void *buf", ""))


if __name__ == "__main__":
    unittest.main()
