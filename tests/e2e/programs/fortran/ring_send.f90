! SPDX-License-Identifier: BSD-3-Clause
! Every rank of a ring sends to its right before it receives from its left.
!
! RANKS: 4
! EXPECT: deadlock
! CLASS: potential
! DEADLOCKED: 0 1 2 3
! ROOTS: {0,1,2,3}
! CALL: 2 MPI_Send HERE
! SAYS_LINE: HERE
! OUTPUT: 7
program ring_send
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got, val, next, last
  type(MPI_Comm) :: comm
  type(MPI_Status) :: st

  val = 7
  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  next = mod(me + 1, 4)
  last = mod(me + 3, 4)
  call MPI_SEND(val, 1, MPI_INTEGER, next, 0, comm, ierr) ! HERE
  call MPI_RECV(got, 1, MPI_INTEGER, last, 0, comm, st, ierr)
  if (me .eq. 0) print '(I0)', got
  call MPI_FINALIZE(ierr)
end program ring_send
