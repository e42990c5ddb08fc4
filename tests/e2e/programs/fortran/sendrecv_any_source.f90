! SPDX-License-Identifier: BSD-3-Clause
! MPI_Sendrecv needs its send and a message of anybody. The ranks 1 and 2 wait for each other.
!
! RANKS: 3
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1 2
! ROOTS: {1,2}
! CALL: 0 MPI_Sendrecv HERE
! CALL: 1 MPI_Recv HERE
! CALL: 2 MPI_Recv HERE
! SAYS_LINE: HERE
program sendrecv_any_source
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got, val
  type(MPI_Comm) :: comm
  type(MPI_Status) :: st

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  val = 7
  if (me .eq. 0) then
    call MPI_SENDRECV(val, 1, MPI_INTEGER, 1, 0, got, 1, &
      MPI_INTEGER, MPI_ANY_SOURCE, 0, comm, st, ierr) ! HERE
  else if (me .eq. 1) then
    call MPI_RECV(got, 1, MPI_INTEGER, 2, 0, comm, st, ierr) ! HERE
    call MPI_RECV(got, 1, MPI_INTEGER, 0, 0, comm, st, ierr)
  else
    call SLEEP(1) ! the others are there first
    call MPI_RECV(got, 1, MPI_INTEGER, 1, 0, comm, st, ierr) ! HERE
  end if
  call MPI_FINALIZE(ierr)
end program sendrecv_any_source
