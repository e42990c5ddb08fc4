! SPDX-License-Identifier: BSD-3-Clause
! Rank 1 leaves without entering the barrier, with mpif.h.
!
! RANKS: 2
! EXPECT: deadlock
! CLASS: manifest
! DEADLOCKED: 0 1
! ROOTS: {0,1}
! CALL: 0 MPI_Barrier HERE
! CALL: 1 MPI_Finalize
! SAYS_LINE: HERE
      program barrier_finalize
      implicit none
      include 'mpif.h'
      integer :: ierr, comm
      integer :: me

      comm = MPI_COMM_WORLD
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(comm, me, ierr)
      if (me .eq. 0) then
        call MPI_BARRIER(comm, ierr) ! HERE
      end if
      call MPI_FINALIZE(ierr)
      end program barrier_finalize
