! SPDX-License-Identifier: BSD-3-Clause
! Both ranks send before they receive. Only buffering lets the run end.
!
! RANKS: 2
! EXPECT: deadlock
! CLASS: potential
! DEADLOCKED: 0 1
! ROOTS: {0,1}
! CALL: 0 MPI_Send HERE
! CALL: 1 MPI_Send HERE
! SAYS_LINE: HERE
! OUTPUT: 7
program send_send
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got, val
  type(MPI_Comm) :: comm
  type(MPI_Status) :: st

  val = 7
  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  call MPI_SEND(val, 1, MPI_INTEGER, 1 - me, 0, comm, ierr) ! HERE
  call MPI_RECV(got, 1, MPI_INTEGER, 1 - me, 0, comm, st, ierr)
  if (me .eq. 0) print '(I0)', got
  call MPI_FINALIZE(ierr)
end program send_send
