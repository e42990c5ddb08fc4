! SPDX-License-Identifier: BSD-3-Clause
! Messages to and from MPI_PROC_NULL go at once.
!
! RANKS: 2
! EXPECT: clean
! OUTPUT: 7
program proc_null
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got, val
  type(MPI_Comm) :: comm
  type(MPI_Request) :: req(2)
  type(MPI_Status) :: st

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  got = 7
  val = 1
  call MPI_SEND(val, 1, MPI_INTEGER, MPI_PROC_NULL, 0, comm, ierr)
  call MPI_SSEND(val, 1, MPI_INTEGER, MPI_PROC_NULL, 0, comm, ierr)
  call MPI_RECV(got, 1, MPI_INTEGER, MPI_PROC_NULL, 0, comm, st, &
    ierr)
  call MPI_SENDRECV_REPLACE(got, 1, MPI_INTEGER, MPI_PROC_NULL, 0, &
    MPI_PROC_NULL, 0, comm, st, ierr)
  call MPI_PROBE(MPI_PROC_NULL, 0, comm, st, ierr)
  call MPI_IRECV(got, 1, MPI_INTEGER, MPI_PROC_NULL, 0, comm, &
    req(1), ierr)
  call MPI_ISSEND(val, 1, MPI_INTEGER, MPI_PROC_NULL, 0, comm, &
    req(2), ierr)
  call MPI_WAITALL(2, req, MPI_STATUSES_IGNORE, ierr)
  if (me .eq. 0) print '(I0)', got
  call MPI_FINALIZE(ierr)
end program proc_null
