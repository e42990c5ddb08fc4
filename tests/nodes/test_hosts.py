# SPDX-License-Identifier: BSD-3-Clause
"""Runs over three hosts: what is found, and that nothing is left behind. See case.py."""

import os
import shutil
import signal
import subprocess
import time
import unittest

import case
from case import RANKS, STEPS

import bed


class Case(case.Case):
    def tearDown(self):
        self.check_hosts_are_clean()

    def check_crash(self, report):
        [finding] = report["findings"]
        self.assertEqual((finding["id"], finding["severity"]), ("abnormal-end", "error"))
        self.assertEqual(finding["end"], {"rank": 2, "kind": "signal", "value": signal.SIGSEGV})
        self.assertIn("was killed by SIGSEGV at ranks.c:", finding["message"])


class Hosts(Case):
    def test_a_deadlock(self):
        self.check_deadlock_of_steps(self.start("-np", "3", STEPS, "5", "deadlock"))

    def test_a_rank_that_crashes(self):
        run = self.start("-np", "3", RANKS, "crash", "2")
        code, report = run.finish()
        self.assertEqual(code, 128 + signal.SIGSEGV, run.text("err"))
        self.check_crash(report)

    def test_a_child_on_another_host(self):
        run = self.start("-np", "2", RANKS, "spawn", "n3", "1")
        code, report = run.finish()
        self.assertEqual(code, 66, run.text("err"))
        self.check_deadlock(report, ["MPI_Recv"] * 3, [[0, 2]])
        self.assertEqual([(job["first"], job["ranks"]) for job in report["jobs"]], [(2, 1)])

    def test_an_interrupt(self):
        run = self.start("-np", "3", STEPS, "100000")
        run.wait_for("out", "begun")
        run.process.send_signal(signal.SIGINT)
        code, report = run.finish()
        self.assertEqual(code, 128 + signal.SIGINT, run.text("err"))
        [finding] = report["findings"]
        self.assertEqual((finding["id"], finding["severity"], finding["ranks"]), ("state", "note", [0, 1, 2]))
        self.assertEqual(report["application"]["ended_by"], "user")
        self.assertLessEqual({wait["call"] for wait in finding["waits"]}, {"MPI_Allreduce", ""})


class OtherLibrary(Case):
    """MPI libraries of other launchers; the programs are built with them here."""

    def build(self, mpicc, name, source):
        program = os.path.join(self.folder, name)
        subprocess.run([mpicc, "-g", "-O1", "-o", program, source], check=True)
        return program

    def build_round(self, mpicc):
        return self.build(mpicc, "round", os.path.join(os.path.dirname(case.HERE), "e2e", "mpich", "round.c"))

    def check_deadlock_of_round(self, run):
        code, report = run.finish()
        self.assertEqual(code, 66, run.text("err"))
        self.check_deadlock(report, ["MPI_Recv"] * 3, [[0, 1, 2]])
        self.assertEqual((report["ranks"], report["complete"]), (3, True))
        self.assertEqual(report["statistics"]["tool_ranks"], 3)


    def check_right_round(self, run):
        """Neither launcher nor library say anything that they do not say without the tool."""
        code, report = run.finish()
        self.assertEqual((code, report["verdict"], report["ranks"], report["complete"]), (0, "clean", 3, True), run.text("err"))
        self.assertEqual([line for line in run.text("err").splitlines() if line and not line.startswith("orknot")], [])


PREFIX = os.environ.get("ORK_TEST_MPI")


@unittest.skipUnless(PREFIX or shutil.which("mpicc.mpich") and shutil.which("mpiexec.mpich"), "there is no MPICH")
class Mpich(OtherLibrary):
    """Debian's, or that in the folder ORK_TEST_MPI."""

    def place(self, name):
        return os.path.join(PREFIX, "bin", name) if PREFIX else f"{name}.mpich"

    def start_with(self, *words):
        return self.start("--must:mpiexec", self.place("mpiexec"), "-launcher", "ssh", "-launcher-exec", bed.AGENT,
                          "-hosts", "n1,n2,n3", "-n", "3", *words)

    def test_a_deadlock(self):
        self.check_deadlock_of_round(self.start_with(self.build_round(self.place("mpicc")), "x"))

    def test_a_program_that_is_right(self):
        self.check_right_round(self.start_with(self.build_round(self.place("mpicc"))))


class OpenMpi(OtherLibrary):
    """Open MPI 5 or later, in the folder ORK_TEST_MPI."""

    def place(self, name):
        return os.path.join(PREFIX, "bin", name)

    def start_with(self, *words):
        return self.start("--must:mpiexec", self.place("mpirun"), "-n", "3", *words)

    def test_a_deadlock(self):
        self.check_deadlock_of_round(self.start_with(self.build_round(self.place("mpicc")), "x"))

    def test_a_deadlock_in_the_standard_abi(self):
        if not os.path.exists(self.place("mpicc_abi")):
            self.skipTest("it has no standard ABI")
        self.check_deadlock_of_round(self.start_with(self.build_round(self.place("mpicc_abi")), "x"))

    def test_a_rank_that_crashes(self):
        program = self.build(self.place("mpicc"), "ranks", os.path.join(case.HERE, "ranks.c"))
        run = self.start_with(program, "crash", "2")
        code, report = run.finish()
        # Another rank may see first that the connection is closed; then mpirun has the code of its error.
        self.assertNotIn(code, (0, 66, None), run.text("err"))
        self.check_crash(report)


class Bed(unittest.TestCase):
    """The bed itself."""

    def test_each_host_has_its_own_network_and_files(self):
        with bed.Bed(2, names=["same", "same"], clocks=[0, 5000]) as hosts:
            for host, address in hosts.addresses.items():
                self.assertEqual(hosts.text(host, "hostname").strip(), "same")
                self.assertIn(address, hosts.text(host, "ip", "-brief", "address"))
                self.assertEqual(hosts.text(host, "sh", "-c", "touch /tmp/mine; find /tmp -type f -name mine").strip(), "/tmp/mine")
            self.assertFalse(os.path.exists("/tmp/mine"))
            ahead = [float(hosts.text(host, "cat", "/proc/uptime").split()[0]) for host in hosts.hosts]
            self.assertGreater(ahead[1] - ahead[0], 4000)
            self.check_lost(hosts)

    def wait_for(self, is_so):
        deadline = time.monotonic() + bed.LIMIT
        while not is_so() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertTrue(is_so())

    def wait_for_sleepers(self, folder, number):
        self.wait_for(lambda: list(bed.processes_of(folder).values()).count("sleep 1000") == number)

    def check_lost(self, hosts):
        sleeper = hosts.open("n2", "sleep", "1000")
        self.wait_for_sleepers(hosts.folder, 1)
        hosts.lose("n2")
        sleeper.close()
        self.wait_for_sleepers(hosts.folder, 0)
        self.assertNotIn("port2", hosts.text(bed.SWITCH, "ip", "-brief", "link"))

    def test_nothing_is_left_when_its_process_is_killed(self):
        command = [os.path.join(case.HERE, "hosts"), "2", "--", "sh", "-c", "echo $ORK_TEST_BED; setsid sleep 1000 & sleep 1000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ)) as user:
            folder = user.stdout.readline().strip()
            self.wait_for_sleepers(folder, 2)
            user.kill()
        self.wait_for(lambda: bed.processes_of(folder) == {})
        with bed.Bed(1):
            pass
        self.assertFalse(os.path.exists(folder), "the next bed removes its folder")
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    case.main()
