! SPDX-License-Identifier: BSD-3-Clause
! An assignment to an array that is being sent, and a sum of one that is being received
! (MPI-3.1 section 3.7.2). The halves that are not communicated may be used.
!
! RANKS: 2
! EXPECT: no-deadlock
! FINDING: buffer-access error
! SAYS: the store \(loops.f90:\d+\) of ranks 0 and 1 changes .* of a buffer that the pending MPI_Isend \(loops.f90:\d+\) reads
! SAYS: the load \(loops.f90:\d+\) of ranks 0 and 1 reads .* of a buffer that the pending MPI_Irecv \(loops.f90:\d+\) writes
! SAYS: orknot: 2 findings \(2 errors\)
! SAYS_LINE: HERE
! EXIT: 66
module work
    implicit none
    real(8), save :: from(100), to(100)
contains
    subroutine change(values, n)
        integer, intent(in) :: n
        real(8), intent(inout) :: values(n)
        integer :: i
        do i = 1, n
            values(i) = 2 * i ! HERE
        end do
    end subroutine
    real(8) function total(values, n)
        integer, intent(in) :: n
        real(8), intent(in) :: values(n)
        integer :: i
        total = 0
        do i = 1, n
            total = total + values(i) ! HERE
        end do
    end function
end module

program loops
    use mpi
    use work
    implicit none
    integer :: ierror, rank, request(2), i
    real(8) :: x

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    from = rank
    to = -1
    call MPI_Irecv(to(1:50), 50, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, request(1), ierror) ! HERE
    x = total(to, 50)
    do i = 51, 100
        to(i) = from(i) + x
    end do
    call MPI_Isend(from(1:50), 50, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, request(2), ierror) ! HERE
    do i = 51, 100
        from(i) = from(i - 50) + to(i)
    end do
    call change(from, 50)
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, ierror)
    to = from
    from = to + 1
    call MPI_Finalize(ierror)
end program
