! SPDX-License-Identifier: BSD-3-Clause
! The root sends after the broadcast what the other rank receives before it.
!
! RANKS: 2
! EXPECT: deadlock
! CLASS: potential
! DEADLOCKED: 0 1
! ROOTS: {0,1}
! CALL: 0 MPI_Bcast HERE
! CALL: 1 MPI_Recv HERE
! SAYS_LINE: HERE
! OUTPUT: 7
program bcast_before_send
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, val
  type(MPI_Comm) :: comm
  type(MPI_Status) :: st

  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  val = 7
  if (me .eq. 0) then
    call MPI_BCAST(val, 1, MPI_INTEGER, 0, comm, ierr) ! HERE
    call MPI_SEND(val, 1, MPI_INTEGER, 1, 0, comm, ierr)
  else
    call MPI_RECV(val, 1, MPI_INTEGER, 0, 0, comm, st, ierr) ! HERE
    call MPI_BCAST(val, 1, MPI_INTEGER, 0, comm, ierr)
    print '(I0)', val
  end if
  call MPI_FINALIZE(ierr)
end program bcast_before_send
