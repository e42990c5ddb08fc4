# SPDX-License-Identifier: BSD-3-Clause
"""A plain `cmake -S . -B build` where cmocka and Fortran are missing: tests are left out, and a sentence says so.
check_configure.py CMAKE CTEST SOURCE"""
import glob
import os
import re
import subprocess
import sys
import tempfile

SENTENCES = (
    "No unit tests in C: install the Debian package libcmocka-dev.",
    "No tests of Fortran programs: install the Debian package gfortran.",
)


def output(*command, **more):
    return subprocess.run(
        command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more
    )


def without_cmocka(folder):
    """A folder with all descriptions of packages that pkg-config knows, but that of cmocka."""
    path = output("pkg-config", "--variable", "pc_path", "pkg-config").stdout.strip()
    for parent in path.split(":"):
        for name in os.listdir(parent) if os.path.isdir(parent) else ():
            target = os.path.join(folder, name)
            if name != "cmocka.pc" and not os.path.lexists(target):
                os.symlink(os.path.join(parent, name), target)


def missing_libraries(build):
    """Libraries of this project that a program is linked with, and that nothing builds."""
    for path in glob.glob(os.path.join(build, "**", "link.txt"), recursive=True):
        with open(path) as file:
            for name in re.findall(r"-lork_\w+", file.read()):
                yield f"{os.path.relpath(path, build)}: {name} is not built"


def check(cmake, ctest, source, folder):
    packages, build = os.path.join(folder, "packages"), os.path.join(folder, "build")
    os.mkdir(packages)
    without_cmocka(packages)
    environment = {**os.environ, "PKG_CONFIG_LIBDIR": packages, "FC": os.path.join(folder, "no-fortran")}
    result = output(
        cmake, "-S", source, "-B", build, f"-DPython3_EXECUTABLE={sys.executable}", env=environment
    )
    if result.returncode != 0:
        return [f"cmake ended with {result.returncode}: {result.stdout}"]
    faults = [f"cmake does not say: {sentence}" for sentence in SENTENCES if sentence not in result.stdout]
    tests = output(ctest, "--test-dir", build, "-N").stdout
    if "e2e.model." not in tests and "e2e.wildcard." not in tests:
        faults.append("the tests of C programs are missing")
    faults += missing_libraries(build)
    faults += [f"there are tests {name}" for name in ("unit.wfg.", "e2e.f08.") if name in tests]
    return faults


def main():
    with tempfile.TemporaryDirectory(prefix="orknot-configure-") as folder:
        faults = check(*sys.argv[1:4], folder)
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())
