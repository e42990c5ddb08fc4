# SPDX-License-Identifier: BSD-3-Clause
"""Debian's MPICH as others install it: in a folder of its own, with another name of the library, and programs that find it by a path of
their own."""

import os
import shutil
import subprocess

NAME, CONDAS = "libmpich.so.12", "libmpi.so.12"  # Debian's name of the library, and everybody else's
HERE = os.path.dirname(os.path.abspath(__file__))
ROUND = os.path.join(os.path.dirname(HERE), "mpich", "round.c")


def rename(data):
    """The name of the library is in its table of strings, which keeps its size."""
    return data.replace(NAME.encode() + b"\0", CONDAS.encode() + b"\0" * (1 + len(NAME) - len(CONDAS)))


class Prefix:
    """An installed MPICH. `library`: the folder of the library in it."""

    def __init__(self, path, mpiexec, library="lib", name=CONDAS):
        self.path = path
        self.library = os.path.join(path, library)
        self.bin = os.path.join(path, "bin")
        self.name = name
        os.makedirs(self.library)
        os.makedirs(self.bin)
        mpiexec = os.path.realpath(mpiexec)
        for program in mpiexec, os.path.join(os.path.dirname(mpiexec), "hydra_pmi_proxy"):
            shutil.copy(program, self.bin)
        for link in "mpiexec", "mpirun":
            os.symlink(os.path.basename(mpiexec), os.path.join(self.bin, link))
        with open(self.of_debian(), "rb") as source, open(os.path.join(self.library, name), "wb") as copy:
            data = source.read()
            copy.write(data if name == NAME else rename(data))

    @staticmethod
    def options():
        """What mpicc.mpich gives to the compiler."""
        return subprocess.run(["mpicc.mpich", "-show"], stdout=subprocess.PIPE, check=True, text=True).stdout.split()

    @classmethod
    def of_debian(cls):
        folders = [word[2:] for word in cls.options() if word.startswith("-L")]
        return next(path for path in (os.path.join(folder, NAME) for folder in folders) if os.path.exists(path))

    def build(self, target, *words):
        """A program of round.c. `words`: more for the compiler, such as where the program finds the library."""
        include = [word for word in self.options() if word.startswith("-I")]
        command = ["cc", "-g", *include, ROUND, "-o", target, "-L" + self.library, "-l:" + self.name, *words]
        subprocess.run(command, check=True)
        return target


def by_rpath(folder):
    """As Spack and EasyBuild do it: before LD_LIBRARY_PATH."""
    return "-Wl,--disable-new-dtags,-rpath," + folder


def by_runpath(folder):
    """As conda does it."""
    return "-Wl,--enable-new-dtags,-rpath," + folder
