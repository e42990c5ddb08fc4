! SPDX-License-Identifier: BSD-3-Clause
! Assertions that a call does not have (MPI-3.1 section 11.5.5), and a lock type that does not exist (11.5.3).
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: invalid-argument warning
! SAYS: assert is \d+ in MPI_Win_lock_all \(\S+:\d+\) of ranks 0 and 1
! SAYS: lock_type is 77 in MPI_Win_lock \(\S+:\d+\) of ranks 0 and 1
! [mpifh] SAYS_LINE: ASSERT
! [mpifh] SAYS_LINE: TYPE
program locks_wrong
  use mpi_f08
  implicit none
  integer :: ierr, flags
  integer :: memory(4)
  integer(kind=MPI_ADDRESS_KIND) :: bytes
  type(MPI_Comm) :: comm
  type(MPI_Info) :: none
  type(MPI_Win) :: win

  comm = MPI_COMM_WORLD
  none = MPI_INFO_NULL
  bytes = 16
  flags = MPI_MODE_NOSTORE
  call MPI_INIT(ierr)
  call MPI_WIN_CREATE(memory, bytes, 4, none, comm, win, ierr)
  call MPI_WIN_SET_ERRHANDLER(win, MPI_ERRORS_RETURN, ierr)
  call MPI_WIN_LOCK_ALL(MPI_MODE_NOCHECK, win, ierr)
  call MPI_WIN_UNLOCK_ALL(win, ierr)
  call MPI_WIN_LOCK_ALL(flags, win, ierr) ! ASSERT
  if (ierr == MPI_SUCCESS) call MPI_WIN_UNLOCK_ALL(win, ierr)
  call MPI_WIN_LOCK(77, 0, 0, win, ierr) ! TYPE
  if (ierr == MPI_SUCCESS) call MPI_WIN_UNLOCK(0, win, ierr)
  call MPI_WIN_FREE(win, ierr)
  call MPI_FINALIZE(ierr)
end program locks_wrong
