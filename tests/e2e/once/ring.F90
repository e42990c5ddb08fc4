! SPDX-License-Identifier: BSD-3-Clause
! The calls of ring.c in a binding of Fortran: BINDING 1 is mpif.h, 2 the module mpi, 3 mpi_f08.
program ring
#if BINDING == 3
    use mpi_f08
    implicit none
    type(MPI_Request) :: request(2)
    type(MPI_Comm) :: copy
#else
#if BINDING == 2
    use mpi
    implicit none
#else
    implicit none
    include 'mpif.h'
#endif
    integer :: request(2), copy
#endif
    integer :: rank, other, got, total, error

    got = -1
    total = 0
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    other = 1 - rank
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, other, 0, got, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE, error)
    call MPI_Irecv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, request(1), error)
    call MPI_Isend(rank, 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, request(2), error)
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, error)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, error)
    call MPI_Allreduce(got, total, 1, MPI_INTEGER, MPI_SUM, copy, error)
    call MPI_Comm_free(copy, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    write (*, '(a, i0, a, i0)') 'got ', got, ', sum ', total
    call MPI_Finalize(error)
end program ring
