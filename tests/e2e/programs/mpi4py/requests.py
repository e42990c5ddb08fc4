# SPDX-License-Identifier: BSD-3-Clause
# Persistent requests, Waitany, Waitsome and polling with objects, nonblocking collectives, a cancelled receive. Nothing to report.
#
# RANKS: 3
# EXPECT: clean
# OUTPUT: 45 [0, 1, 2] True 9 6
import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size


def ring_of_persistent_requests():
    out, into = array.array("i", [0]), array.array("i", [0])
    requests = [comm.Recv_init([into, MPI.INT], left, 1), comm.Send_init([out, MPI.INT], right, 1)]
    total = 0
    for step in range(10):
        out[0] = step
        MPI.Prequest.Startall(requests)
        MPI.Request.Waitall(requests)
        total += into[0]
    for request in requests:
        request.Free()
    return total


def polled_objects():
    requests = [comm.irecv(source=peer, tag=2) for peer in range(size)]
    sends = [comm.isend({"rank": rank}, dest=peer, tag=2) for peer in range(size)]
    got = []
    while len(got) < size:
        index, message = MPI.Request.waitany(requests)
        got.append(message["rank"])
        del requests[index]
    while not MPI.Request.testall(sends)[0]:
        pass
    return sorted(got)


def cancelled_receive():
    request = comm.Irecv(bytearray(1), source=MPI.ANY_SOURCE, tag=77)
    request.Cancel()
    status = MPI.Status()
    request.Wait(status)
    return status.Is_cancelled()


def matched_probes():
    request = comm.isend("x" * rank, dest=right, tag=3)
    while (message := comm.improbe(source=MPI.ANY_SOURCE, tag=3)) is None:
        pass
    length = len(message.recv())
    request.wait()
    return length


total = ring_of_persistent_requests()
ranks = polled_objects()
cancelled = cancelled_receive()
lengths = comm.allreduce(matched_probes())
part, result = array.array("i", [rank + 1]), array.array("i", [0])
comm.Iallreduce([part, MPI.INT], [result, MPI.INT]).Wait()
comm.Ibarrier().Wait()
if rank == 0:
    print(total, ranks, cancelled, 3 * lengths, result[0])
