# SPDX-License-Identifier: BSD-3-Clause
import os

import pytest


@pytest.mark.mpi(ranks=2)
def test_good():
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    assert world.sendrecv(world.rank, dest=1 - world.rank) == 1 - world.rank


@pytest.mark.mpi(ranks=2)
def test_deadlock():
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    other = world.recv(source=1 - world.rank)
    world.send(world.rank, dest=1 - world.rank)
    assert other == 1 - world.rank


@pytest.mark.mpi(ranks=2)
def test_wrong():
    from mpi4py import MPI

    assert MPI.COMM_WORLD.allreduce(1) == 3


@pytest.mark.mpi(ranks=2)
def test_crash():
    from mpi4py import MPI

    if MPI.COMM_WORLD.rank == 1:
        os.abort()
    MPI.COMM_WORLD.barrier()


@pytest.mark.mpi(ranks=2, expect=["deadlock"])
def test_known_deadlock():
    test_deadlock()


def test_program(orknot):
    orknot(["./exchange", "good"], ranks=2)
