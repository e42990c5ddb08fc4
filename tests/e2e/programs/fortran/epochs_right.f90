! SPDX-License-Identifier: BSD-3-Clause
! Fences, locks and a sequential file, used as MPI-3.1 sections 11.5 and 13.2.1
! allow: nothing to report.
!
! RANKS: 2
! EXPECT: clean
! OUTPUT: 7
program epochs_right
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, val, got, mode
  integer :: box(2)
  integer(MPI_ADDRESS_KIND) :: bytes, place
  type(MPI_Win) :: win
  type(MPI_File) :: file
  type(MPI_Datatype) :: kind
  type(MPI_Comm) :: comm
  type(MPI_Info) :: none
  type(MPI_Status) :: stat

  val = 7
  kind = MPI_INTEGER
  comm = MPI_COMM_WORLD
  none = MPI_INFO_NULL
  bytes = 8
  place = 1
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  call MPI_WIN_CREATE(box, bytes, 4, none, comm, win, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  call MPI_PUT(val, 1, kind, 1 - me, place, 1, kind, win, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  call MPI_WIN_LOCK(MPI_LOCK_SHARED, 1 - me, 0, win, ierr)
  call MPI_GET(got, 1, kind, 1 - me, place, 1, kind, win, ierr)
  call MPI_WIN_FLUSH(1 - me, win, ierr)
  call MPI_WIN_UNLOCK(1 - me, win, ierr)
  call MPI_WIN_FREE(win, ierr)
  mode = MPI_MODE_CREATE + MPI_MODE_WRONLY
  mode = mode + MPI_MODE_SEQUENTIAL + MPI_MODE_DELETE_ON_CLOSE
  call MPI_FILE_OPEN(comm, 'tape.tmp', mode, none, file, ierr)
  call MPI_FILE_WRITE_SHARED(file, val, 1, kind, stat, ierr)
  call MPI_FILE_CLOSE(file, ierr)
  if (me .eq. 0) print '(I0)', got
  call MPI_FINALIZE(ierr)
end program epochs_right
