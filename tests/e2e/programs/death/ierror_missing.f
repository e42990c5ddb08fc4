! SPDX-License-Identifier: BSD-3-Clause
! The last argument, ierror, is missing in a call by mpif.h. The Fortran
! layer stores the error code through what stands in its place: here always
! an address that is not valid.
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: abnormal-end error
! SAYS: killed by SIGSEGV
! SAYS: It was in libmpi_mpifh.* the Fortran layer.*ierror\?
! EXIT: 139
      program ierror_missing
      implicit none
      include 'mpif.h'
      integer ierr

      call MPI_INIT(ierr)
      call MPI_BARRIER(MPI_COMM_WORLD, %VAL(8))
      call MPI_FINALIZE(ierr)
      end
