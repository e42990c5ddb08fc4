# SPDX-License-Identifier: BSD-3-Clause
"""The checks find what they are for."""

import os
import tempfile
import unittest

import check_layers
import check_library
import check_pure
import check_sources

LICENCE = "/* SPDX-License-Identifier: BSD-3-Clause */\n"


class Sources(unittest.TestCase):
    def problems(self, path, text, licence=LICENCE):
        return list(check_sources.check(path, licence + text))

    def test_good_files_pass(self):
        good = {
            "wfg/a.c": '#include "wfg/wfg_internal.h"\n#include "common/status.h"\n#include <stdlib.h>\n',
            "overlay/findings/a.c": '#include "detector/detector.h"\n#include "report/report.h"\n#include "overlay/stream/a.h"\n',
            "overlay/tool/a.c": '#include "overlay/root/root.h"\n#include <mpi.h>\n',
            "detector/a.c": '#include "internal.h"\n#include "record/record.h"\n#include "wfg/wfg.h"\n',
            "detector/interleave/a.c": '#include "detector/interleave/internal.h"\n#include "wfg/wfg.h"\n',
            "tests/a.c": '#include "wfg/wfg_internal.h"\n#include <stdio.h>\n',
        }
        for path, text in good.items():
            self.assertEqual(self.problems(path, text), [], path)

    def test_includes_against_the_arrows_are_found(self):
        bad = {
            "wfg/a.c": '#include "record/record.h"\n',
            "wfg/b.c": "#include <stdio.h>\n",
            "detector/a.c": "#  include <pthread.h>\n",
            "detector/b.c": '#include "report/report.h"\n',
            "detector/c.c": '#include "wfg/wfg_internal.h"\n',
            "detector/d.c": '#include "detector/interleave/internal.h"\n',
            "detector/interleave/a.c": '#include "detector/detector.h"\n',
            "detector/interleave/b.c": '#include "record/record.h"\n',
            "viz/a.c": '#include "record/record.h"\n',
            "interceptor/a.c": '#include "wfg/wfg.h"\n',
            "mustrun/a.c": '#include "detector/detector.h"\n',
            "common/a.h": '#include "tests/unit/a.h"\n',
            "wfg/g.c": '#include "generated/record/calls.h"\n',
        }
        for path, text in bad.items():
            self.assertEqual(len(self.problems(path, text)), 1, path)

    def test_a_layer_includes_its_own_headers_and_lower_ones(self):
        good = {
            "detector/state/a.h": '#include "detector/detector.h"\n#include "detector/state/b.h"\n',
            "detector/calls/a.c": '#include "detector/match/match.h"\n#include "detector/state/state.h"\n',
            "detector/a.c": '#include "detector/interleaving/program.h"\n#include "detector/state/state.h"\n',
        }
        for path, text in good.items():
            self.assertEqual(self.problems(path, text), [], path)

    def test_includes_of_a_higher_layer_are_found(self):
        bad = {
            "detector/state/a.c": '#include "detector/match/match.h"\n',
            "detector/match/a.h": '#include "detector/coll/wave.h"\n',
            "detector/calls/a.c": '#include "detector/verdict/search.h"\n',
            "detector/calls/b.c": '#include "detector/internal.h"\n',
            "detector/calls/c.c": '#include "detector/odds/and_ends.h"\n',
            "detector/odds/a.c": '#include "detector/state/state.h"\n',
        }
        for path, text in bad.items():
            self.assertEqual(len(self.problems(path, text)), 1, path)

    def test_what_is_behind_a_seam_is_named_there_only(self):
        inside = {
            "interceptor/openmpi/a.c": 'getenv("PMIX_RANK");\nompi_group_get_proc_ptr_raw(0);\n',
            "interceptor/openmpi/place.c": 'getenv("SLURM_LOCALID");\n',
            "interceptor/site/python.c": 'find("PyEval_GetFrame");\n',
            "interceptor/site/unwind_x86_64.c": "at->uc_mcontext.gregs[REG_RIP];\n",
            "overlay/stacktrace/cpython311.c": '"_PyRuntime"\n',
            "overlay/stacktrace/registers_arm.c": "struct user_regs_struct regs;\n",
            "mustrun/launcher/launcher.c": "&ork_launcher_srun;\n",
            "mustrun/launcher/mpirun/a.c": '#include "mustrun/launcher/mpirun/b.h"\n',
            "mustrun/launcher/hydra/a.c": '#include "mustrun/launcher/hydra/b.h"\n',
            "mustrun/launcher/kinds.def": '"PMI_RANK", "PMI_SIZE"\n',
            "common/mpi_files.def": 'ORK_MPI_FILE("libmpi.", LIBRARY)\n',
        }
        outside = ("interceptor/a.c", "overlay/leaf/a.c", "mustrun/launcher/srun/a.c", "mustrun/supervise/a.c")
        for path, text in inside.items():
            self.assertEqual(self.problems(path, text), [], path)
            self.assertEqual(self.problems("tests/a.c", text), [], path)
        for text in inside.values():
            self.assertTrue(any(self.problems(path, text) for path in outside), text)

    def test_names_that_a_seam_hides_are_found(self):
        bad = {
            "interceptor/a.c": ("ompi_x", "getenv(\"OMPI_COMM_WORLD_RANK\")", "opal_x", "orte_x", "#ifdef OPEN_MPI",
                                "PyFrame_GetBack", "_PyRuntime", "#ifdef __x86_64__", "R_X86_64_COPY", "SLURM_LOCALID",
                                '#include "interceptor/openmpi/x.h"'),
            "overlay/leaf/a.c": ("#if defined(__aarch64__)", "regs->orig_rax", 'match(name, "libmpi.so")', "PMIX_NAMESPACE"),
            "mustrun/a.c": ('strcmp(name, "srun")', "ork_launcher_mpirun.name", "ork_launcher_hydra.kind",
                            '#include "mustrun/launcher/mpirun/nodes.h"'),
            "mustrun/launcher/srun/a.c": ('#include "mustrun/launcher/mpirun/mpiopts.h"', "OMPI_MCA_x"),
        }
        for path, texts in bad.items():
            for text in texts:
                self.assertGreaterEqual(len(self.problems(path, text + "\n")), 1, (path, text))

    def test_words_and_other_names_are_not(self):
        for text in ("/* Open MPI and MPICH do that; mpirun too. */", "Python", "ork_mpi_file_of(x)", "MPI_Send", "ork_launcher_of"):
            self.assertEqual(self.problems("interceptor/a.c", text + "\n"), [], text)

    def test_a_missing_licence_is_found(self):
        self.assertEqual(len(self.problems("wfg/a.c", "int x;\n", licence="")), 1)
        self.assertEqual(len(self.problems("wfg/CMakeLists.txt", "", licence="")), 1)
        self.assertEqual(self.problems("a.py", "", licence="#!/usr/bin/python3\n# SPDX-License-Identifier: BSD-3-Clause\n"), [])
        self.assertEqual(self.problems("README.md", "text\n", licence=""), [])

    def test_a_long_line_is_found(self):
        self.assertEqual(self.problems("wfg/a.c", "x" * 100), [])
        self.assertEqual(len(self.problems("wfg/a.c", "x" * 101)), 1)
        self.assertEqual(len(self.problems("docs/a.md", "x" * 121)), 1)
        self.assertEqual(self.problems("docs/a.md", "```\n" + "x" * 121 + "\n```\n|" + "x" * 121), [])


    def test_a_function_that_a_file_does_not_have_is_found(self):
        with tempfile.TemporaryDirectory() as root:
            with open(os.path.join(root, "a.c"), "w", encoding="utf-8") as file:
                file.write("static void *step(int a,\n                  int b)\n{\n    leap(a);\n}\nvoid jump(void);\n")
            rows = (("a.c", "step", 0), ("a.c", "leap", 1), ("a.c", "jump", 1), ("b.c", "step", 1))
            for name, function, wrong in rows:
                found = check_sources.check_path_of_a_call("a.md", f"| rank | `{name}` | `{function}`: why |\n", root)
                self.assertEqual(len(list(found)), wrong, (name, function))

    def test_a_folder_that_the_table_does_not_have_right_is_found(self):
        rows = {module: ", ".join(name.split("/")[-1] for name in used) for module, used in check_sources.ARROWS.items()}

        def found(**changed):
            shown = {**rows, **{name.replace("__", "/"): used for name, used in changed.items()}}
            table = "".join(f"| `{module}/` | what it does | {used} |\n" for module, used in shown.items() if used is not None)
            return list(check_sources.check_rooms("a.md", table))

        self.assertEqual(found(), [])
        self.assertEqual(len(found(wfg="")), 1)
        self.assertEqual(len(found(viz="report, common, record")), 1)
        self.assertEqual(len(found(order__file=None)), 1)

    def test_a_word_that_the_glossary_replaced_is_found(self):
        for text in ("struct strand *s;", "num_strands = 1;", "/* The strand waits. */", "DIARY_MAX"):
            self.assertEqual(len(self.problems("detector/a.c", text)), 1, text)
        self.assertEqual(self.problems("detector/a.c", "/* a constrand, debtor */"), [])
        self.assertEqual(len(self.problems("tests/unit/a.c", "struct strand *s;")), 1)
        self.assertEqual(self.problems("tests/nodes/bed.py", "# SPDX-License-Identifier: BSD-3-Clause\n# a bridge\n"), [])


