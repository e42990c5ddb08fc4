# SPDX-License-Identifier: BSD-3-Clause
"""Several hosts on one machine, made of Linux namespaces: see README.md.

    with bed.Bed(3) as hosts:
        subprocess.run(hosts.on("n1", "mpirun", "-np", "3", "hostname"), env=hosts.environment())

A switch (a network namespace with a bridge) holds the hosts n1, n2, ...; each of them has its own network (eth0 on the bridge), processes,
host name, /tmp, /dev/shm, /run and, if asked for, monotonic clock. The first process of the switch dies with the process that made it, and
all the rest dies with the switch. The machine's own network and mounts are not changed."""

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import remote

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
AGENT = os.path.join(HERE, "agent")
SWITCH = "switch"
OWN = ["/tmp", "/dev/shm", "/run"]
NETWORK = "10.91.7"
LIMIT = 120.0
SKIPPED = 77
NAMESPACES = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
TOOLS = {"unshare": "util-linux", "setpriv": "util-linux", "ip": "iproute2"}
PROBE = "ip link add name b type bridge && ip link add name v type veth peer name w && mount -t tmpfs none /mnt"


class Unavailable(Exception):
    """The sentence says what this machine does not have."""


def user_namespace():
    return [] if os.geteuid() == 0 else ["--user", "--map-root-user"]


def require():
    """Unavailable unless beds can be made here."""
    for tool, package in TOOLS.items():
        if shutil.which(tool, path=search_path()) is None:
            raise Unavailable(f"no hosts can be made here: {tool} is missing (Debian package {package})")
    command = ["unshare", *user_namespace(), *NAMESPACES, "--uts", "--ipc", "sh", "-c", PROBE]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ, PATH=search_path()))
    if done.returncode != 0:
        raise Unavailable(f"no hosts can be made here: {done.stderr.strip()}")


def search_path():
    """ip is in a folder that users do not search."""
    return os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin"


def processes_of(folder):
    """{pid: command line} of the processes of the bed in this folder, the bed's own included."""
    wanted = f"ORK_TEST_BED={folder}".encode()
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                is_ours = wanted in file.read().split(b"\0")
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            continue  # gone, or somebody else's
        if is_ours and int(pid) != os.getpid():
            found[int(pid)] = words
    return found


def remove_old_folders():
    """Of beds whose process was killed."""
    for name in os.listdir(tempfile.gettempdir()):
        match = re.fullmatch(r"orknot-hosts-(\d+)-\w+", name)
        path = os.path.join(tempfile.gettempdir(), name)
        if match and not os.path.exists(f"/proc/{match[1]}") and not processes_of(path):
            shutil.rmtree(path, ignore_errors=True)


