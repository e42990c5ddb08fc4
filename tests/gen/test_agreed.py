# SPDX-License-Identifier: BSD-3-Clause
"""Arguments that must be the same at all ranks: what a hook computes, and the list."""

import unittest

import emit
import agreed
import spec


def one(text):
    return spec.parse(text, "f")[0][0]


OPEN = "MPI_F(in COMM comm, in ACCESS_MODE amode, out FILE fh)\n    op: file_open File_open\n"
GRAPH = """MPI_G(in COMM c, in LENGTH n, in INDEX index[n], in RANK edges[], in LOGICAL reorder, out COMM g)
    op: constructor Graph_create
    agreed: 7.4: edges reorder
"""
WEIGHTS = """MPI_W(in COMM c, in LENGTH n, in RANK sources[n], in DEGREE degrees[n], in RANK destinations[],
      in WEIGHT weights[], out COMM g)
    op: constructor Dist_graph_create
    agreed: 7.4: n; 7.5.4: weights
"""


class Equal(unittest.TestCase):
    def test_values_in_the_order_of_the_key(self):
        made = emit.hook(one(GRAPH))
        self.assertIn("    args.agreed[0] = ork_agreed_edges(n, index, edges);\n    args.agreed[1] = ork_agreed_logical(reorder);\n"
                      "    args.agreed[2] = 0;\n", made)

    def test_a_call_without_the_key_has_no_value(self):
        self.assertIn("    args.agreed[0] = 0;\n", emit.hook(one(OPEN)))

    def test_rows_have_the_section_of_their_clause(self):
        self.assertEqual(agreed.rows([one(OPEN), one(WEIGHTS)]),
                         ['ORK_AGREED(DIST_GRAPH_CREATE, 0, "n", "7.4", NUMBER)\n',
                          'ORK_AGREED(DIST_GRAPH_CREATE, 1, "weights", "7.5.4", WEIGHTED)\n'])

    def test_weights_are_of_the_edges_before_them(self):
        self.assertIn("args.agreed[1] = ork_agreed_weights(ork_sum(n, degrees), weights);", emit.hook(one(WEIGHTS)))

    def test_mistakes(self):
        for key in ("7.4: nobody", "amode", "7.4: comm"):
            with self.assertRaises(spec.SpecError):
                emit.hook(one(OPEN + f"    agreed: {key}\n"))
        with self.assertRaises(spec.SpecError):
            agreed.of(one("MPI_B(in COMM comm, in LENGTH n)\n    op: outside\n    agreed: 5: n\n"))


if __name__ == "__main__":
    unittest.main()
