! SPDX-License-Identifier: BSD-3-Clause
! Receives posted before sends, all completed together: nothing to report.
!
! RANKS: 4
! EXPECT: clean
! OUTPUT: 77
program halo_exchange
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got, val, next, last, step
  integer :: box(2)
  type(MPI_Comm) :: comm
  type(MPI_Request) :: req(2)

  val = 7
  box(1) = 0
  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  next = mod(me + 1, 4)
  last = mod(me + 3, 4)
  do step = 1, 10
    call MPI_IRECV(got, 1, MPI_INTEGER, last, 0, comm, req(1), ierr)
    call MPI_ISEND(val, 1, MPI_INTEGER, next, 0, comm, req(2), ierr)
    call MPI_WAITALL(2, req, MPI_STATUSES_IGNORE, ierr)
    box(1) = box(1) + got
  end do
  call MPI_BARRIER(comm, ierr)
  if (me .eq. 0) print '(I0)', box(1) + val
  call MPI_FINALIZE(ierr)
end program halo_exchange
