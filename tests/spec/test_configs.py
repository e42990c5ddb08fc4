# SPDX-License-Identifier: BSD-3-Clause
"""The configuration files are well formed and complete, and the parser that says so refuses what is not."""

import os
import re
import unittest

import configfile
import suites

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "specmpi-configs")

# Options of the tools and of their makefiles that the public documents name, as far as they are of use here.
TOOL_KEYS = set(
    "action tune ext label reportable iterations ignore_errors output_format teeout env_vars makeflags use_submit_for_speed "
    "section_specifier_fatal submit pmodel ranks threads basepeak size".split()
)
MAKE_KEYS = set("CC CXX FC CC_VERSION_OPTION CXX_VERSION_OPTION FC_VERSION_OPTION OPTIMIZE PORTABILITY".split()) | {
    f"{letter}{word}" for letter in ("C", "CXX", "F") for word in ("OPTIMIZE", "PORTABILITY")
}
MAKE_KEYS |= {f"EXTRA_{word}" for word in ("CFLAGS", "CXXFLAGS", "FFLAGS", "LDFLAGS", "LIBS")}
OWN_KEYS = {"MUSTRUN", "MUST_ERRORCODE", "MUST_OPTIONS", "MUST_SENDS", "MPIRUN_OPTS"}
# Which of them one of the two suites' tools does not have.
ONLY = {"ext": "mpi2007", "env_vars": "mpi2007", "label": "hpc2021", "pmodel": "hpc2021"}

NOTES = ("language", "ranks", "memory", "MPI", "finding")


def read(name):
    with open(os.path.join(FOLDER, name), encoding="ascii") as file:
        return file.read()


class Shipped:
    """What holds for both files; a subclass names the file."""

    def sections(self, **defines):
        return configfile.parse(self.text, self.flavour, defines)

    def settings(self, code, **defines):
        return configfile.resolve(self.sections(**defines), code, suites.suites_of(code, self.suites))

    def line(self, code, **defines):
        values = self.settings(code, **defines)
        return configfile.interpolate(values["submit"], {**values, "command": "COMMAND", "ranks": "4"})

    def test_every_key_is_known_to_the_tools(self):
        for section in self.sections():
            for line, key, _, _ in section.settings:
                self.assertIn(key, TOOL_KEYS | MAKE_KEYS | OWN_KEYS, f"line {line}")
                self.assertIn(ONLY.get(key, self.kind), self.kind, f"line {line}: {key}")

    def test_the_header_stands_before_all_sections_and_flags_in_sections(self):
        header = {key for _, key, _, _ in self.sections()[0].settings}
        self.assertFalse(header & (MAKE_KEYS | OWN_KEYS | {"submit"}))
        self.assertLessEqual({"action", "tune", "use_submit_for_speed", "reportable"}, header)

    def test_each_code_of_each_suite_has_one_section_and_no_other_is_named(self):
        named = [name for section in self.sections() for name in section.benchmarks if name != "default"]
        self.assertEqual(sorted(named), suites.codes(self.suites))

    def test_each_code_has_notes_on_language_ranks_memory_mpi_and_findings(self):
        for section in self.sections():
            if section.benchmarks and section.benchmarks != ("default",):
                labels = [text.split(":")[0] for _, text in section.comments if re.match(r"\w+: \S", text)]
                self.assertEqual([label for label in labels if label in NOTES], list(NOTES), section.benchmarks)

    def test_the_languages_in_the_notes_are_those_of_the_suite(self):
        for section in self.sections():
            for _, text in section.comments:
                if text.startswith("language:") and section.benchmarks:
                    for code in section.benchmarks:
                        self.assertEqual(re.split(r"[:;]", text)[1].strip(), self.language(code), code)

    def test_no_code_is_said_to_have_been_run(self):
        for section in self.sections():
            if section.benchmarks and section.benchmarks != ("default",):
                self.assertTrue(any("NOT TRIED" in text for _, text in section.comments), section.benchmarks)

    def test_submit_knows_all_its_variables_and_is_the_same_for_each_code(self):
        lines = {self.line(code) for code in suites.codes(self.suites)}
        self.assertEqual(
            lines,
            {
                "reports=`mktemp -d must-XXXXXX` && mustrun --must:output-dir $reports --must:errorcode 0 --must:sends strict "
                "--must:quiet --bind-to none -np 4 COMMAND"
            },
        )

    def test_each_define_reaches_the_submit_line(self):
        line = self.line(
            suites.codes(self.suites)[0],
            mustrun="/opt/a/bin/mustrun",
            must_errorcode="66",
            must_sends="eager=4096",
            must_options="--must:probe off",
            mpirun_opts="--oversubscribe",
        )
        self.assertTrue(
            line.endswith(
                "&& /opt/a/bin/mustrun --must:output-dir $reports --must:errorcode 66 --must:sends eager=4096 --must:probe off "
                "--oversubscribe -np 4 COMMAND"
            ),
            line,
        )

    def test_every_define_that_the_head_explains_is_used_and_the_other_way_round(self):
        head = self.text.split("%ifndef")[0]
        explained = set(re.findall(r"^#   (\w+)  +\S", head, re.MULTILINE))
        self.assertEqual(explained, set(configfile.MACRO.findall(self.text)))

    def test_only_submit_starts_something(self):
        for section in self.sections():
            for line, key, _, value in section.settings:
                if key != "submit":
                    self.assertNotRegex(value, r"[`;|&<>]", f"line {line}")


