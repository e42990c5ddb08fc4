! SPDX-License-Identifier: BSD-3-Clause
! MPI_IN_PLACE where it must not stand (MPI-3.1 section 5.2.1): as the receive
! buffer of an allgather, and in a send.
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: invalid-buffer error
! SAYS: recvbuf is MPI_IN_PLACE in MPI_Allgather
! SAYS: buf is MPI_IN_PLACE in MPI_Send .* of rank 1
program in_place_wrong
  use mpi_f08
  implicit none
  integer :: ierr, rank
  integer :: val(2), one(1)
  type(MPI_Comm) :: comm
  type(MPI_Datatype) :: kind
  type(MPI_Status) :: status

  comm = MPI_COMM_WORLD
  kind = MPI_INTEGER
  val = 0
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, rank, ierr)
  call MPI_ALLGATHER(val, 0, kind, MPI_IN_PLACE, 0, kind, comm, &
    ierr)
  if (rank == 1) then
    call MPI_SEND(MPI_IN_PLACE, 1, kind, 0, 1, comm, ierr)
  else
    call MPI_RECV(one, 1, kind, 1, 1, comm, status, ierr)
  end if
  call MPI_FINALIZE(ierr)
end program in_place_wrong
