# SPDX-License-Identifier: BSD-3-Clause
"""Build the Debian package, unpack it into a folder, and find a deadlock from there:
check_package.py CPACK BUILD SOURCE VERSION"""
import gzip
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
import process  # noqa: E402

LIBRARIES = ("libc6", "libcapstone4", "libcgraph6", "libdw1", "libelf1", "libgvc6", "libjansson4", "libsqlite3-0",
             "libunwind8", "libzstd1")
PROGRAMS = ("python3",)
FILES = (
    "usr/bin/mustrun", "usr/bin/mustview", "usr/bin/mustbatch", "usr/lib/orknot/libmust-interceptor.so",
    "usr/lib/orknot/libmust-interceptor-openmpi.so.40", "usr/lib/orknot/libmust-interceptor-abi.so",
    "usr/include/orknot/memory.h", "usr/lib/liborknot-memory.a", "usr/lib/orknot/memory/libtsan.a", "usr/lib/pkgconfig/orknot-memory.pc",
    "usr/libexec/orknot/must-tool", "usr/libexec/orknot/must-tool-mpi.so", "usr/libexec/orknot/must-tool-abi.so",
    "usr/share/doc/orknot/copyright", "usr/share/doc/orknot/changelog.gz",
    "usr/share/doc/orknot/report.schema.json", "usr/share/doc/orknot/index.html", "usr/share/doc/orknot/pages.css",
    "usr/share/doc/orknot/reference/findings.html", "usr/share/doc/orknot/how-to/questions.html",
    "usr/share/doc/orknot/tutorial/your-first-deadlock.html", "usr/share/doc/orknot/tutorial/halo.c",
    "usr/share/orknot/specmpi-configs/collect",
    "usr/share/cmake/orknot/orknot-config.cmake", "usr/share/cmake/orknot/orknot-config-version.cmake",
    "usr/share/bash-completion/completions/mustrun", "usr/share/zsh/vendor-completions/_mustrun",
    "usr/share/cmake/orknot/orknot-run-test.cmake", "usr/lib/python3/dist-packages/orknot_pytest.py",
    "usr/share/man/man1/mustrun.1.gz", "usr/share/man/man1/mustview.1.gz",
    "usr/share/man/man1/mustbatch.1.gz", "usr/share/man/man5/must-report.5.gz",
)


def output(*command, **more):
    result = subprocess.run(command, check=False, capture_output=True, text=True, **more)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def build(cpack, folder, tree):
    """RATIONALE: to compress it as it is shipped takes most of the time."""
    fast = ["-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"]
    output(cpack, "-G", "DEB", *fast, "--config", os.path.join(tree, "CPackConfig.cmake"), "-B", folder, cwd=folder)
    return glob.glob(os.path.join(folder, "*.deb"))


def field(package, name):
    return output("dpkg-deb", "-f", package, name).strip()


def check_control(package, version):
    if (field(package, "Package"), field(package, "Version")) != ("orknot", version):
        yield "name or version is wrong"
    depends = {re.split(r"[ (:]", word.strip())[0] for word in field(package, "Depends").split(",")}
    for name in LIBRARIES + PROGRAMS:
        if name not in depends:
            yield f"it does not depend on {name}: {sorted(depends)}"
    yield from (f"it depends on {name}, which not all programs need" for name in depends if "mpi" in name)
    for line in output("dpkg-deb", "-c", package).splitlines():
        mode, owner = line.split()[:2]
        if owner != "root/root" or mode[8] == "w" or mode[5] == "w":
            yield f"owner or mode: {line}"


def check_files(root, source):
    for name in (*FILES, *sys.argv[5:]):  # and what only some builds have
        if not os.path.isfile(os.path.join(root, name)):
            yield f"{name} is missing"
    for parent, _, names in os.walk(root):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                data = file.read()
            data = gzip.decompress(data) if name.endswith(".gz") else data
            # Assertions, which a build for developers has, name their file.
            if source.encode() in data and not data.startswith(b"\x7fELF"):
                yield f"{os.path.relpath(path, root)} names the folder of the sources"


def check_needs(root):
    """Only what is opened in a program of Open MPI, or beside it, needs that library."""
    for parent, _, names in os.walk(os.path.join(root, "usr")):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                is_elf = file.read(4) == b"\x7fELF"
            if is_elf and re.search(r"NEEDED +lib(mpi|open-)", output("objdump", "-p", path)):
                if not re.fullmatch(r"libmust-interceptor-openmpi[.]so[.]\d+|must-tool-mpi[.]so", name):
                    yield f"{name} needs an MPI library"


