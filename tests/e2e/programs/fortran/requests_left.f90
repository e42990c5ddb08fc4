! SPDX-License-Identifier: BSD-3-Clause
! Two receives are never completed (MPI-3.1 section 3.7.3). Each has a variable
! of its own, although the MPI library stores both handles in one of its own
! first: nothing is said of variables.
!
! RANKS: 2
! OPTIONS: --must:sends buffered
! EXPECT: no-deadlock
! FINDING: request-leak warning
! SAYS: request-leak: ranks 0 and 1 neither completed nor freed requests .*\n    rank 0: MPI_Irecv.*\n    rank 1: MPI_Irecv.*\norknot: warning: request-leak: .*\n    rank 0
program requests_left
  use mpi_f08
  implicit none
  integer :: ierr, me, val
  integer :: first, second
  type(MPI_Comm) :: comm
  type(MPI_Datatype) :: kind
  type(MPI_Request) :: one, two

  val = 1
  comm = MPI_COMM_WORLD
  kind = MPI_INTEGER
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  call MPI_IRECV(first, 1, kind, 1 - me, 1, comm, one, ierr)
  call MPI_IRECV(second, 1, kind, 1 - me, 2, comm, two, ierr)
  call MPI_SEND(val, 1, kind, 1 - me, 1, comm, ierr)
  call MPI_SEND(val, 1, kind, 1 - me, 2, comm, ierr)
  call MPI_FINALIZE(ierr)
end program requests_left
