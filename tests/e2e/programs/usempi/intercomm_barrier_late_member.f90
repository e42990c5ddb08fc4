! SPDX-License-Identifier: BSD-3-Clause
! Rank 3 waits for a message of rank 0 before it enters the barrier of the
! intercommunicator, with the mpi module. No line is asked for where gfortran 12 lacks it:
! it gives the call of a module procedure that has only scalar arguments the line of the
! program statement.
!
! RANKS: 4
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1 2 3
! ROOTS: {0,3}
! CALL: 0 MPI_Barrier
! CALL: 3 MPI_Recv HERE
! SAYS_LINE: HERE
program intercomm_barrier_late_member
  use mpi
  implicit none
  integer :: ierr, comm
  integer :: me, got, lead
  integer :: half, both
  integer :: st(MPI_STATUS_SIZE)

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  lead = 0
  if (me .lt. 2) lead = 2
  call MPI_COMM_SPLIT(comm, me / 2, 0, half, ierr)
  call MPI_INTERCOMM_CREATE(half, 0, comm, lead, 5, both, ierr)
  if (me .eq. 3) then
    call SLEEP(1) ! the others are there first
    call MPI_RECV(got, 1, MPI_INTEGER, 0, 0, comm, st, ierr) ! HERE
  end if
  call MPI_BARRIER(both, ierr)
  call MPI_FINALIZE(ierr)
end program intercomm_barrier_late_member
