! SPDX-License-Identifier: BSD-3-Clause
! Rank 2 waits for a message before it joins MPI_Comm_split, in which the sender already is.
! Only with the mpi module the line of MPI_Comm_split is not asked for: gfortran 12 gives the call
! of a module procedure that has only scalar arguments the line of the program statement.
!
! RANKS: 3
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1 2
! ROOTS: {0,2}
! [f08 mpifh] CALL: 0 MPI_Comm_split SPLIT
! [f08 mpifh] CALL: 1 MPI_Comm_split SPLIT
! [usempi] CALL: 0 MPI_Comm_split
! [usempi] CALL: 1 MPI_Comm_split
! CALL: 2 MPI_Recv HERE
! SAYS_LINE: HERE
! [f08 mpifh] SAYS_LINE: SPLIT
program split_late_member
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got
  type(MPI_Comm) :: comm
  type(MPI_Comm) :: part
  type(MPI_Status) :: st

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  if (me .eq. 2) then
    call SLEEP(1) ! the others are there first
    call MPI_RECV(got, 1, MPI_INTEGER, 0, 0, comm, st, ierr) ! HERE
  end if
  call MPI_COMM_SPLIT(comm, mod(me, 2), 0, part, ierr) ! SPLIT
  call MPI_FINALIZE(ierr)
end program split_late_member
