! SPDX-License-Identifier: BSD-3-Clause
! Handles that a Fortran program does not free (MPI-3.1 section 2.5.1), and others that it frees. The type of MPI_Type_create_f90_real
! is predefined (section 17.1.9).
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: resource-leak warning
! SAYS: 3 communicators of MPI_Comm_dup \(\S+:\d+\) were not freed before MPI_Finalize by ranks 0 and 1
! SAYS: 1 datatype of MPI_Type_vector \(\S+:\d+\) was not freed before MPI_Finalize by ranks 0 and 1
! SAYS: 2 findings:
! SAYS_LINE: DUP
! SAYS_LINE: TYPE
program leaks
  use mpi_f08
  implicit none
  integer :: ierr, i
  type(MPI_Comm) :: comm
  type(MPI_Group) :: group, again
  type(MPI_Datatype) :: vector, twice, kind

  call MPI_INIT(ierr)
  do i = 1, 3
    call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr) ! DUP
  end do
  call MPI_TYPE_VECTOR(2, 1, 2, MPI_INTEGER, vector, ierr) ! TYPE
  call MPI_TYPE_CONTIGUOUS(2, vector, twice, ierr)
  call MPI_TYPE_FREE(twice, ierr)
  call MPI_TYPE_CREATE_F90_REAL(6, 30, kind, ierr)
  call MPI_COMM_GROUP(MPI_COMM_WORLD, group, ierr)
  call MPI_COMM_GROUP(MPI_COMM_WORLD, again, ierr)
  call MPI_GROUP_FREE(group, ierr)
  call MPI_GROUP_FREE(again, ierr)
  call MPI_FINALIZE(ierr)
end program leaks
