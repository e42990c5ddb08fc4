! SPDX-License-Identifier: BSD-3-Clause
! Two pending receives share an element (MPI-3.1 section 3.7.2), the buffers of
! one call overlap (section 5.1), and a message is never received (3.5).
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: buffer-overlap error
! FINDING: lost-message warning
! SAYS: MPI_Irecv .* of ranks 0 and 1 writes bytes 8 to 11 of a buffer that the pending MPI_Irecv
! SAYS: MPI_Allgather .* of ranks 0 and 1 sends bytes 0 to 3 of its receive buffer
! SAYS: with tag 9 that no rank received
program buffers_wrong
  use mpi_f08
  implicit none
  integer :: ierr, rank, other
  integer :: val(5), row(2)
  type(MPI_Comm) :: comm
  type(MPI_Datatype) :: kind
  type(MPI_Request) :: first, second
  type(MPI_Status) :: status

  row = 7
  comm = MPI_COMM_WORLD
  kind = MPI_INTEGER
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, rank, ierr)
  other = 1 - rank
  call MPI_IRECV(val(1), 3, kind, other, 1, comm, first, ierr)
  call MPI_IRECV(val(3), 3, kind, other, 2, comm, second, ierr)
  call MPI_SEND(row, 2, kind, other, 1, comm, ierr)
  call MPI_SEND(row, 2, kind, other, 2, comm, ierr)
  call MPI_WAIT(first, status, ierr)
  call MPI_WAIT(second, status, ierr)
  call MPI_ALLGATHER(val, 1, kind, val, 1, kind, comm, ierr)
  if (rank == 0) then
    call MPI_ISEND(row, 1, kind, 1, 9, comm, first, ierr)
    call MPI_REQUEST_FREE(first, ierr)
  end if
  call MPI_FINALIZE(ierr)
end program buffers_wrong
