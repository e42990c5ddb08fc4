! SPDX-License-Identifier: BSD-3-Clause
! Rank 1 stops with a code, without MPI_Finalize.
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: abnormal-end error
! SAYS: rank 1 exited with code 2 at stop.f90:\d+ without MPI_Finalize, after MPI_Barrier
! SAYS_LINE: HERE
! EXIT: 2
program stop_early
    use mpi
    implicit none
    integer :: rank, ierr, word

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    if (rank == 1) stop 2
    call MPI_Recv(word, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! HERE
    call MPI_Finalize(ierr)
end program stop_early
