! SPDX-License-Identifier: BSD-3-Clause
! Integers that are received as reals (MPI-3.1 section 3.3.1), more elements
! than the receive has room for (section 3.2.4), and a broadcast whose ranks
! name different counts (section 5.4). Pairs of integers are right.
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: type-mismatch error
! FINDING: truncation warning
! FINDING: count-mismatch error
! SAYS: rank 0 sends 2 x MPI_INTEGER .*, but rank 1 receives 2 x MPI_REAL
! SAYS: rank 0 sends 3 x MPI_INTEGER .*, but rank 1 receives at most 2 x MPI_INTEGER
! SAYS: rank 0 sends 1 x MPI_INTEGER .*, but rank 1 receives 2 x MPI_INTEGER
! SAYS: 3 findings
program types_differ
  use mpi_f08
  implicit none
  integer :: ierr, rank
  integer :: val(4)
  type(MPI_Comm) :: comm
  type(MPI_Status) :: status

  val = 0
  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, rank, ierr)
  call MPI_COMM_SET_ERRHANDLER(comm, MPI_ERRORS_RETURN, ierr)
  if (rank == 0) then
     call MPI_SEND(val, 2, MPI_INTEGER, 1, 1, comm, ierr)
     call MPI_SEND(val, 3, MPI_INTEGER, 1, 2, comm, ierr)
     call MPI_SEND(val, 2, MPI_2INTEGER, 1, 3, comm, ierr)
     call MPI_BCAST(val, 1, MPI_INTEGER, 0, comm, ierr)
  else
     call MPI_RECV(val, 2, MPI_REAL, 0, 1, comm, status, ierr)
     call MPI_RECV(val, 2, MPI_INTEGER, 0, 2, comm, status, ierr)
     call MPI_RECV(val, 4, MPI_INTEGER, 0, 3, comm, status, ierr)
     call MPI_BCAST(val, 2, MPI_INTEGER, 0, comm, ierr)
  end if
  call MPI_FINALIZE(ierr)
end program types_differ
