! SPDX-License-Identifier: BSD-3-Clause
! An access outside of epochs, a flush without a lock, and a window that is
! freed before the fence that would complete its access (MPI-3.1 sections 11.5,
! 11.5.4 and 11.2.5). The window returns errors.
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: epoch-misuse warning
! SAYS: MPI_Put .* of ranks 0 and 1 accesses target 1 outside of access epochs
! SAYS: MPI_Win_flush .* of ranks 0 and 1 is called while no target is locked
! SAYS: MPI_Win_free .* frees the window, but the epoch of MPI_Win_fence
! SAYS_LINE: HERE
program epochs_wrong
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: val
  integer :: box(2)
  integer(MPI_ADDRESS_KIND) :: bytes, place
  type(MPI_Win) :: win
  type(MPI_Datatype) :: kind
  type(MPI_Comm) :: comm
  type(MPI_Info) :: none

  val = 7
  kind = MPI_INTEGER
  comm = MPI_COMM_WORLD
  none = MPI_INFO_NULL
  bytes = 8
  place = 0
  call MPI_INIT(ierr)
  call MPI_WIN_CREATE(box, bytes, 4, none, comm, win, ierr)
  call MPI_WIN_SET_ERRHANDLER(win, MPI_ERRORS_RETURN, ierr)
  call MPI_PUT(val, 1, kind, 1, place, 1, kind, win, ierr) ! HERE
  call MPI_WIN_FLUSH(1, win, ierr) ! HERE
  call MPI_WIN_FENCE(0, win, ierr)
  call MPI_GET(val, 1, kind, 0, place, 1, kind, win, ierr)
  call MPI_WIN_FREE(win, ierr)
  call MPI_FINALIZE(ierr)
end program epochs_wrong
