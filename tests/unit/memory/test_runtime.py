# SPDX-License-Identifier: BSD-3-Clause
"""Programs that are compiled with -fsanitize=thread and linked with liborknot-memory print the same as others, and do not need TSan's
runtime: with each compiler that is there, and linked in each way that pkg-config's flags allow."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CMAKE, BUILT = sys.argv[1:3]


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, f"{' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


class Runtime(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = os.path.join(cls.folder.name, "installed")
        run(CMAKE, "--install", BUILT, "--prefix", cls.prefix)
        found = [d for d, _, names in os.walk(cls.prefix) if "orknot-memory.pc" in names]
        os.environ["PKG_CONFIG_PATH"] = found[0]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def flags(self, which):
        return run("pkg-config", f"--define-variable=prefix={self.prefix}", which, "orknot-memory").split()

    def output(self, *words):
        """Of the program that is compiled and linked in this way."""
        program = os.path.join(self.folder.name, "program")
        run(*words, "-o", program)
        self.assertNotIn("tsan", run("ldd", program))
        return run(program)

    def compiled(self, compiler, source, *options):
        target = os.path.join(self.folder.name, "object.o")
        run(compiler, "-c", source, *options, "-o", target)
        return target

    def check(self, compiler, name, *libraries, link=("two steps", "one step", "flags at link", "flags first", "no libs")):
        """The same output as plainly compiled; linked in each way if it is optimised, else in the first."""
        if shutil.which(compiler) is None:
            self.skipTest(f"{compiler} is not there")
        source = os.path.join(HERE, "programs", name)
        plain = self.output(compiler, source, "-O2", *libraries)
        self.assertNotEqual(plain, "")
        cflags, libs = self.flags("--cflags"), self.flags("--libs")
        for level in ("-O0", "-O2"):
            made = self.compiled(compiler, source, level, *cflags)
            self.assertIn("__tsan_", run("nm", made))
            outputs = {
                "two steps": lambda made=made: self.output(compiler, made, *libs, *libraries),
                "one step": lambda level=level: self.output(compiler, source, level, *cflags, *libs, *libraries),
                "flags first": lambda made=made: self.output(compiler, *cflags, *libs, made, *libraries),
                "no libs": lambda made=made: self.output(compiler, *cflags, *libs[:2], made, *libraries),
                "flags at link": lambda made=made: self.output(compiler, *cflags, made, *libs, *libraries),
                "no runtime": lambda made=made: self.output(compiler, *cflags, "-fno-sanitize-link-runtime", made, *libs, *libraries),
            }
            for how in link if level == "-O2" else link[:1]:
                self.assertEqual(outputs[how](), plain, f"{compiler} {level}, {how}")

    def test_c_with_gcc(self):
        self.check("gcc", "operations.c", "-pthread")

    def test_c_with_clang(self):
        self.check("clang", "operations.c", "-pthread", link=("two steps", "no runtime"))

    def test_wide_atomics_need_only_libatomic(self):
        self.check("gcc", "wide.c", "-latomic", link=("two steps", "one step", "flags at link"))

    def test_cpp(self):
        self.check("g++", "classes.cpp", link=("two steps", "one step"))

    def test_fortran(self):
        self.check("gfortran", "arrays.f90", "-fopenmp", link=("two steps", "one step"))

    def test_the_annotations_are_in_the_header(self):
        source = os.path.join(HERE, "programs", "annotations.c")
        words = ("-std=c11", "-Wall", "-Werror", f"-I{self.prefix}/include", *self.flags("--libs"))
        self.assertEqual(self.output("gcc", source, *words), "3\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
