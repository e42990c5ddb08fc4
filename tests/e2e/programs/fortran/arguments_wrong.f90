! SPDX-License-Identifier: BSD-3-Clause
! A rank, a tag and a count that are not allowed (MPI-3.1 sections 3.2.2 to 3.2.4). Errors are returned.
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: invalid-argument warning
! SAYS: dest is 2 in MPI_Send .* of ranks 0 and 1, but the group has 2 processes
! SAYS: tag is -5 in MPI_Send
! SAYS: count is -3 in MPI_Recv
! SAYS_LINE: RANK
program arguments_wrong
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: word
  type(MPI_Comm) :: comm
  type(MPI_Status) :: st

  comm = MPI_COMM_WORLD
  word = 0
  call MPI_INIT(ierr)
  call MPI_COMM_SET_ERRHANDLER(comm, MPI_ERRORS_RETURN, ierr)
  call MPI_SEND(word, 1, MPI_INTEGER, 2, 0, comm, ierr) ! RANK
  call MPI_SEND(word, 1, MPI_INTEGER, 0, -5, comm, ierr)
  call MPI_RECV(word, -3, MPI_INTEGER, 0, 0, comm, st, ierr)
  call MPI_FINALIZE(ierr)
end program arguments_wrong
