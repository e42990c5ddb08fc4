! SPDX-License-Identifier: BSD-3-Clause
! Rank 1 leaves without entering the barrier, with the mpi module. No line is asked for:
! gfortran 12 gives the call of a module procedure that has only scalar arguments the line
! of the program statement.
!
! RANKS: 2
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1
! ROOTS: {0,1}
! CALL: 0 MPI_Barrier
! CALL: 1 MPI_Finalize
program barrier_finalize
  use mpi
  implicit none
  integer :: ierr, comm
  integer :: me

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  if (me .eq. 0) then
    call MPI_BARRIER(comm, ierr)
  end if
  call MPI_FINALIZE(ierr)
end program barrier_finalize
