! SPDX-License-Identifier: BSD-3-Clause
! What MPI sees of an array of requests in a program whose default integers
! have 8 bytes: each request is followed by a null one, and the last ones
! are never waited for.
!
! RANKS: 1
! EXPECT: no-deadlock
! FINDING: request-leak warning
! SAYS: In MPI_Waitall .* of rank 0, every second request of the array was null.*-fdefault-integer-8
program requests_half_null
  use mpi_f08
  implicit none
  integer :: ierr, in, out
  type(MPI_Request) :: list(2)
  type(MPI_Request) :: other

  in = 0
  call MPI_INIT(ierr)
  out = 1
  call MPI_IRECV(in, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, list(1), &
    ierr)
  call MPI_ISSEND(out, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, other, &
    ierr)
  list(2) = MPI_REQUEST_NULL
  call MPI_WAITALL(2, list, MPI_STATUSES_IGNORE, ierr)
  call MPI_FINALIZE(ierr)
end program requests_half_null
