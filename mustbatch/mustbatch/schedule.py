# SPDX-License-Identifier: BSD-3-Clause
"""Runs cases, several at a time if asked to, and ends them when a signal asks for it. One thread, which waits in one place."""

import collections
import selectors
import signal
import socket

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
TICK = 0.5  # seconds between two drawings of the progress bar


class Signals:
    """Turns signals into something that a selector sees."""

    def __enter__(self):
        self.received = []
        self.ours, theirs = socket.socketpair()
        self.ours.setblocking(False)
        theirs.setblocking(False)
        self.theirs = theirs
        self.before = {signo: signal.signal(signo, self.note) for signo in SIGNALS}
        self.wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        return self

    def note(self, signo, _frame):
        self.received.append(signo)

    def drain(self):
        try:
            self.ours.recv(4096)
        except BlockingIOError:
            pass

    def __exit__(self, *_):
        signal.set_wakeup_fd(self.wakeup)
        for signo, handler in self.before.items():
            signal.signal(signo, handler)
        self.ours.close()
        self.theirs.close()


class Schedule:
    def __init__(self, jobs, progress, finished):
        self.jobs = jobs
        self.progress = progress
        self.finished = finished  # called with each case that has come to its end
        self.running = {}  # process: (case, its steps)
        self.signal = None

    def run(self, cases):
        """Returns the signal that ended it, or None."""
        waiting = collections.deque(cases)
        with Signals() as signals, selectors.DefaultSelector() as selector:
            selector.register(signals.ours, selectors.EVENT_READ)
            try:
                while (waiting and self.signal is None) or self.running:
                    while waiting and len(self.running) < self.jobs and self.signal is None:
                        case = waiting.popleft()
                        self.advance(selector, case, case.steps(), None)
                        self.obey(signals)
                    self.watch(selector, signals)
            finally:
                for process in self.running:
                    process.kill()
        return self.signal

    def advance(self, selector, case, steps, ended):
        """Let a case go on until it has started something or is over."""
        while True:
            try:
                launch = steps.send(ended)
            except StopIteration:
                self.finished(case)
                return
            if self.signal is not None:
                ended = Interrupted()
                continue
            self.progress.start(case, launch)
            try:
                process = launch.start()
            except OSError as error:
                ended = error
                continue
            selector.register(process, selectors.EVENT_READ)
            self.running[process] = (case, steps)
            return

    def watch(self, selector, signals):
        if not self.running:
            return
        wait = min(process.wait_seconds() for process in self.running)
        selector.select(min(wait, TICK))
        signals.drain()
        self.obey(signals)
        for process in list(self.running):
            gone = process.tick()
            if process.seconds is not None and process in selector.get_map():
                selector.unregister(process)
            if gone:
                process.close()
                self.advance(selector, *self.running.pop(process), process)
        self.progress.draw()

    def obey(self, signals):
        while signals.received:
            self.signal = signals.received.pop(0)
            for process in self.running:
                process.end("interrupted")


class Interrupted:
    """Stands for a process that was not started any more."""

    reason = "interrupted"
    exit_code = None
    seconds = 0.0
