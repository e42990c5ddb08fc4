! SPDX-License-Identifier: BSD-3-Clause
! Rank 1 leaves without entering the barrier.
! Only with mpif.h the line of the barrier is asked for: gfortran 12 gives the call of a module
! procedure that has only scalar arguments the line of the program statement.
!
! RANKS: 2
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1
! ROOTS: {0,1}
! [f08 usempi] CALL: 0 MPI_Barrier
! [mpifh] CALL: 0 MPI_Barrier HERE
! CALL: 1 MPI_Finalize
! [mpifh] SAYS_LINE: HERE
program barrier_finalize
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me
  type(MPI_Comm) :: comm

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  if (me .eq. 0) then
    call MPI_BARRIER(comm, ierr) ! HERE
  end if
  call MPI_FINALIZE(ierr)
end program barrier_finalize