def check_run(root, source, folder):
    """The unpacked programs find their parts, a deadlock, and write and read its report."""
    bin_folder = os.path.join(root, "usr", "bin")
    program = os.path.join(folder, "three_ranks")
    output("mpicc", "-g", "-O1", "-o", program, os.path.join(source, "tests", "demo", "three_ranks.c"))
    outcome = process.run(
        [os.path.join(bin_folder, "mustrun"), "--oversubscribe", "-np", "3", program], folder, limit=60
    )
    if outcome.exit_code != 66:
        yield f"exit code {outcome.exit_code}: {outcome.stderr.decode()}"
        return
    report = os.path.join(folder, "MUST_Output.json")
    with open(report) as file:
        finding = json.load(file)["findings"][0]
    if (finding["id"], finding["class"], finding["ranks"]) != ("deadlock", "manifest", [0, 1, 2]):
        yield f"found {finding['class']} {finding['id']} of ranks {finding['ranks']}"
    if "waits in MPI_Recv" not in output(os.path.join(bin_folder, "mustview"), report):
        yield "mustview does not show the deadlock"
    if not output(os.path.join(bin_folder, "mustbatch"), "list").startswith("debian "):
        yield "mustbatch does not show its suite"


def check_for_tests(root, folder):
    """CMake finds the unpacked package, and pytest its plugin, and both find mustrun."""
    with open(os.path.join(folder, "CMakeLists.txt"), "w") as file:
        file.write("cmake_minimum_required(VERSION 3.19)\nproject(p NONE)\nfind_package(orknot REQUIRED)\nenable_testing()\n"
                   "orknot_add_mpi_test(NAME t RANKS 2 PROGRAM /bin/true)\nmessage(STATUS \"mustrun: ${ORKNOT_MUSTRUN}\")\n")
    text = output("cmake", "-B", os.path.join(folder, "p"), "-S", folder, f"-DCMAKE_PREFIX_PATH={os.path.join(root, 'usr')}")
    if f"mustrun: {os.path.join(root, 'usr', 'bin', 'mustrun')}\n" not in text:
        yield f"find_package(orknot): {text}"
    packages = os.path.join(root, "usr", "lib", "python3", "dist-packages")
    script = "import importlib.metadata as m; print([e.value for e in m.entry_points(group='pytest11') if e.name == 'orknot'])"
    found = output(sys.executable, "-c", script, env=dict(os.environ, PYTHONPATH=packages))
    if found.strip() != "['orknot_pytest']":
        yield f"the plugin of pytest is not found: {found}"


def check_memory(root, source, folder):
    """pkg-config leads to the unpacked library for loads and stores, and a program that is linked with it runs."""
    def flags(what):
        search = os.path.join(root, "usr", "lib", "pkgconfig")
        return output("pkg-config", what, "orknot-memory", env=dict(os.environ, PKG_CONFIG_PATH=search)).split()

    options = flags("--cflags") + flags("--libs")
    for path in (word[2:] for word in options if word[:2] in ("-I", "-L")):
        if not (os.path.isdir(path) and os.path.realpath(path).startswith(os.path.realpath(root))):
            yield f"pkg-config names {path}"
            return
    program = os.path.join(folder, "with_memory")
    output("mpicc", "-g", "-o", program, os.path.join(source, "tests", "demo", "three_ranks.c"), *options)
    outcome = process.run([os.path.join(root, "usr", "bin", "mustrun"), "--oversubscribe", "-np", "3", program], folder, limit=60)
    with open(os.path.join(folder, "MUST_Output.json")) as file:
        report = json.load(file)
    if outcome.exit_code != 66 or report["notes"]:
        yield f"with the library for loads and stores: exit code {outcome.exit_code}, {report['notes']}"


def check(cpack, tree, source, version, folder):
    packages = build(cpack, folder, tree)
    name = f"orknot_{version}_{output('dpkg', '--print-architecture').strip()}.deb"
    if [os.path.basename(path) for path in packages] != [name]:
        return [f"the package is {packages}, not {name}"]
    root = os.path.join(folder, "root")
    output("dpkg-deb", "-x", packages[0], root)
    return [
        *check_control(packages[0], version), *check_files(root, source), *check_needs(root), *check_run(root, source, folder),
        *check_for_tests(root, folder), *check_memory(root, source, folder),
    ]


def main():
    if shutil.which("dpkg-shlibdeps") is None:
        print("dpkg-shlibdeps is missing: install the Debian package dpkg-dev")
        return 77
    folder = tempfile.mkdtemp(prefix="orknot-package-")
    try:
        faults = check(*sys.argv[1:5], folder)
    finally:
        shutil.rmtree(folder)
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())
