! SPDX-License-Identifier: BSD-3-Clause
! Sections that are contiguous may be pending, those that are not may be
! passed to calls that block, and a datatype describes the others.
!
! RANKS: 2
! EXPECT: clean
program sections_right
  use mpi_f08
  implicit none
  integer :: ierr, rank, other, i
  integer :: val(10), more(10)
  type(MPI_Comm) :: comm
  type(MPI_Datatype) :: kind, every
  type(MPI_Request) :: first, second
  type(MPI_Status) :: status

  val = 0
  comm = MPI_COMM_WORLD
  kind = MPI_INTEGER
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, rank, ierr)
  call MPI_TYPE_VECTOR(5, 1, 2, kind, every, ierr)
  call MPI_TYPE_COMMIT(every, ierr)
  other = 1 - rank
  more = rank
  do i = 1, 3
    call MPI_IRECV(val(1:5), 5, kind, other, 1, comm, first, ierr)
    call MPI_IRECV(val(6:10), 5, kind, other, 2, comm, second, ierr)
    call MPI_SEND(more(1:9:2), 5, kind, other, 1, comm, ierr)
    call MPI_SEND(more(2:10:2), 5, kind, other, 2, comm, ierr)
    call MPI_WAIT(first, status, ierr)
    call MPI_WAIT(second, status, ierr)
    call MPI_IRECV(val(1), 1, every, other, 3, comm, first, ierr)
    call MPI_IRECV(val(2), 1, every, other, 4, comm, second, ierr)
    call MPI_SEND(more(1:9:2), 5, kind, other, 3, comm, ierr)
    call MPI_SEND(more(2), 1, every, other, 4, comm, ierr)
    call MPI_WAIT(first, status, ierr)
    call MPI_WAIT(second, status, ierr)
    call MPI_SENDRECV(more(1:9:2), 5, kind, other, 5, &
      val(1:9:2), 5, kind, other, 5, comm, status, ierr)
  end do
  call MPI_TYPE_FREE(every, ierr)
  call MPI_FINALIZE(ierr)
end program sections_right
