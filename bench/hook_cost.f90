! SPDX-License-Identifier: BSD-3-Clause
! As hook_cost.c, from Fortran (use mpi): ns a call, the least of several rounds.
module bodies
    use mpi
    implicit none
    integer :: pending
contains
    subroutine send_null()
        integer :: x, ierr
        x = 0
        call MPI_Send(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
    end subroutine

    subroutine recv_null()
        integer :: x, ierr
        x = 0
        call MPI_Recv(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end subroutine

    subroutine waitall()
        integer :: x, y, r(2), ierr
        x = 0
        call MPI_Irecv(y, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, r(1), ierr)
        call MPI_Isend(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, r(2), ierr)
        call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, ierr)
    end subroutine

    subroutine barrier()
        integer :: ierr
        call MPI_Barrier(MPI_COMM_SELF, ierr)
    end subroutine

    subroutine allreduce()
        integer :: x, y, ierr
        x = 1
        call MPI_Allreduce(x, y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
    end subroutine

    subroutine iprobe()
        logical :: flag
        integer :: ierr
        call MPI_Iprobe(0, 1, MPI_COMM_SELF, flag, MPI_STATUS_IGNORE, ierr)
    end subroutine

    subroutine test()
        logical :: flag
        integer :: ierr
        call MPI_Test(pending, flag, MPI_STATUS_IGNORE, ierr)
    end subroutine
end module

program hook_cost
    use bodies
    implicit none
    integer :: x, ierr

    call MPI_Init(ierr)
    call measure('send', send_null, 1)
    call measure('recv', recv_null, 1)
    call measure('isend+irecv+waitall', waitall, 3)
    call measure('barrier', barrier, 1)
    call measure('allreduce', allreduce, 1)
    call measure('iprobe', iprobe, 1)
    call MPI_Irecv(x, 1, MPI_INTEGER, 0, 2, MPI_COMM_SELF, pending, ierr)
    call measure('test', test, 1)
    call MPI_Cancel(pending, ierr)
    call MPI_Wait(pending, MPI_STATUS_IGNORE, ierr)
    call MPI_Finalize(ierr)
contains
    ! Let the ring run empty. The message, for a rank that does nothing but poll for a second is suspected to hang.
    subroutine rest()
        double precision :: begin
        call send_null()
        begin = MPI_Wtime()
        do while (MPI_Wtime() - begin < 2d-3)
        end do
    end subroutine

    subroutine measure(name, body, calls)
        character(*), intent(in) :: name
        interface
            subroutine body()
            end subroutine
        end interface
        integer, intent(in) :: calls
        integer, parameter :: rounds = 200, repeats = 2000
        double precision :: begin, each, least
        integer :: round, i

        least = 1d30
        do round = 1, rounds
            call rest()
            begin = MPI_Wtime()
            do i = 1, repeats
                call body()
            end do
            each = (MPI_Wtime() - begin) / repeats / calls * 1d9
            least = min(least, each)
        end do
        write (*, '(a,1x,f0.1)') name, least
    end subroutine
end program
