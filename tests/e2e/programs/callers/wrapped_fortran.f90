! SPDX-License-Identifier: BSD-3-Clause
! The callers of a call of the Fortran interface are those of the program's procedure: the layers of the library are left out.
!
! RANKS: 1
! OPTIONS: --must:callers 2
! EXPECT: no-deadlock
! FINDING: resource-leak warning
! SAYS: MPI_Comm_dup at \S+:21 in copy\S*\n        called from step\S* \(wrapped_fortran.f90:26\), \S+ \(wrapped_fortran.f90:15\)
program wrapped_fortran
  use mpi
  implicit none
  integer :: ierr, duplicate, depth = 0

  call MPI_Init(ierr)
  call step()
  call MPI_Finalize(ierr)

contains

  subroutine copy()
    call MPI_Comm_dup(MPI_COMM_WORLD, duplicate, ierr)
    depth = depth + 1
  end subroutine copy

  subroutine step()
    call copy()
    depth = depth + 1
  end subroutine step

end program wrapped_fortran
