! SPDX-License-Identifier: BSD-3-Clause
! A grid that is larger than the communicator (MPI-3.1 section 7.5.1), and an inquiry without a topology (7.5.5).
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: invalid-argument warning
! SAYS: dims needs 6 processes in MPI_Cart_create .* but the communicator has 2
! SAYS: comm has no Cartesian topology in MPI_Cartdim_get
! SAYS: root is 4 in MPI_Bcast .* but the group has 2 processes
program topologies_wrong
  use mpi_f08
  implicit none
  integer :: ierr
  integer :: n, dims(2)
  logical :: periods(2)
  type(MPI_Comm) :: comm, grid

  comm = MPI_COMM_WORLD
  dims = (/ 2, 3 /)
  periods = .false.
  call MPI_INIT(ierr)
  call MPI_COMM_SET_ERRHANDLER(comm, MPI_ERRORS_RETURN, ierr)
  call MPI_CART_CREATE(comm, 2, dims, periods, .false., grid, ierr)
  call MPI_CARTDIM_GET(comm, n, ierr)
  call MPI_BCAST(n, 1, MPI_INTEGER, 4, comm, ierr)
  call MPI_FINALIZE(ierr)
end program topologies_wrong
