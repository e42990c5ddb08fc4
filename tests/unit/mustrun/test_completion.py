# SPDX-License-Identifier: BSD-3-Clause
"""The completions of bash and zsh: test_completion.py mustrun completion.bash _mustrun"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

MUSTRUN, BASH, ZSH = (os.path.abspath(path) for path in sys.argv[1:4])
HELP = subprocess.run([MUSTRUN, "--must:help", "all"], capture_output=True, text=True, check=True).stdout
OPTIONS = sorted(re.findall(r"^  (--must:[a-z-]+)", HELP, re.M))


def complete(line, folder="."):
    """What bash offers behind the line, as the shell gets it: what stands before the last word break is kept."""
    script = 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _mustrun; printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script, "bash", BASH, line], capture_output=True, text=True, cwd=folder, check=True)
    return [word for word in done.stdout.splitlines() if word]


class Completion(unittest.TestCase):
    def test_every_option_is_offered(self):
        self.assertEqual(sorted("--must:" + word for word in complete("mustrun --must:")), OPTIONS)
        self.assertEqual(complete("mustrun --must:hang"), ["hang-after"])
        self.assertEqual(complete("mustrun --must:quiet --mus")[0][:7], "--must:")
        with open(ZSH) as file:
            found = re.findall(r"^    '(--must\\:[a-z-]+)[=\[]", file.read(), re.M)
        self.assertEqual(sorted(name.replace("\\", "") for name in found), OPTIONS)

    def test_every_word_that_is_offered_is_taken(self):
        count = 0
        for option in OPTIONS:
            for word in complete(f"mustrun {option} "):
                if word.endswith("=") or os.path.exists(word) or option in ("--must:help", "--must:mpiexec", "--must:on-finding"):
                    continue
                done = subprocess.run([MUSTRUN, f"{option}={word}", "--must:version"], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, f"{option} {word}: {done.stderr}")
                count += 1
        self.assertGreater(count, 30)

    def test_values_are_offered(self):
        self.assertEqual(complete("mustrun --must:on deadlock="), ["abort", "continue", "stop"])
        self.assertEqual(complete("mustrun --must:on=hang=r"), ["report"])
        self.assertEqual(complete("mustrun --must:output html,sa"), ["html,sarif"])
        self.assertEqual(complete("mustrun --must:output=html,sa"), ["html,sarif"])
        self.assertEqual(complete("mustrun --must:races o"), ["off", "on"])
        self.assertEqual(complete("mustrun --must:explore-bounds ti"), ["time="])

    def test_files_and_programs_are_left_to_the_shell(self):
        with tempfile.TemporaryDirectory() as folder:
            open(os.path.join(folder, "known.txt"), "w").close()
            self.assertEqual(complete("mustrun --must:suppress kn", folder), ["known.txt"])
            self.assertEqual(complete("mustrun --must:suppress=kn", folder), ["known.txt"])
            self.assertEqual(complete("mustrun -np 4 ./ha", folder), [])

    def test_the_shells_take_them(self):
        subprocess.run(["bash", "-n", BASH], check=True)
        if shutil.which("zsh"):
            subprocess.run(["zsh", "-n", ZSH], check=True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