def child_of(pid):
    """The only child of a process, or None."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            words = file.read().split()
    except FileNotFoundError:
        return None
    return int(words[0]) if words else None


def wait_for_end(pid):
    """Of the first process of a process namespace: the kernel ends it after all the others of the namespace."""
    try:
        file = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    select.select([file], [], [], LIMIT)
    os.close(file)


class Bed:
    """`names`: the host names if they are not those by which the hosts are known (n1, n2, ...). `clocks`: seconds by which CLOCK_MONOTONIC
    and CLOCK_BOOTTIME of each host are ahead. `slots`: of each host, for mpirun. `shared`: paths in the hosts' own folders that all of
    them see, beside this project and `folder`."""

    def __init__(self, count, names=None, clocks=None, slots=1, shared=()):
        require()
        self.hosts = [f"n{number + 1}" for number in range(count)]
        self.addresses = {host: f"{NETWORK}.{number + 1}" for number, host in enumerate(self.hosts)}
        self.names = dict(zip(self.hosts, names or self.hosts))
        self.clocks = dict(zip(self.hosts, clocks or [0] * count))
        self.slots = slots
        self.shared = [ROOT, *shared]
        self.process = None
        self.sessions = []
        remove_old_folders()
        self.folder = tempfile.mkdtemp(prefix=f"orknot-hosts-{os.getpid()}-")

    def __enter__(self):
        try:
            self.write_files()
            self.start_switch()
            self.start_hosts()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def path(self, *words):
        return os.path.join(self.folder, *words)

    def write_files(self):
        os.chmod(self.folder, 0o755)
        with open(self.path("etc-hosts"), "w", encoding="ascii") as file:
            lines = {"127.0.0.1": "localhost", **{address: host for host, address in self.addresses.items()}}
            file.writelines(f"{address} {name}\n" for address, name in lines.items())
        with open(self.path("hostfile"), "w", encoding="ascii") as file:
            file.writelines(f"{host} slots={self.slots}\n" for host in self.hosts)

    def setting(self, host, **more):
        setting = {"socket": self.path(host), "hostname": None, "own": [], "shared": [], "files": {}, **more}
        return [sys.executable, "-B", os.path.join(HERE, "host.py"), json.dumps(setting)]

    def start_switch(self):
        command = ["setpriv", "--pdeathsig", "KILL", "unshare", *user_namespace(), *NAMESPACES, *self.setting(SWITCH)]
        self.process = subprocess.Popen(command, cwd="/", stdin=subprocess.DEVNULL, env=self.environment())
        self.wait_for(SWITCH)
        self.network(SWITCH, "link set lo up", "link add name bridge type bridge", "link set bridge up")

    def start_hosts(self):
        links = []
        for host in self.hosts:
            session = self.start_host(host)
            self.sessions.append(session)
            links.append(f"link add name {self.port(host)} type veth peer name eth0 netns {session.pid}")
            links.append(f"link set {self.port(host)} master bridge up")
        for host in self.hosts:
            self.wait_for(host)
        self.network(SWITCH, *links)
        for host, address in self.addresses.items():
            self.network(host, "link set lo up", f"address add {address}/24 dev eth0", "link set eth0 up")

    def start_host(self, host):
        """The session's process is unshare: it is in the host's network namespace, but in the switch's process namespace."""
        clock = self.clocks[host]
        time_namespace = ["--time", "--monotonic", str(clock), "--boottime", str(clock)] if clock else []
        files = {"/etc/hosts": self.path("etc-hosts")}
        setting = self.setting(host, hostname=self.names[host], own=[one for one in OWN if os.path.isdir(one)],
                               shared=[self.folder, *self.shared], files=files)
        # unshare dies with the switch; --kill-child is for a host that is lost
        return self.open(SWITCH, "unshare", *NAMESPACES, "--uts", "--ipc", *time_namespace, *setting)

    def wait_for(self, host):
        end = time.monotonic() + LIMIT
        while not os.path.exists(self.path(host)):
            if time.monotonic() > end or self.process.poll() is not None:
                raise AssertionError(f"the host {host} does not come up")
            time.sleep(0.005)

    def network(self, host, *lines):
        """Lines of ip -batch."""
        command = self.on(host, "ip", "-batch", "-")
        text = "\n".join(lines) + "\n"
        done = subprocess.run(command, input=text, env=self.environment(), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{host}: {lines}: {done.stderr}")

    def environment(self, extra=None):
        """That of commands on the hosts: mpirun knows the hosts and their remote shell. Ranks that wait leave the processors to others."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SRUN_", "PMIX_"))}
        return {**kept, "PATH": search_path(), "ORK_TEST_BED": self.folder,
                "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMPI_MCA_plm": "rsh", "OMPI_MCA_plm_rsh_agent": AGENT, "OMPI_MCA_orte_default_hostfile": self.path("hostfile"),
                "PRTE_MCA_plm": "ssh", "PRTE_MCA_plm_ssh_agent": AGENT, "PRTE_MCA_prte_default_hostfile": self.path("hostfile"),
                "OMPI_MCA_mpi_yield_when_idle": "1", **(extra or {})}

    def open(self, host, *argv, streams=None, env=None):
        """Start a command on a host; a remote.Remote."""
        with open(os.devnull, "rb") as null:
            return remote.Remote(self.path(host), argv, env or self.environment(), "/", streams or (null.fileno(), 2, 2))

    def on(self, host, *argv):
        """The command line that runs a command on a host, for subprocess; with the folder and environment that it is started with."""
        return [sys.executable, "-B", os.path.join(HERE, "remote.py"), self.folder, host, *map(str, argv)]

    def text(self, host, *argv):
        """What a command on a host prints."""
        done = subprocess.run(self.on(host, *argv), env=self.environment(), cwd="/", capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{host}: {argv}: {done.stderr}")
        return done.stdout

    def port(self, host):
        return f"port{self.hosts.index(host) + 1}"

    def link(self, host, is_up):
        """Plug the host's cable in or out."""
        self.network(SWITCH, f"link set {self.port(host)} {'up' if is_up else 'down'}")

    def slow(self, host, *discipline):
        """What goes to the host and comes from it passes this queueing discipline of tc (tbf, netem). Unavailable if the kernel has not
        got it."""
        for where, device in ((SWITCH, self.port(host)), (host, "eth0")):
            command = ["tc", "qdisc", "replace", "dev", device, "root", *discipline]
            done = subprocess.run(self.on(where, *command), env=self.environment(), capture_output=True, text=True, check=False)
            if "qdisc kind is unknown" in done.stderr:
                raise Unavailable(f"this kernel has no queueing discipline {discipline[0]}")
            if done.returncode != 0:
                raise AssertionError(f"{command}: {done.stderr}")

    def lose(self, host):
        """All processes of the host die at once, and its network with them."""
        session = self.sessions[self.hosts.index(host)]
        os.unlink(self.path(host))
        session.signal(signal.SIGKILL)
        session.wait()

    def cut_power(self, host):
        """The host is lost, and none of its peers gets a sign of it: connections to it stay open, remote shells too."""
        self.link(host, False)
        with open(remote.silent(self.path(host)), "wb"):
            pass
        self.lose(host)

    def close(self):
        if self.process is not None:
            first = child_of(self.process.pid)
            self.process.kill()
            if first is not None:
                wait_for_end(first)
            self.process.wait()
            for session in self.sessions:
                session.close()
        shutil.rmtree(self.folder, ignore_errors=True)
