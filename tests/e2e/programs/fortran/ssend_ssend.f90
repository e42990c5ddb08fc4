! SPDX-License-Identifier: BSD-3-Clause
! Both ranks send synchronously before they receive.
!
! RANKS: 2
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1
! ROOTS: {0,1}
! CALL: 0 MPI_Ssend HERE
! CALL: 1 MPI_Ssend HERE
! SAYS_LINE: HERE
program ssend_ssend
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
  call MPI_SSEND(val, 1, MPI_INTEGER, 1 - me, 0, comm, ierr) ! HERE
  call MPI_RECV(got, 1, MPI_INTEGER, 1 - me, 0, comm, st, ierr)
  call MPI_FINALIZE(ierr)
end program ssend_ssend
