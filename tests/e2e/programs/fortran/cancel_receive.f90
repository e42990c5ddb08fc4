! SPDX-License-Identifier: BSD-3-Clause
! A cancelled receive completes in MPI_Wait.
!
! RANKS: 2
! EXPECT: clean
! OUTPUT: T
program cancel_receive
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got
  type(MPI_Comm) :: comm
  type(MPI_Request) :: req
  type(MPI_Status) :: st
  logical :: gone

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  if (me .eq. 0) then
    call MPI_IRECV(got, 1, MPI_INTEGER, 1, 0, comm, req, ierr)
    call MPI_CANCEL(req, ierr)
    call MPI_WAIT(req, st, ierr)
    call MPI_TEST_CANCELLED(st, gone, ierr)
    print '(L1)', gone
  end if
  call MPI_FINALIZE(ierr)
end program cancel_receive
