! SPDX-License-Identifier: BSD-3-Clause
! Stand-in for the Fortran codes of SPEChpc: halos by nonblocking messages; lines longer than the 132 columns that gfortran reads otherwise.
program halo
  use mpi
  implicit none
  integer :: rank, ranks, ierror, requests(4), step
  double precision :: cells(0:2001), total

  call mpi_init(ierror)
  call mpi_comm_rank(mpi_comm_world, rank, ierror)
  call mpi_comm_size(mpi_comm_world, ranks, ierror)
  cells = dble(rank + 1)
  do step = 1, 3
    call mpi_irecv(cells(0), 1, mpi_double_precision, modulo(rank - 1, ranks), 0, mpi_comm_world, requests(1), ierror); if (ierror /= 0) stop 1
    call mpi_irecv(cells(2001), 1, mpi_double_precision, modulo(rank + 1, ranks), 1, mpi_comm_world, requests(2), ierror); if (ierror /= 0) stop 1
    call mpi_isend(cells(2000), 1, mpi_double_precision, modulo(rank + 1, ranks), 0, mpi_comm_world, requests(3), ierror); if (ierror /= 0) stop 1
    call mpi_isend(cells(1), 1, mpi_double_precision, modulo(rank - 1, ranks), 1, mpi_comm_world, requests(4), ierror); if (ierror /= 0) stop 1
    call mpi_waitall(4, requests, mpi_statuses_ignore, ierror)
  end do
  call mpi_reduce(cells(0), total, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierror)
  if (rank == 0) write (*, '(i0,a,f0.1)') ranks, ' ranks, total ', total
  call mpi_finalize(ierror)
end program halo
