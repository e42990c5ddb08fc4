! SPDX-License-Identifier: BSD-3-Clause
! Of the two receives in MPI_Waitall one is matched; the other waits for rank 1, which waits for
! rank 0.
!
! RANKS: 3
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1 2
! ROOTS: {0,1}
! CALL: 0 MPI_Waitall HERE
! CALL: 1 MPI_Recv
! CALL: 2 MPI_Finalize
! SAYS_LINE: HERE
program waitall_one_matched
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got, val
  double precision :: t
  integer :: box(2)
  type(MPI_Comm) :: comm
  type(MPI_Status) :: st
  type(MPI_Request) :: req(2)

  val = 7
  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  if (me .eq. 0) then
    call MPI_IRECV(box(1), 1, MPI_INTEGER, 1, 0, comm, req(1), ierr)
    call MPI_IRECV(box(2), 1, MPI_INTEGER, 2, 0, comm, req(2), ierr)
    call MPI_WAITALL(2, req, MPI_STATUSES_IGNORE, ierr) ! HERE
  else if (me .eq. 1) then
    ! The others are there first.
    t = MPI_WTIME()
    do while (MPI_WTIME() - t .lt. 0.05d0)
    end do
    call MPI_RECV(got, 1, MPI_INTEGER, 0, 0, comm, st, ierr)
  else
    call MPI_SEND(val, 1, MPI_INTEGER, 0, 0, comm, ierr)
  end if
  call MPI_FINALIZE(ierr)
end program waitall_one_matched
