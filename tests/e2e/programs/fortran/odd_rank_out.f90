! SPDX-License-Identifier: BSD-3-Clause
! Three ranks reduce, rank 2 waits for a message instead.
!
! RANKS: 4
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1 2 3
! ROOTS: {0,2}
! CALL: 0 MPI_Allreduce HERE
! CALL: 2 MPI_Recv HERE
! SAYS: (?i)rank 2\b.*MPI_Recv
! SAYS_LINE: HERE
program odd_rank_out
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: me, got, val
  double precision :: t
  type(MPI_Comm) :: comm
  type(MPI_Status) :: st

  val = 7
  comm = MPI_COMM_WORLD
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, me, ierr)
  if (me .eq. 2) then
    ! The others are there first.
    t = MPI_WTIME()
    do while (MPI_WTIME() - t .lt. 0.05d0)
    end do
    call MPI_RECV(got, 1, MPI_INTEGER, 0, 0, comm, st, ierr) ! HERE
  end if
  call MPI_ALLREDUCE(val, got, 1, MPI_INTEGER, MPI_SUM, comm, ierr) ! HERE
  call MPI_FINALIZE(ierr)
end program odd_rank_out
