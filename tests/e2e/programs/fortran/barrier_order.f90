! SPDX-License-Identifier: BSD-3-Clause
! Two communicators, two barriers, opposite order.
! Only with mpif.h the line of the barrier is asked for: gfortran 12 gives the call of a module
! procedure that has only scalar arguments the line of the program statement.
!
! RANKS: 2
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1
! ROOTS: {0,1}
! [f08 usempi] CALL: 0 MPI_Barrier
! [f08 usempi] CALL: 1 MPI_Barrier
! [f08 usempi] SAYS: rank 0 calls MPI_Barrier .* on MPI_Comm_dup .*\(the earlier one\), but rank 1 calls it .* on .*\(the later one\)
! [f08 usempi] ADVISES: Let rank 0 call MPI_Barrier on .*\(the later one\), as rank 1 does .*, before MPI_Barrier .* on .*\(the earlier one\)
! [mpifh] CALL: 0 MPI_Barrier HERE
! [mpifh] CALL: 1 MPI_Barrier HERE
! [mpifh] SAYS_LINE: HERE
program barrier_order
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me
  type(MPI_Comm) :: comm
  type(MPI_Comm) :: pair(2)

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  call MPI_COMM_DUP(comm, pair(1), ierr)
  call MPI_COMM_DUP(comm, pair(2), ierr)
  call MPI_BARRIER(pair(1 + me), ierr) ! HERE
  call MPI_BARRIER(pair(2 - me), ierr)
  call MPI_FINALIZE(ierr)
end program barrier_order
