# SPDX-License-Identifier: BSD-3-Clause
"""Slurm on the hosts of a bed: munged and slurmd on each, slurmctld on the first. All their files are in the bed's folder."""

import os
import shutil
import subprocess
import time

import bed

DAEMONS = {"slurmctld": "slurmctld", "slurmd": "slurmd", "munged": "munge", "srun": "slurm-client"}
CONFIGURATION = """\
ClusterName=orknot
SlurmctldHost=n1
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
MailProg=/bin/true
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=n[1-{count}] CPUs=8
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=60
"""


def require():
    """Unavailable unless Slurm can be started on hosts of a bed."""
    bed.require()
    for daemon, package in DAEMONS.items():
        if shutil.which(daemon, path=bed.search_path()) is None:
            raise bed.Unavailable(f"no Slurm here: {daemon} is missing (Debian package {package})")
    if os.geteuid() != 0:
        raise bed.Unavailable("no Slurm here: its daemons have to be started by root")


class Slurm:
    """Enter it after the bed, of at least one host; it ends with the bed."""

    def __init__(self, hosts):
        require()
        self.hosts = hosts

    def __enter__(self):
        folder = self.hosts.folder
        os.mkdir(self.hosts.path("state"))
        with open(self.hosts.path("slurm.conf"), "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(folder=folder, count=len(self.hosts.hosts)))
        with open(os.open(self.hosts.path("munge.key"), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(os.urandom(128))
        for host in self.hosts.hosts:
            self.start(host, "sh", "-c", "mkdir /run/munge && chmod 755 /run/munge && exec munged --foreground"
                       f" --key-file {folder}/munge.key --pid-file /run/munged.pid --seed-file /run/munge.seed"
                       f" --log-file {folder}/munged.{host}.log")
        self.start("n1", "slurmctld", "-D")
        for host in self.hosts.hosts:
            self.start(host, "slurmd", "-D")
        self.wait_for("sinfo", lambda text: text.split() == ["idle"], "--noheader", "--format=%T")
        return self

    def __exit__(self, *_):
        pass

    def start(self, host, *argv):
        with open(os.devnull, "rb") as null, open(self.hosts.path("daemons.log"), "ab") as log:
            streams = (null.fileno(), log.fileno(), log.fileno())
            self.hosts.sessions.append(self.hosts.open(host, *argv, streams=streams, env=self.environment()))

    def environment(self, extra=None):
        """That of commands which find their hosts by Slurm."""
        launcher = ("OMPI_MCA_plm", "OMPI_MCA_orte", "PRTE_MCA_")
        mine = {name: value for name, value in self.hosts.environment().items() if not name.startswith(launcher)}
        return {**mine, "SLURM_CONF": self.hosts.path("slurm.conf"), **(extra or {})}

    def ask(self, command, *words, env=None):
        """Output of a command of Slurm on the first host, empty if it fails."""
        done = subprocess.run(self.hosts.on("n1", command, *words), env=env or self.environment(), cwd="/", capture_output=True, text=True,
                              check=False)
        return done.stdout if done.returncode == 0 else ""

    def wait_for(self, command, is_there, *words):
        """Until the output of the command of Slurm is as wished for."""
        end = time.monotonic() + bed.LIMIT
        while not is_there(text := self.ask(command, *words)):
            if time.monotonic() > end:
                raise AssertionError(f"{command} {words}: {text}\n{self.log()}")
            time.sleep(0.5)
        return text

    def log(self):
        """What the daemons said."""
        with open(self.hosts.path("daemons.log"), encoding="utf-8", errors="replace") as file:
            return file.read()
