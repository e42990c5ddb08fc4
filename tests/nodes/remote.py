# SPDX-License-Identifier: BSD-3-Clause
"""The other side of host.py: start a command on a host of the bed."""

import json
import os
import signal
import socket
import sys

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


class Remote:
    """A process on a host. It is killed when this object is closed before it has ended."""

    def __init__(self, path, argv, env, cwd="/", streams=(0, 1, 2)):
        self.connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        self.connection.connect(path)
        request = {"argv": list(argv), "env": dict(env), "cwd": cwd}
        socket.send_fds(self.connection, [json.dumps(request).encode()], streams)
        self.pid = self.answer()["pid"]

    def answer(self):
        message = self.connection.recv(4096)
        if not message:
            raise ConnectionError("the host is gone")
        return json.loads(message)

    def signal(self, number):
        try:
            self.connection.send(json.dumps({"signal": number}).encode())
        except OSError:
            pass  # it has ended

    def wait(self):
        """The exit code as a shell shows it."""
        try:
            return self.answer()["exit"]
        finally:
            self.close()

    def close(self):
        self.connection.close()


def silent(path):
    """The file that is there if the host closes no connections when it ends."""
    return path + ".silent"


def run_here(path, argv, env, cwd):
    """Become the local side of the command: its streams are ours, signals that we get it gets. Returns its exit code; as ssh does, 255
    if the host is not there, and never if it has lost its power (Bed.cut_power)."""
    try:
        remote = Remote(path, argv, env, cwd)
        for number in FORWARDED:
            signal.signal(number, lambda received, _: remote.signal(received))
        return remote.wait()
    except OSError as error:
        for number in FORWARDED:
            signal.signal(number, signal.SIG_DFL)
        while os.path.exists(silent(path)):
            signal.pause()
        print(f"{os.path.basename(path)}: {error.strerror or error}", file=sys.stderr)
        return 255


if __name__ == "__main__":  # remote.py FOLDER HOST COMMAND...
    sys.exit(run_here(os.path.join(sys.argv[1], sys.argv[2]), sys.argv[3:], os.environ, os.getcwd()))