class Library(unittest.TestCase):
    GOOD = """
libork_x.a:a.c.o:0000000000000000 T ork_a
libork_x.a:a.c.o:                 U ork_b
libork_x.a:a.c.o:0000000000000010 t local
libork_x.a:b.c.o:0000000000000000 T ork_b
libork_x.a:b.c.o:                 U malloc
"""

    def test_a_good_library_passes(self):
        self.assertEqual(list(check_library.problems(self.GOOD)), [])

    def test_a_circle_is_found(self):
        bad = self.GOOD + "libork_x.a:b.c.o:                 U ork_a\n"
        found = list(check_library.problems(bad))
        self.assertEqual(len(found), 2)
        self.assertIn("a.c is in a circle of calls, by /b.c", found[0])
        self.assertIn("b.c is in a circle of calls, by /a.c", found[1])

    def test_a_name_without_the_prefix_is_found(self):
        bad = self.GOOD + "libork_x.a:b.c.o:0000000000000020 D table\n"
        self.assertEqual(list(check_library.problems(bad)), ["b.c: table does not begin with ork_"])

    def test_names_that_a_sanitizer_adds_pass(self):
        added = "libork_x.a:b.c.o:0000000000000020 B __odr_asan.ork_table\nlibork_x.a:b.c.o:                 U __asan_init\n"
        self.assertEqual(list(check_library.problems(self.GOOD + added)), [])

    def test_an_empty_library_is_found(self):
        self.assertEqual(list(check_library.problems("")), ["the library defines nothing"])


