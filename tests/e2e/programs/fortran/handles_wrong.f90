! SPDX-License-Identifier: BSD-3-Clause
! Null handles where the standard does not allow them (MPI-3.1 section 2.5.1), and an operator that is not defined for a datatype
! (5.9.2).
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: invalid-handle warning
! FINDING: invalid-operator warning
! SAYS: comm is MPI_COMM_NULL in MPI_Comm_size
! SAYS: group is MPI_GROUP_NULL in MPI_Group_size
! SAYS: op is MPI_BAND for elements of MPI_(REAL|DOUBLE_PRECISION) in MPI_Allreduce
program handles_wrong
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: n
  real :: a, b
  type(MPI_Comm) :: comm

  comm = MPI_COMM_WORLD
  a = 1
  call MPI_INIT(ierr)
  call MPI_COMM_SET_ERRHANDLER(comm, MPI_ERRORS_RETURN, ierr)
  call MPI_COMM_SIZE(MPI_COMM_NULL, n, ierr)
  call MPI_GROUP_SIZE(MPI_GROUP_NULL, n, ierr)
  call MPI_ALLREDUCE(a, b, 1, MPI_REAL, MPI_BAND, comm, ierr)
  call MPI_FINALIZE(ierr)
end program handles_wrong
