! SPDX-License-Identifier: BSD-3-Clause
! MPI_STATUSES_IGNORE for one status, which mpif.h cannot refuse.
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: invalid-argument warning
! SAYS: status is MPI_STATUSES_IGNORE in MPI_Recv .* of rank 0
! SAYS: For one status there is MPI_STATUS_IGNORE
      program statuses_ignore
      implicit none
      include 'mpif.h'
      integer ierr, rank, value

      value = 1
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      if (rank .eq. 0) then
        call MPI_RECV(value, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD,
     &    MPI_STATUSES_IGNORE, ierr)
        call MPI_RECV(value, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD,
     &    MPI_STATUS_IGNORE, ierr)
      else
        call MPI_SEND(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD,
     &    ierr)
        call MPI_SEND(value, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD,
     &    ierr)
      end if
      call MPI_FINALIZE(ierr)
      end
