! SPDX-License-Identifier: BSD-3-Clause
! A rank starts two processes of this program, which add up what it sends them.
!
! RANKS: 1
! REPORT_RANKS: 3
! EXPECT: clean
! OUTPUT: sum 30
program spawn_from_fortran
    use mpi
    implicit none
    integer :: other, rank, error, i
    integer :: sum = 0, value = 0
    character(len=1024) :: command

    call MPI_Init(error)
    call MPI_Comm_get_parent(other, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    if (other == MPI_COMM_NULL) then
        call get_command_argument(0, command)
        call MPI_Comm_spawn(command, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, other, MPI_ERRCODES_IGNORE, error)
        do i = 0, 1
            call MPI_Send(10 * (i + 1), 1, MPI_INTEGER, i, 0, other, error)
        end do
        call MPI_Recv(sum, 1, MPI_INTEGER, 0, 1, other, MPI_STATUS_IGNORE, error)
        print '(a,i0)', 'sum ', sum
    else
        call MPI_Recv(value, 1, MPI_INTEGER, 0, 0, other, MPI_STATUS_IGNORE, error)
        call MPI_Reduce(value, sum, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
        if (rank == 0) call MPI_Send(sum, 1, MPI_INTEGER, 0, 1, other, error)
    end if
    call MPI_Comm_disconnect(other, error)
    call MPI_Finalize(error)
end program
