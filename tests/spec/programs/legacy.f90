! SPDX-License-Identifier: BSD-3-Clause
! Stand-in for the Fortran codes: nonblocking receives and blocking sends of two types by one procedure, as mpif.h allows it.
program legacy
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 4000
  integer :: rank, ranks, next, previous, ierror, total, requests(2), counts(n)
  integer :: mask = z'0000ffff'
  double precision :: values(n), got(n)
  integer :: others(n)

  call mpi_init(ierror)
  call mpi_comm_rank(mpi_comm_world, rank, ierror)
  call mpi_comm_size(mpi_comm_world, ranks, ierror)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  counts = rank + 1
  values = dble(rank)
  call mpi_irecv(others, n, mpi_integer, previous, 1, mpi_comm_world, requests(1), ierror)
  call mpi_irecv(got, n, mpi_double_precision, previous, 2, mpi_comm_world, requests(2), ierror)
  call mpi_send(counts, n, mpi_integer, next, 1, mpi_comm_world, ierror)
  call mpi_send(values, n, mpi_double_precision, next, 2, mpi_comm_world, ierror)
  call mpi_waitall(2, requests, mpi_statuses_ignore, ierror)
  call mpi_allreduce(others(n), total, 1, mpi_integer, mpi_sum, mpi_comm_world, ierror)
  call mpi_barrier(mpi_comm_world, ierror)
  if (rank == 0) then
    open (unit=10, file='result.dat', status='replace')
    write (10, '(i0)') iand(total, mask)
    close (10)
    write (*, '(i0,a,i0)') ranks, ' ranks, total ', total
  end if
  call mpi_finalize(ierror)
end program legacy
