#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Objects from anybody, blocking, with a probe, and with tests.

RANKS: 3"""

import hashlib
import os
import random
import time

from mpi4py import MPI

ROUNDS = 5


def pause_perhaps():
    if "NOISE" in os.environ and random.random() < 0.5:
        time.sleep(0.002 * random.random())


def receive(comm, number):
    """What comes next: who sent what, and how often it was looked for in vain."""
    status = MPI.Status()
    vain = 0
    if number % 3 == 0:
        got = comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
    elif number % 3 == 1:
        comm.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG, status)
        got = comm.recv(source=status.Get_source(), tag=status.Get_tag())
    else:
        request = comm.irecv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG)
        done, got = request.test(status)
        while not done:
            vain += 1
            done, got = request.test(status)
    return status.Get_source(), status.Get_tag(), got, vain


def main():
    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        seen = [receive(comm, number) for number in range(ROUNDS * (comm.size - 1))]
        print("digest", hashlib.sha256(repr(seen).encode()).hexdigest())
    else:
        for number in range(ROUNDS):
            pause_perhaps()
            comm.send({"round": number, "rank": comm.rank}, 0, tag=number)
    comm.Barrier()


main()
