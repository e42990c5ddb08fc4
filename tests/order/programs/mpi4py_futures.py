#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tasks for a pool of workers: which worker does which task is another in each run. The pool's own thread receives from anybody.

RANKS: 4"""

import os
import random
import time

from mpi4py import MPI
from mpi4py.futures import MPICommExecutor

TASKS = 16


def task(number):
    if "NOISE" in os.environ and random.random() < 0.5:
        time.sleep(0.01 * random.random())
    return number * number, MPI.COMM_WORLD.rank


def main():
    with MPICommExecutor(MPI.COMM_WORLD, root=0) as executor:
        if executor is not None:
            results = list(executor.map(task, range(TASKS)))
            assert [square for square, _ in results] == [number * number for number in range(TASKS)]
            print("digest", *(rank for _, rank in results))


main()
