# SPDX-License-Identifier: BSD-3-Clause
"""The checks of arguments that the generator derives from a description: where each is made, and where it must not be."""

import unittest

import checks
import spec

SEND = """MPI_S(in BUFFER buf, in COUNT count, in DATATYPE datatype, in DESTINATION dest, in TAG tag, in COMM comm)
    op: send standard
"""
GATHER = """MPI_G(in BUFFER sendbuf, in COUNT sendcount, in DATATYPE sendtype, out BUFFER recvbuf, in COUNT recvcounts[remote],
          in DISPLACEMENT displs[remote], in DATATYPE recvtype, in ROOT root, in COMM comm)
    op: collective Gatherv
    in place: sendbuf at root
    significant: recvbuf recvcounts displs recvtype at root, sendbuf sendcount sendtype at members
"""


def one(text):
    return spec.parse(text, "f")[0][0]


def guards(text):
    """{examination: (guard, question)}, by the examination and the argument that it names."""
    found = {}
    for c in checks.of(one(text)):
        examination = c.cold[c.cold.index("ork_wrong_"):]
        words = examination.split('"')
        found[examination.split("(")[0][len("ork_wrong_"):], words[1]] = (c.guard, c.hot)
    return found


class Checks(unittest.TestCase):
    def test_a_send_to_nobody_may_have_any_buffer_count_and_tag(self):
        found = guards(SEND)
        nobody = "dest != MPI_PROC_NULL"
        self.assertEqual(found["null_buffer", "buf"], (nobody, "buf == NULL && count > 0"))
        self.assertEqual(found["value", "count"], (nobody, "count < 0"))
        self.assertEqual(found["tag", "tag"], (nobody, "ork_is_no_tag(tag)"))
        self.assertEqual(found["destination", "dest"], ("", "ork_is_no_destination(bounds, dest)"))

    def test_a_datatype_is_examined_where_it_is_significant(self):
        found = guards(GATHER)
        self.assertEqual(found["type", "recvtype"],
                         ("ork_is_root(bounds, root)",
                          "!ork_type_is_predefined(recvtype) && ork_type_fault(recvtype, 1) != ORK_TYPE_IS_READY"))
        self.assertEqual(found["type", "sendtype"][0], "ork_is_member(bounds, root) && sendbuf != MPI_IN_PLACE")
        self.assertIn("ork_type_fault(sendtype, 0)", found["type", "sendtype"][1])
        self.assertEqual(guards(SEND)["datatype", "datatype"][0], "dest != MPI_PROC_NULL")

    def test_a_one_sided_call_moves_data_between_its_buffers_and_the_target(self):
        f = one("MPI_A(in BUFFER b, in COUNT n, in DATATYPE t, out BUFFER c, in COUNT k, in DATATYPE s, in TARGET r,"
                " in COUNT m, in DATATYPE u, in OP op, in WIN win)\n    op: rma fetch\n")
        found = [(c.hot, c.cold, c.guard) for c in checks.of(f) if "ork_wrong_signature" in c.cold]
        self.assertEqual(found, [
            ("t != u || n > m", 'ork_wrong_signature(call, "accumulates", n, t, m, u)', "op != MPI_NO_OP && r != MPI_PROC_NULL"),
            ("u != s || m > k", 'ork_wrong_signature(call, "fetches", m, u, k, s)', "r != MPI_PROC_NULL")])

    def test_constructors_take_datatypes_that_are_not_committed(self):
        found = guards("MPI_T(in COUNT n, in DATATYPE oldtype, out DATATYPE newtype)\n    op: local\n")
        self.assertIn(("datatype", "oldtype"), found)
        self.assertNotIn(("type", "oldtype"), found)

    def test_each_datatype_of_an_array_is_examined_with_its_count(self):
        struct = guards("MPI_T(in COUNT n, in BLOCK_LENGTH k[n], in AINT d[n], in DATATYPE t[n], out DATATYPE newtype)\n"
                        "    op: local\n")
        self.assertEqual(struct["datatypes", "t"], ("", "ork_has_bad_type(n, t)"))
        cold = [c.cold for c in checks.of(one("MPI_W(in BUFFER b, in COUNT k[remote], in DATATYPE t[remote], in COMM comm)\n"
                                              "    op: collective Alltoallw\n"))]
        self.assertIn('ork_wrong_datatypes(call, "t", bounds->size, t, k)', cold)

    def test_negative_displacements_are_examined_with_the_blocks(self):
        found = guards(GATHER)["displs", "displs"]
        self.assertEqual(found, ("ork_is_root(bounds, root)", "ork_has_less(bounds->size, displs, 0)"))
        self.assertNotIn(("displs", "d"), guards("MPI_I(in COUNT n, in BLOCK_LENGTH k[n], in DISPLACEMENT d[n],"
                                                 " in DATATYPE t, out DATATYPE u)\n    op: local\n"))

    def test_a_buffer_that_reaches_past_its_memory_is_read_or_written(self):
        nobody = "dest != MPI_PROC_NULL"
        self.assertEqual(guards(SEND)["reach", "buf"], (nobody, "ork_may_reach(buf, count, datatype)"))
        found = {c.cold for c in checks.of(one("MPI_R(out BUFFER b, in COUNT n, in DATATYPE t, in SOURCE s, in COMM comm)\n"
                                              "    op: recv\n"))}
        self.assertIn('ork_wrong_reach(call, "b", &(struct ork_buffer){ORK_BUFFER_WRITTEN, b, n, t})', found)
        self.assertEqual(guards(GATHER)["reach", "sendbuf"][0], "ork_is_member(bounds, root)")
        for text in (SEND.replace("standard", "standard persistent"), SEND + "    topology: any\n"):
            self.assertNotIn(("reach", "buf"), guards(text))

    def test_a_call_that_changes_a_request_needs_its_address(self):
        self.assertEqual(guards("MPI_R(inout REQUEST r)\n    op: cancel\n")["request", "r"], ("", "ork_is_no_request(r)"))

    def test_the_root_of_a_broadcast_and_the_target_of_a_get_receive_nothing(self):
        bcast = guards("MPI_B(inout BUFFER b, in COUNT n, in DATATYPE t, in COMM comm)\n    op: collective Bcast\n")
        get = guards("MPI_G(out BUFFER b, in COUNT n, in DATATYPE t, in TARGET r, in COUNT m, in DATATYPE u, in WIN win)\n"
                     "    op: rma get\n")
        self.assertIn("ork_type_fault(t, 0)", bcast["type", "t"][1])
        self.assertIn("ork_type_fault(t, n)", get["type", "t"][1])
        self.assertIn("ork_type_fault(u, 0)", get["type", "u"][1])

    def test_the_target_of_a_put_receives_and_that_of_a_call_without_an_operation_does_not(self):
        target = " in COUNT n, in DATATYPE t, in TARGET r, in COUNT m, in DATATYPE u,"
        put = guards(f"MPI_P(in BUFFER b,{target} in WIN win)\n    op: rma put\n")
        fetch = guards(f"MPI_F(in BUFFER b,{target} in OP op, in WIN win)\n    op: rma accumulate\n")
        self.assertIn("ork_type_fault(t, 0)", put["type", "t"][1])
        self.assertIn("ork_type_fault(u, m)", put["type", "u"][1])
        self.assertIn("ork_type_fault(u, (op != MPI_NO_OP ? m : 0))", fetch["type", "u"][1])

    def test_neighbours_are_counted_by_their_length_or_by_degrees(self):
        def examinations(text):
            return " ".join(c.cold for c in checks.of(one(text)))

        adjacent = examinations("MPI_D(in COMM comm, in DEGREE n, in RANK sources[n], in WEIGHT w[])\n    op: local\n")
        self.assertIn('ork_wrong_neighbours(call, "sources", bounds, n, sources)', adjacent)
        self.assertIn('ork_wrong_weights(call, "w", n, w)', adjacent)
        other = examinations("MPI_D(in COMM comm, in LENGTH n, in DEGREE d[n], in RANK ends[], in WEIGHT w[])\n    op: local\n")
        self.assertIn('ork_wrong_neighbours(call, "ends", bounds, ork_sum(n, d), ends)', other)
        self.assertIn('ork_wrong_weights(call, "w", ork_sum(n, d), w)', other)

    def test_a_persistent_buffered_send_needs_no_buffer_yet(self):
        buffered = SEND.replace("standard", "buffered")
        self.assertIn("ork_wrong_attached(call, dest, ", " ".join(c.cold for c in checks.of(one(buffered))))
        for other in (SEND, buffered.replace("buffered", "buffered persistent")):
            self.assertNotIn("attached", " ".join(c.cold for c in checks.of(one(other))))

    def test_the_edges_of_a_graph_are_no_neighbours(self):
        found = guards("MPI_G(in COMM comm, in LENGTH n, in INDEX index[n], in RANK edges[])\n    op: local\n")
        self.assertIn(("graph", "index"), found)
        self.assertNotIn(("neighbours", "edges"), found)

    def test_a_group_is_a_part_only_of_a_communicator_that_it_makes_another_from(self):
        makes = "MPI_C(in COMM comm, in GROUP group, out COMM newcomm)\n    op: local\n"
        self.assertIn(("subgroup", "group"), guards(makes))
        self.assertNotIn(("subgroup", "group"), guards("MPI_C(in GROUP group, out GROUP newgroup)\n    op: local\n"))

    def test_the_communicator_is_examined_first(self):
        self.assertIn("ork_wrong_comm(", checks.of(one(SEND))[0].cold)

    def test_a_handle_is_examined_before_what_needs_it(self):
        found = checks.of(one("MPI_P(in TARGET rank, in WIN win)\n    op: local\n"))
        self.assertIn("ork_wrong_handle(", found[0].cold)
        self.assertIn("ork_wrong_target(", found[1].cold)

    def test_arguments_are_examined_only_where_they_are_significant(self):
        found = guards(GATHER)
        root, members = "ork_is_root(bounds, root)", "ork_is_member(bounds, root)"
        self.assertEqual(found["array", "recvcounts"][0], root)
        self.assertEqual(found["null_array", "displs"][0], root)
        self.assertEqual(found["null_buffer", "recvbuf"][0], root + " && recvcounts != NULL")
        self.assertEqual(found["null_buffer", "sendbuf"][0], members)
        self.assertEqual(found["value", "sendcount"][0], members + " && sendbuf != MPI_IN_PLACE")

    def test_an_array_is_read_only_where_it_is_significant(self):
        question = next(c.question() for c in checks.of(one(GATHER)) if "ork_has_less" in c.question())
        self.assertTrue(question.startswith("(ork_is_root(bounds, root) && "), question)

    def test_in_place_is_allowed_where_the_description_says(self):
        found = guards(GATHER)
        self.assertEqual(found["in_place", "recvbuf"][1], "ork_is_in_place(recvbuf)")
        self.assertEqual(found["in_place", "sendbuf"][1],
                         "ork_is_in_place(sendbuf) && (bounds->is_inter || !(ork_is_root(bounds, root)))")

    def test_null_info_is_no_mistake_but_an_info_object_is_needed(self):
        self.assertIn("info != MPI_INFO_NULL", guards("MPI_A(in INFO info)\n    op: local\n")["handle", "info"][0])
        self.assertEqual(guards("MPI_A(in INFO_OBJECT info)\n    op: local\n")["handle", "info"][0], "")

    def test_ignored_results_are_no_mistakes(self):
        ignored = [c.hot for c in checks.of(one("MPI_A(out STATUS status)\n    op: local\n"))]
        self.assertEqual(ignored, ["status == ork_fortran_constants.statuses_ignore"])
        self.assertEqual(checks.of(one("MPI_A(in COUNT count, out STATUS statuses[count])\n    op: local\n"))[1:], [])
        self.assertIn(("null", "flag"), guards("MPI_A(out LOGICAL flag, out STATUS status)\n    op: local\n"))

    def test_assertions_are_those_of_the_description(self):
        found = guards("MPI_A(in ASSERT assert, in WIN win)\n    op: local\n    assertions: NOPUT NOSTORE\n")
        self.assertEqual(found["value", "assert"][1], "(assert & ~(MPI_MODE_NOPUT | MPI_MODE_NOSTORE)) != 0")

    def aliases(self, text):
        return [(c.guard, c.cold) for c in checks.of(one(text)) if "ork_wrong_alias(" in c.cold]

    def test_what_a_local_call_reads_is_apart_from_what_it_writes(self):
        content = ".count = n, .type = t}"
        self.assertEqual(self.aliases("MPI_R(in BUFFER a, inout BUFFER b, in COUNT n, in DATATYPE t)\n    op: local\n"),
                         [("", f"ork_wrong_alias(call, &(struct ork_buffer){{.address = a, {content}, &(struct ork_buffer)"
                               f"{{.address = b, {content}, ORK_USAGE_BUFFER_ALIAS)")])

    def test_packed_data_is_at_its_position(self):
        pack = "MPI_P(in BUFFER a, in COUNT n, in DATATYPE t, out BUFFER b, in BYTES size, inout POSITION at)\n    op: local\n"
        self.assertIn("ORK_PACKED(b, at, n, t), ORK_USAGE_BUFFER_ALIAS", self.aliases(pack)[0][1])
        self.assertEqual(self.aliases(pack.replace("POSITION", "POSITION_AINT")), [])

    def test_the_origin_of_a_fetch_is_apart_from_its_result_unless_it_is_ignored(self):
        found = self.aliases("MPI_F(in BUFFER origin_addr, out BUFFER result_addr, in DATATYPE t, in TARGET rank, in TARGET_DISP d, "
                             "in OP op, in WIN win)\n    op: rma fetch\n")
        self.assertEqual([guard for guard, _ in found], ["op != MPI_NO_OP && rank != MPI_PROC_NULL"])
        self.assertIn("ORK_USAGE_BUFFER_ALIAS_RMA", found[0][1])

    def test_other_calls_look_at_their_buffers_themselves(self):
        self.assertEqual(self.aliases(GATHER), [])

    def test_attributes_of_the_environment_are_only_read(self):
        found = guards("MPI_F(inout KEYVAL k)\n    op: local\n")
        self.assertEqual(found["environment", "k"][0], "k != NULL")
        self.assertIn(("environment", "k"), guards("MPI_S(in COMM c, in KEYVAL k, in ATTRIBUTE a)\n    op: local\n"))
        self.assertIn(("environment", "k"), guards("MPI_D(in COMM c, in KEYVAL k)\n    op: local\n"))
        self.assertNotIn(("environment", "k"), guards("MPI_G(in COMM c, in KEYVAL k, out ATTRIBUTE a)\n    op: local\n"))
        self.assertNotIn(("environment", "k"), guards("MPI_S(in WIN w, in KEYVAL k, in ATTRIBUTE a)\n    op: local\n"))

    def test_nothing_is_checked_before_the_start(self):
        self.assertEqual(checks.of(one("MPI_I(in COUNT n)\n    op: init\n")), [])

    def test_mistakes(self):
        for line in ("significant: x at root", "significant: recvbuf at home", "in place: count", "in place: sendbuf at home"):
            with self.assertRaises(spec.SpecError, msg=line):
                checks.of(one(GATHER.split("    in place")[0] + f"    {line}\n"))
        with self.assertRaises(spec.SpecError):
            checks.of(one("MPI_A(in COMM comm)\n    op: local\n    topology: round\n"))


if __name__ == "__main__":
    unittest.main()