class Mpi2007(Shipped, unittest.TestCase):
    kind = "mpi2007"
    flavour = configfile.MPI2007
    suites = suites.MPI2007
    text = read("mpi2007-gcc.cfg")

    def language(self, code):
        return suites.MPI2007_LANGUAGES[code]

    def test_thirteen_medium_and_twelve_large_codes(self):
        self.assertEqual([len(self.suites["medium"]), len(self.suites["large"])], [13, 12])

    def test_the_published_portability_flags_are_at_their_codes(self):
        flags = {code: self.settings(code).get("CPORTABILITY") for code in suites.codes(self.suites)}
        wrf = "-DSPEC_MPI_CASE_FLAG -DSPEC_MPI_LINUX"
        self.assertEqual(
            {code: text for code, text in flags.items() if text},
            {"121.pop2": "-DSPEC_MPI_CASE_FLAG", "127.wrf2": wrf, "147.l2wrf2": wrf},
        )

    def test_the_known_finding_of_lammps_is_in_its_notes(self):
        (lammps,) = [section for section in self.sections() if "126.lammps" in section.benchmarks]
        self.assertRegex(" ".join(text for _, text in lammps.comments), "potential deadlock.*send to each other")


class Hpc2021(Shipped, unittest.TestCase):
    kind = "hpc2021"
    flavour = configfile.HPC2021
    suites = suites.HPC2021
    text = read("hpc2021-gcc.cfg")

    def language(self, code):
        return next(language for _, name, language, _ in suites.HPC_CODES if f".{name}_" in code)

    def test_nine_codes_in_the_small_suites_and_six_in_the_big_ones(self):
        self.assertEqual([len(self.suites[name]) for name in ("tiny", "small", "medium", "large")], [9, 9, 6, 6])
        self.assertEqual(self.suites["large"][0], "805.lbm_l")

    def test_the_model_is_mpi_or_openmp(self):
        self.assertEqual(self.settings("505.lbm_t")["pmodel"], "MPI")
        threads = self.settings("505.lbm_t", model="omp")
        self.assertEqual([threads["pmodel"], threads["label"]], ["OMP", "orknot_omp"])
        self.assertIn("-fopenmp", threads["OPTIMIZE"].split())
        with self.assertRaisesRegex(configfile.ConfigError, "model is mpi or omp"):
            self.sections(model="acc")


