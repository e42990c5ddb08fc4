! SPDX-License-Identifier: BSD-3-Clause
! MPI_Waitany would go on with a message of either rank, but both wait for rank 0.
!
! RANKS: 3
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1 2
! ROOTS: {0,1,2}
! CALL: 0 MPI_Waitany HERE
! CALL: 1 MPI_Recv
! SAYS_LINE: HERE
program waitany_none
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got
  integer :: box(2)
  type(MPI_Comm) :: comm
  type(MPI_Status) :: st
  type(MPI_Request) :: req(2)

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  if (me .eq. 0) then
    call MPI_IRECV(box(1), 1, MPI_INTEGER, 1, 0, comm, req(1), ierr)
    call MPI_IRECV(box(2), 1, MPI_INTEGER, 2, 0, comm, req(2), ierr)
    call MPI_WAITANY(2, req, got, st, ierr) ! HERE
  else
    call MPI_RECV(got, 1, MPI_INTEGER, 0, 0, comm, st, ierr)
  end if
  call MPI_FINALIZE(ierr)
end program waitany_none
