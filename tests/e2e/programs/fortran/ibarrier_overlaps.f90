! SPDX-License-Identifier: BSD-3-Clause
! A message passes between the start of a barrier and its completion.
!
! RANKS: 2
! EXPECT: clean
! OUTPUT: 7
program ibarrier_overlaps
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, val
  type(MPI_Comm) :: comm
  type(MPI_Request) :: req
  type(MPI_Status) :: st

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  val = 7
  if (me .eq. 0) then
    call MPI_IBARRIER(comm, req, ierr)
    call MPI_SEND(val, 1, MPI_INTEGER, 1, 0, comm, ierr)
  else
    call MPI_RECV(val, 1, MPI_INTEGER, 0, 0, comm, st, ierr)
    call MPI_IBARRIER(comm, req, ierr)
    print '(I0)', val
  end if
  call MPI_WAIT(req, st, ierr)
  call MPI_FINALIZE(ierr)
end program ibarrier_overlaps
