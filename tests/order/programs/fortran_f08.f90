! SPDX-License-Identifier: BSD-3-Clause
! Testsome of receives from anybody, and blocking ones, with the module mpi_f08.
!
! RANKS: 3
program fortran_f08
  use mpi_f08
  implicit none
  integer, parameter :: rounds = 6
  integer :: me, ranks, got(2), index(2), count, left, i, k
  integer(8) :: digest = 0
  type(MPI_Request) :: request(2)
  type(MPI_Status) :: stats(2), st

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  do i = 1, rounds
    call pause_perhaps()
    if (me /= 0) then
      call MPI_Send(me, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD)
      call pause_perhaps()
      call MPI_Send(i, 1, MPI_INTEGER, 0, 100 + i, MPI_COMM_WORLD)
      cycle
    end if
    do k = 1, 2
      call MPI_Irecv(got(k), 1, MPI_INTEGER, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, request(k))
    end do
    left = 2
    do while (left > 0)
      call MPI_Testsome(2, request, count, index, stats)
      digest = digest * 31 + count
      do k = 1, count
        digest = digest * 31 + index(k) + 7 * stats(k)%MPI_SOURCE + got(index(k))
      end do
      left = left - count
    end do
    do k = 1, 2
      call MPI_Recv(got(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 100 + i, MPI_COMM_WORLD, st)
      digest = digest * 31 + st%MPI_SOURCE
    end do
  end do
  if (me == 0) print '(a, z16.16)', 'digest ', digest
  call MPI_Finalize()

contains

  subroutine pause_perhaps()
    use iso_c_binding
    interface
      integer(c_int) function usleep(time) bind(c)
        import c_int
        integer(c_int), value :: time
      end function usleep
    end interface
    character(8) :: noise
    integer :: found
    real :: chance
    integer(c_int) :: ignored

    call get_environment_variable('NOISE', noise, status=found)
    if (found /= 0) return
    call random_number(chance)
    ignored = usleep(int(2000 * max(0.0, chance - 0.5), c_int))
  end subroutine pause_perhaps

end program fortran_f08