class Pure(unittest.TestCase):
    GOOD = "\na.o:\n                 U free\n                 U ork_other\n0000000000000010 T ork_a\n0000000000000000 r table\n"

    def problems(self, more="", sysv=""):
        return list(check_pure.problems(self.GOOD + more, sysv))

    def test_a_pure_library_passes(self):
        self.assertEqual(self.problems(), [])

    def test_what_it_must_not_call_is_found(self):
        for name in ("printf", "clock_gettime", "pthread_create", "MPI_Send", "__errno_location", "write", "__printf_chk"):
            self.assertEqual(len(self.problems(f"                 U {name}\n")), 1, name)

    def test_data_that_can_be_written_is_found(self):
        for kind in "BbDdC":
            self.assertEqual(len(self.problems(f"0000000000000000 {kind} counter\n")), 1, kind)

    def test_a_name_of_its_own_that_others_see_is_found(self):
        self.assertEqual(len(self.problems("0000000000000020 T grow\n")), 1)
        self.assertEqual(len(self.problems("0000000000000020 R table\n")), 1)
        self.assertEqual(self.problems("0000000000000020 t grow\n"), [])

    def test_constant_tables_of_pointers_pass(self):
        sysv = "names               |0000000000000000|   d  |            OBJECT|0000000000000010|     |.data.rel.ro.local\n"
        self.assertEqual(self.problems("0000000000000000 d names\n", sysv), [])

    def test_an_empty_library_is_found(self):
        self.assertEqual(list(check_pure.problems("", "")), ["the library defines no function"])


class Layers(unittest.TestCase):
    LOW = "0000000000000000 T put\n0000000000000010 t hidden\n"
    MIDDLE = "                 U put\n                 U free\n0000000000000000 T match\n"
    HIGH = "                 U match\n0000000000000000 T search\n"

    def problems(self, **texts):
        places = {"low": ("state", "low.c"), "middle": ("match", "middle.c"), "beside": ("match", "beside.c"), "high": ("", "high.c")}
        given = {"low": self.LOW, "middle": self.MIDDLE, "high": self.HIGH, **texts}
        return list(check_layers.problems({places[name]: text for name, text in given.items()}, ["state", "match"]))

    def test_the_place_of_an_object_file(self):
        self.assertEqual(check_layers.place_of("detector/CMakeFiles/ork_detector.dir/match/queue.c.o"), ("match", "queue.c"))
        self.assertEqual(check_layers.place_of("detector/CMakeFiles/ork_detector.dir/detector.c.o"), ("", "detector.c"))
        self.assertEqual(check_layers.place_of("wfg/CMakeFiles/ork_wfg.dir/./array.c.o"), ("", "array.c"))  # of Ninja

    def test_calls_downwards_pass(self):
        self.assertEqual(self.problems(), [])

    def test_a_call_upwards_is_found(self):
        found = self.problems(middle=self.MIDDLE + "                 U search\n", high="0000000000000000 T search\n")
        self.assertEqual(len(found), 1)
        self.assertIn("match/middle.c uses search of /high.c", found[0])

    def test_a_circle_within_a_layer_is_found(self):
        circle = self.MIDDLE + "                 U other\n"
        found = self.problems(middle=circle, beside="                 U match\n0000000000000000 T other\n")
        self.assertEqual(len(found), 2)

    def test_a_folder_that_is_no_layer_is_found(self):
        self.assertEqual(len(list(check_layers.problems({("odds", "a.c"): self.MIDDLE, ("state", "b.c"): self.LOW}, ["state"]))), 1)

    def test_files_that_do_not_know_each_other_are_found(self):
        self.assertEqual(len(self.problems(low="", middle="", high="")), 1)


if __name__ == "__main__":
    unittest.main()
