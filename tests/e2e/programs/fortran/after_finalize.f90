! SPDX-License-Identifier: BSD-3-Clause
! Rank 1 asks for its number after MPI_Finalize (MPI-3.1 section 8.7), and the MPI library ends it. MPI_Initialized and MPI_Finalized are
! allowed at any time.
!
! RANKS: 2
! EXPECT: no-deadlock
! PLAIN: compared
! FINDING: init-finalize error
! SAYS: MPI_Comm_rank \(\S+:\d+\) of rank 1 is called after MPI_Finalize \(\S+:\d+\)
! SAYS: 1 finding \(1 error\)
! [mpifh] SAYS_LINE: LATE
program after_finalize
  use mpi_f08
  implicit none
  integer :: ierr, rank
  logical :: begun, over
  type(MPI_Comm) :: comm

  comm = MPI_COMM_WORLD
  call MPI_INITIALIZED(begun, ierr)
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, rank, ierr)
  call MPI_FINALIZE(ierr)
  call MPI_FINALIZED(over, ierr)
  if (rank == 1) call MPI_COMM_RANK(comm, rank, ierr) ! LATE
end program after_finalize
