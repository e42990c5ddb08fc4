! SPDX-License-Identifier: BSD-3-Clause
! Rank 3 waits for a message of rank 0 before it enters the barrier of the intercommunicator.
! Only with mpif.h the line of the barrier is asked for: gfortran 12 gives the call of a module
! procedure that has only scalar arguments the line of the program statement.
!
! RANKS: 4
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1 2 3
! ROOTS: {0,3}
! [f08 usempi] CALL: 0 MPI_Barrier
! [mpifh] CALL: 0 MPI_Barrier BARRIER
! CALL: 3 MPI_Recv HERE
! SAYS_LINE: HERE
! [mpifh] SAYS_LINE: BARRIER
program intercomm_barrier_late_member
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got, lead
  type(MPI_Comm) :: comm
  type(MPI_Comm) :: half, both
  type(MPI_Status) :: st

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
  call MPI_BARRIER(both, ierr) ! BARRIER
  call MPI_FINALIZE(ierr)
end program intercomm_barrier_late_member
