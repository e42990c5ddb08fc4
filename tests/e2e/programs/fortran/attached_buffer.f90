! SPDX-License-Identifier: BSD-3-Clause
! A buffered send is longer than the attached buffer (MPI-3.1 section 3.6). A shorter one is right.
!
! RANKS: 1
! EXPECT: no-deadlock
! FINDING: attached-buffer warning
! SAYS: MPI_Bsend \(\S+:\d+\) of rank 0 sends 4000 bytes, but the buffer of MPI_Buffer_attach \(\S+:\d+\) has 2000
! MAYBE: lost-message
! [mpifh] SAYS_LINE: LONG
program attached_buffer
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: words(1000), space(500)
  type(MPI_Comm) :: comm
  type(MPI_Status) :: got

  comm = MPI_COMM_WORLD
  words = 1
  call MPI_INIT(ierr)
  call MPI_COMM_SET_ERRHANDLER(comm, MPI_ERRORS_RETURN, ierr)
  call MPI_BUFFER_ATTACH(space, 2000, ierr)
  call MPI_BSEND(words, 100, MPI_INTEGER, 0, 0, comm, ierr)
  call MPI_RECV(words, 100, MPI_INTEGER, 0, 0, comm, got, ierr)
  call MPI_BSEND(words, 1000, MPI_INTEGER, 0, 0, comm, ierr) ! LONG
  call MPI_FINALIZE(ierr)
end program attached_buffer
