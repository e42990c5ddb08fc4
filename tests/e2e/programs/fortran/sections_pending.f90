! SPDX-License-Identifier: BSD-3-Clause
! Two receives into array sections that are not contiguous. The compiler
! passes a temporary copy of each, which it frees when the call has returned,
! so both may get the same memory (MPI-3.1 section 17.1.12). Nothing is sent:
! data that came there would destroy what has the memory by then.
!
! RANKS: 1
! EXPECT: no-deadlock
! FINDING: buffer-overlap error
! FINDING: memory-released error
! SAYS: MPI_Irecv .* writes bytes 0 to 19 of a buffer that the pending
! SAYS: From Fortran, an array section that is not contiguous.* temporary copy
! SAYS: MPI_Type_vector
! SAYS: releases the buffer that the pending MPI_Irecv [^\n]*\n[^\n]*\n *From Fortran
program sections_pending
  use mpi_f08
  implicit none
  integer :: ierr, i
  integer :: val(10)
  type(MPI_Comm) :: comm
  type(MPI_Datatype) :: kind
  type(MPI_Request) :: request(2)
  type(MPI_Status) :: status

  val = 0
  comm = MPI_COMM_WORLD
  kind = MPI_INTEGER
  call MPI_INIT(ierr)
  do i = 1, 2
    call MPI_IRECV(val(i:8+i:2), 5, kind, 0, i, comm, request(i), &
      ierr)
  end do
  do i = 1, 2
    call MPI_CANCEL(request(i), ierr)
    call MPI_WAIT(request(i), status, ierr)
  end do
  call MPI_FINALIZE(ierr)
end program sections_pending
