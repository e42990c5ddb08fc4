# SPDX-License-Identifier: BSD-3-Clause
"""Build an MPI library from a folder with its sources: see README.md. Nothing is downloaded, and that folder stays as it is."""

import os
import shutil
import subprocess

FAST = ["CFLAGS=-O1 -g0", "FCFLAGS=-O0 -g0"]  # what the tests need is built in a quarter of the time


class Library:
    """How one is built. `prepare` is a function that has the folder of the sources made ready, if they have no `configure`."""

    def __init__(self, title, prepare, options):
        self.title, self.prepare, self.options = title, prepare, options


def prepare_openmpi(folder, run):
    """The sources as a clone with all submodules has them, but for hwloc, libevent and ROMIO."""
    for part in "openpmix", "prrte":
        own = os.path.join(folder, "3rd-party", part, "config", "oac")
        if not os.path.isdir(own) or not os.listdir(own):
            shutil.copytree(os.path.join(folder, "config", "oac"), own, dirs_exist_ok=True)
    run(["./autogen.pl", "-j", "2", "--no-3rdparty", "libevent,hwloc", "--exclude", "io-romio341"], folder)


def prepare_mpich(folder, run):
    left = ["hwloc", "ucx", "libfabric", "yaksa"]
    for part in left:
        shutil.rmtree(os.path.join(folder, "modules", part), ignore_errors=True)
    run(["./autogen.sh", "-without-hwloc", "-without-ucx", "-without-ofi", "-without-yaksa", "-without-test"], folder)


OPENMPI = ["--disable-oshmem", "--disable-static", "--with-hwloc=external", "--with-libevent=external", "--with-pmix=internal",
           "--with-prrte=internal", "--disable-sphinx", "--disable-io-romio", "--without-ucx", "--without-ofi", "--without-cuda",
           "--disable-debug", *FAST]

LIBRARIES = {
    "openmpi5": Library("Open MPI 5", prepare_openmpi, ["--enable-mpi-fortran=usempif08", *OPENMPI]),
    "openmpi6": Library("Open MPI 6", prepare_openmpi, ["--disable-mpi-fortran", "--enable-standard-abi", *OPENMPI]),
    "mpich5": Library("MPICH 5", prepare_mpich, [
        "--with-device=ch3:nemesis", "--with-hwloc=/usr", "--enable-mpi-abi", "--disable-cxx", "--disable-doc", "--disable-static",
        "--with-pm=hydra", "--disable-dependency-tracking", "--disable-maintainer-mode", "--enable-fast=O1"]),  # else it adds -O2
}


class Failed(Exception):
    """The text says what did, and where its output is."""


def build(name, source, prefix, work, jobs):
    """Build the library `name` in the folder `work`, and install it in `prefix`, unless it is there."""
    if os.path.exists(os.path.join(prefix, "bin", "mpiexec")):
        return
    library = LIBRARIES[name]
    log = os.path.join(work, name + ".log")
    sources, made = os.path.join(work, name + "-sources"), os.path.join(work, name + "-build")
    for folder in sources, made:
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, sources, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    os.mkdir(made)
    with open(log, "w", encoding="utf-8") as output:
        def run(command, folder):
            print("+", *command, file=output, flush=True)
            if subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False).returncode:
                raise Failed(f"{command[0]} failed for {library.title}: see {log}")

        if not os.path.exists(os.path.join(sources, "configure")):
            library.prepare(sources, run)
        run([os.path.join(sources, "configure"), "--prefix=" + prefix, *library.options], made)
        run(["make", f"-j{jobs}"], made)
        run(["make", "install"], made)
    for folder in sources, made:
        shutil.rmtree(folder)
