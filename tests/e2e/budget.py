# SPDX-License-Identifier: BSD-3-Clause
"""How much time a test of random programs may take."""

import resource
import time

# RATIONALE: beside much other work, ranks that wait for each other need a long time and little processor time.
WAITS = 6  # times as long, at most


def add_argument(parser):
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of processor time, after which no further program begins")


def spent():
    """Seconds of processor time of the processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def within(seconds, programs):
    """The programs as long as there is time; at least one."""
    end = time.monotonic() + WAITS * seconds
    for number, program in enumerate(programs, start=1):
        yield program
        if spent() > seconds or time.monotonic() > end:
            print(f"the time is spent after {number} programs")
            return
