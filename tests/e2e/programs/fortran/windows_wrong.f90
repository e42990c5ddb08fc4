! SPDX-License-Identifier: BSD-3-Clause
! Two ranks put to the same element in one epoch (MPI-3.1 section 11.7), one
! puts outside of the window (section 11.3), and memory is attached to a window
! that is not dynamic (section 11.2.4). The window returns errors.
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: rma-conflict error
! FINDING: window-bounds warning
! FINDING: window-misuse warning
! SAYS: rank 0 put bytes 0-3 of the window of rank 0 .* while rank 1 put bytes 0-3 of it .*: nothing orders them
! SAYS: MPI_Put .* accesses bytes 400-403
! SAYS: MPI_Win_attach
program windows_wrong
  use mpi_f08
  implicit none
  integer :: ierr, rank
  integer :: val, box(2), more(2)
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
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, rank, ierr)
  call MPI_WIN_CREATE(box, bytes, 4, none, comm, win, ierr)
  call MPI_WIN_SET_ERRHANDLER(win, MPI_ERRORS_RETURN, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  place = 0
  call MPI_PUT(val, 1, kind, 0, place, 1, kind, win, ierr)
  place = 100
  if (rank == 0) then
     call MPI_PUT(val, 1, kind, 1, place, 1, kind, win, ierr)
  end if
  call MPI_WIN_FENCE(0, win, ierr)
  call MPI_WIN_ATTACH(win, more, bytes, ierr)
  call MPI_WIN_FREE(win, ierr)
  call MPI_FINALIZE(ierr)
end program windows_wrong
