! SPDX-License-Identifier: BSD-3-Clause
! A persistent request is started while it is active (MPI-3.1 section 3.9), and a null handle is started (2.5.1). It is right to wait for
! an inactive request, and to start a request again after its completion.
!
! RANKS: 1
! EXPECT: no-deadlock
! FINDING: request-misuse error
! FINDING: request-misuse warning
! SAYS: MPI_Start \(\S+:\d+\) of rank 0 starts a request that is active
! SAYS: warning: request-misuse: MPI_Start \(\S+:\d+\) of rank 0 gets MPI_REQUEST_NULL
! SAYS: 2 findings
! [mpifh] SAYS_LINE: TWICE
! [mpifh] SAYS_LINE: NULL
! MAYBE: request-leak
program request_misuse
  use mpi_f08
  implicit none
  integer :: ierr, i
  integer :: got, sent, none
  type(MPI_Comm) :: comm
  type(MPI_Request) :: req

  comm = MPI_COMM_WORLD
  sent = 1
  none = MPI_PROC_NULL
  call MPI_INIT(ierr)
  call MPI_COMM_SET_ERRHANDLER(comm, MPI_ERRORS_RETURN, ierr)
  call MPI_SEND_INIT(sent, 1, MPI_INTEGER, none, 0, comm, req, ierr)
  do i = 1, 3
    call MPI_WAIT(req, MPI_STATUS_IGNORE, ierr)
    call MPI_START(req, ierr)
    call MPI_WAIT(req, MPI_STATUS_IGNORE, ierr)
  end do
  call MPI_REQUEST_FREE(req, ierr)
  call MPI_START(req, ierr) ! NULL
  call MPI_RECV_INIT(got, 1, MPI_INTEGER, 0, 1, comm, req, ierr)
  call MPI_START(req, ierr)
  call MPI_START(req, ierr) ! TWICE
  call MPI_SEND(sent, 1, MPI_INTEGER, 0, 1, comm, ierr)
  call MPI_WAIT(req, MPI_STATUS_IGNORE, ierr)
  call MPI_REQUEST_FREE(req, ierr)
  call MPI_FINALIZE(ierr)
end program request_misuse
