! SPDX-License-Identifier: BSD-3-Clause
! Every rank would take a message of anybody, and nobody sends.
!
! RANKS: 3
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1 2
! ROOTS: {0,1,2}
! CALL: 0 MPI_Recv HERE
! CALL: 2 MPI_Recv HERE
! ADVISES: Let one of ranks 0-2 send before MPI_Recv
! SAYS_LINE: HERE
program all_any_source
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got, peer
  type(MPI_Comm) :: comm
  type(MPI_Status) :: st

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  peer = MPI_ANY_SOURCE
  call MPI_RECV(got, 1, MPI_INTEGER, peer, 0, comm, st, ierr) ! HERE
  call MPI_FINALIZE(ierr)
end program all_any_source
