! SPDX-License-Identifier: BSD-3-Clause
! Arguments that look wrong and are right: MPI_IN_PLACE (MPI-3.1 section 5.2.1), MPI_PROC_NULL (3.11), MPI_UNDEFINED as a colour (6.4.2),
! and arguments that matter only at the root.
!
! RANKS: 2
! EXPECT: clean
program arguments_right
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, word, color
  type(MPI_Comm) :: comm, part
  type(MPI_Status) :: st

  comm = MPI_COMM_WORLD
  word = 1
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  call MPI_ALLREDUCE(MPI_IN_PLACE, word, 1, MPI_INTEGER, &
                     MPI_SUM, comm, ierr)
  call MPI_SEND(word, 1, MPI_INTEGER, MPI_PROC_NULL, 7, comm, ierr)
  call MPI_RECV(word, 1, MPI_INTEGER, MPI_PROC_NULL, &
                MPI_ANY_TAG, comm, st, ierr)
  color = MPI_UNDEFINED
  if (me == 0) color = 3
  call MPI_COMM_SPLIT(comm, color, 0, part, ierr)
  if (me == 0) call MPI_COMM_FREE(part, ierr)
  call MPI_BCAST(word, 0, MPI_INTEGER, 1, comm, ierr)
  call MPI_FINALIZE(ierr)
end program arguments_right
