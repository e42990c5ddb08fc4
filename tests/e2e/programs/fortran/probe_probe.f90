! SPDX-License-Identifier: BSD-3-Clause
! Both ranks probe before they send.
!
! RANKS: 2
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1
! ROOTS: {0,1}
! CALL: 0 MPI_Probe HERE
! CALL: 1 MPI_Probe HERE
! SAYS_LINE: HERE
program probe_probe
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, val
  type(MPI_Comm) :: comm
  type(MPI_Status) :: st

  val = 7
  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  call MPI_PROBE(1 - me, 0, comm, st, ierr) ! HERE
  call MPI_SEND(val, 1, MPI_INTEGER, 1 - me, 0, comm, ierr)
  call MPI_FINALIZE(ierr)
end program probe_probe