class Parser(unittest.TestCase):
    def refuse(self, text, message, flavour=configfile.MPI2007):
        with self.assertRaisesRegex(configfile.ConfigError, message):
            configfile.parse(text, flavour)

    def resolve(self, text, code="104.milc", flavour=configfile.MPI2007):
        return configfile.resolve(configfile.parse(text, flavour), code, ["medium"])

    def test_what_is_no_setting_is_refused_with_its_line(self):
        self.refuse("tune = base\nwhat is this\n", "line 2: neither a section nor a setting")

    def test_conditions_must_be_balanced(self):
        self.refuse("%ifdef %{a}\n", "%endif is missing")
        self.refuse("%endif\n", "%endif without %if")
        self.refuse("%else\n", "%else without %if")
        self.refuse("%ifdef %{a}\n%else\n%else\n%endif\n", "%else without %if")

    def test_macros_must_be_defined_and_directives_known(self):
        self.refuse("ext = %{nothing}\n", "line 1: the macro nothing is not defined")
        self.refuse("%include x\n", "%include is no directive")
        self.refuse("%define alone\n", "takes a name and a value")

    def test_a_branch_not_taken_counts_for_nothing(self):
        text = "%ifdef %{a}\nbroken line\n%define b 1\n%elif 'x' eq 'y'\next = no\n%else\next = yes\n%endif\n"
        self.assertEqual(self.resolve(text), {"ext": "yes"})

    def test_only_one_branch_is_taken(self):
        text = "%define a 1\n%if %{a} eq 1\next = first\n%elif %{a} eq '1'\next = second\n%else\next = third\n%endif\n"
        self.assertEqual(self.resolve(text), {"ext": "first"})

    def test_the_older_tools_have_neither_appending_nor_lists(self):
        self.refuse("default=default:\nFC += x\n", r"\+= is not known")
        self.refuse("104.milc,107.leslie3d=default:\n", "names one benchmark")
        self.refuse("104.milc=default=default=default=default:\n", "at most 4 fields")
        self.refuse("505.lbm_t=default=default=default:\n", "at most 3 fields", configfile.HPC2021)

    def test_the_named_benchmark_wins_over_its_suite_and_that_over_default_in_any_order(self):
        text = "104.milc=default=default=default:\nCC = code\nmedium=default=default=default:\nCC = suite\nFC = suite\n"
        text += "default=default=default=default:\nCC = all\nFC = all\nCXX = all\n"
        self.assertEqual(self.resolve(text), {"CC": "code", "FC": "suite", "CXX": "all"})
        self.assertEqual(self.resolve(text, "125.RAxML")["CC"], "suite")

    def test_a_section_for_another_tuning_does_not_apply(self):
        self.assertEqual(self.resolve("default=peak=default=default:\nCC = peak\n"), {})
        both = "default=base=default=default:\nCC = base\ndefault=default=default=default:\nCC = all\n"
        self.assertEqual(self.resolve(both)["CC"], "base")

    def test_appending_goes_on_where_the_less_specific_section_ended(self):
        text = "default:\nOPTIMIZE = -O2\n528.pot3d_t:\nOPTIMIZE += -g # more\n"
        self.assertEqual(self.resolve(text, "528.pot3d_t", configfile.HPC2021), {"OPTIMIZE": "-O2 -g"})

    def test_expansion_is_recursive_and_leaves_the_shell_its_own(self):
        values = {"a": "<${b}>", "b": "$ranks", "ranks": "4"}
        self.assertEqual(configfile.interpolate(r"$a \$b ${ranks}", values), "<4> $b 4")

    def test_unknown_and_circular_variables_are_refused(self):
        for text in ("$nothing", "${nothing}", "$a", "$"):
            with self.assertRaisesRegex(configfile.ConfigError, "is no variable"):
                configfile.interpolate(text, {"a": "$a"})


if __name__ == "__main__":
    unittest.main()
