#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The first process of a host of the bed (bed.py), inside its namespaces: makes its files, then starts what it is asked to start over a
socket, as a remote shell would, and collects the orphans. When it ends, the kernel ends all of the host.

A request is one message: {"argv", "env", "cwd"} with the three standard streams. The answers are {"pid"} (in the numbers of this host) or
{"error"}, then {"exit"}. {"signal"} sends a signal to the process. If the other side hangs up, the process and its group are killed."""

import ctypes
import json
import os
import selectors
import signal
import socket
import sys

MS_BIND, MS_REC, MS_NOSUID, MS_NODEV = 0x1000, 0x4000, 2, 4
MESSAGE = 1 << 20
LIBC = ctypes.CDLL(None, use_errno=True)


def mount(source, target, kind, flags, options=None):
    words = [word.encode() if word is not None else None for word in (source, target, kind)]
    if LIBC.mount(*words, ctypes.c_ulong(flags), options.encode() if options else None) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"cannot mount {kind or source} on {target}: {os.strerror(code)}")


def own_folders(folders, shared):
    """Empty memory file systems; of what was there only the paths `shared` stay, at their places."""
    kept = [(path, os.open(path, os.O_PATH)) for path in shared if any(os.path.commonpath([path, one]) == one for one in folders)]
    for folder in folders:
        mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777" if folder != "/run" else "mode=755")
    for path, file in kept:
        os.makedirs(path, exist_ok=True)
        mount(f"/proc/self/fd/{file}", path, None, MS_BIND | MS_REC)
        os.close(file)


def own_files(files):
    for path, source in files.items():
        if os.path.exists(path):
            mount(source, path, None, MS_BIND)


class Session:
    """A process that was asked for, and the connection that asked for it."""

    def __init__(self, connection):
        self.connection = connection
        self.pid = None

    def answer(self, **what):
        try:
            self.connection.send(json.dumps(what).encode())
        except OSError:
            pass  # it does not listen any more

    def start(self, request, streams):
        self.pid = os.fork()
        if self.pid == 0:
            execute(request, streams)
        self.answer(pid=self.pid)

    def kill(self, number):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass

    def hang_up(self):
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def execute(request, streams):
    """In the child: become the program. Never returns."""
    try:
        os.setsid()
        for number in range(1, signal.NSIG):
            if signal.getsignal(number) not in (signal.SIG_DFL, None):
                signal.signal(number, signal.SIG_DFL)
        for target, stream in enumerate(streams):
            os.dup2(stream, target)
        os.closerange(3, 1024)
        os.chdir(request["cwd"])
        os.execvpe(request["argv"][0], request["argv"], request["env"])
    except OSError as error:
        os.write(2, f"{request['argv'][0]}: {error.strerror}\n".encode())
    os._exit(127)


class Host:
    def __init__(self, path):
        self.selector = selectors.DefaultSelector()
        self.sessions = {}
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(path + ".new")
        self.listener.listen(64)
        os.rename(path + ".new", path)  # it is there only when it listens
        self.selector.register(self.listener, selectors.EVENT_READ, self.accept)
        wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake[1])
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.selector.register(wake[0], selectors.EVENT_READ, self.collect)

    def accept(self, _):
        connection = self.listener.accept()[0]
        self.selector.register(connection, selectors.EVENT_READ, self.read)
        self.sessions[connection] = Session(connection)

    def read(self, connection):
        session = self.sessions[connection]
        try:
            message, streams, _, _ = socket.recv_fds(connection, MESSAGE, 3)
        except OSError:
            message, streams = b"", []
        if not message:
            self.forget(session)
            return
        request = json.loads(message)
        if "signal" in request:
            session.kill(request["signal"])
        else:
            session.start(request, streams)
        for stream in streams:
            os.close(stream)

    def forget(self, session):
        if session.pid is not None:
            session.hang_up()
        self.selector.unregister(session.connection)
        del self.sessions[session.connection]
        session.connection.close()

    def collect(self, wake):
        os.read(wake, 4096)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            for session in list(self.sessions.values()):
                if session.pid == pid:
                    code = os.waitstatus_to_exitcode(status)
                    session.answer(exit=code if code >= 0 else 128 - code)
                    session.pid = None
                    self.forget(session)

    def serve(self):
        while True:
            for key, _ in self.selector.select():
                key.data(key.fileobj)


def main():
    setting = json.loads(sys.argv[1])
    if setting["hostname"]:
        socket.sethostname(setting["hostname"])
    own_folders(setting["own"], setting["shared"])
    own_files(setting["files"])
    Host(setting["socket"]).serve()


main()
