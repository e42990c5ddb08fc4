! SPDX-License-Identifier: BSD-3-Clause
! The message has tag 1, the receive asks for tag 2.
!
! RANKS: 2
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1
! ROOTS: {0,1}
! CALL: 1 MPI_Recv HERE
! SAYS_LINE: HERE
program tag_mismatch
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got, val
  type(MPI_Comm) :: comm
  type(MPI_Status) :: st

  val = 7
  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  if (me .eq. 0) then
    call MPI_SEND(val, 1, MPI_INTEGER, 1, 1, comm, ierr)
  else
    call MPI_RECV(got, 1, MPI_INTEGER, 0, 2, comm, st, ierr) ! HERE
  end if
  call MPI_FINALIZE(ierr)
end program tag_mismatch
