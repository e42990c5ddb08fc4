! SPDX-License-Identifier: BSD-3-Clause
! A file that is open only to be written is read, and a collective access is
! made during a split one (MPI-3.1 sections 13.2.1 and 13.4.5).
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: file-misuse warning
! SAYS: MPI_File_read .* reads a file that MPI_File_open .* with MPI_MODE_WRONLY
! SAYS: MPI_File_write_all .* before the split collective operation of
! SAYS_LINE: HERE
program file_modes_wrong
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: val, mode
  integer(MPI_OFFSET_KIND) :: place
  type(MPI_File) :: file
  type(MPI_Datatype) :: kind
  type(MPI_Comm) :: comm
  type(MPI_Info) :: none
  type(MPI_Status) :: stat

  val = 7
  kind = MPI_INTEGER
  comm = MPI_COMM_WORLD
  none = MPI_INFO_NULL
  place = 0
  call MPI_INIT(ierr)
  mode = MPI_MODE_CREATE + MPI_MODE_WRONLY
  mode = mode + MPI_MODE_DELETE_ON_CLOSE
  call MPI_FILE_OPEN(comm, 'w.tmp', mode, none, file, ierr)
  call MPI_FILE_READ(file, val, 1, kind, stat, ierr) ! HERE
  call MPI_FILE_WRITE_AT_ALL_BEGIN(file, place, val, 1, kind, ierr)
  call MPI_FILE_WRITE_ALL(file, val, 1, kind, stat, ierr) ! HERE
  call MPI_FILE_WRITE_AT_ALL_END(file, val, stat, ierr)
  call MPI_FILE_CLOSE(file, ierr)
  call MPI_FINALIZE(ierr)
end program file_modes_wrong
