! SPDX-License-Identifier: BSD-3-Clause
! Every rank of a ring completes its persistent send before it starts its receive.
! Only with mpif.h the line of MPI_Wait is asked for: gfortran 12 gives the call of a module
! procedure that has only scalar arguments the line of the program statement.
!
! RANKS: 4
! EXPECT: deadlock
! CLASS: potential
! DEADLOCKED: 0 1 2 3
! ROOTS: {0,1,2,3}
! SAYS: because the MPI library buffered messages\. MPI does not guarantee that \(MPI-3\.1 section 3\.5\)
! [f08 usempi] CALL: 0 MPI_Wait
! [mpifh] CALL: 0 MPI_Wait SENT
! OUTPUT: 7
program persistent_send_first
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got, val, next, last
  type(MPI_Comm) :: comm
  type(MPI_Request) :: req(2)
  type(MPI_Status) :: st

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  val = 7
  next = mod(me + 1, 4)
  last = mod(me + 3, 4)
  call MPI_SEND_INIT(val, 1, MPI_INTEGER, next, 0, comm, req(1), &
    ierr)
  call MPI_RECV_INIT(got, 1, MPI_INTEGER, last, 0, comm, req(2), &
    ierr)
  call MPI_START(req(1), ierr)
  call MPI_WAIT(req(1), st, ierr) ! SENT
  call MPI_START(req(2), ierr)
  call MPI_WAIT(req(2), st, ierr)
  call MPI_REQUEST_FREE(req(1), ierr)
  call MPI_REQUEST_FREE(req(2), ierr)
  if (me .eq. 0) print '(I0)', got
  call MPI_FINALIZE(ierr)
end program persistent_send_first
