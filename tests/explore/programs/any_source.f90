! SPDX-License-Identifier: BSD-3-Clause
! The exit code tells which message was the first.
!
! RANKS: 3
! EXPLORE: 2 orders, 1 ended, 1 exit, exit 66
program any_source
    use mpi
    implicit none
    integer :: me, first, other, error, status(MPI_STATUS_SIZE)

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
    first = 1
    if (me == 0) then
        call MPI_Recv(first, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, status, error)
        call MPI_Recv(other, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, status, error)
    else
        call MPI_Send(me, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, error)
    end if
    call MPI_Finalize(error)
    if (first == 2) stop 5
end program any_source
