# SPDX-License-Identifier: BSD-3-Clause
"""Install mustbatch, move the tree, and ask it for its suites: check_install.py cmake build-folder"""

import os
import shutil
import subprocess
import sys
import tempfile


def check(cmake, build, folder):
    first, second = os.path.join(folder, "first"), os.path.join(folder, "second")
    subprocess.run([cmake, "--install", build, "--prefix", first], check=True, stdout=subprocess.DEVNULL)
    os.rename(first, second)
    shown = subprocess.run(
        [sys.executable, os.path.join(second, "bin", "mustbatch"), "list"], check=True, capture_output=True, text=True
    ).stdout
    if not shown.startswith("debian "):
        return f"the suite debian is not shown: {shown}"
    if not os.path.exists(os.path.join(second, "share", "man", "man1", "mustbatch.1")):
        return "the man page is missing"
    if any("__pycache__" in folders for _, folders, _ in os.walk(second)):
        return "compiled modules were left in the installed tree"
    return None


folder = tempfile.mkdtemp(prefix="orknot-install-")
try:
    sys.exit(check(sys.argv[1], sys.argv[2], folder))
finally:
    shutil.rmtree(folder)
