! SPDX-License-Identifier: BSD-3-Clause
! As hook_cost.c, from Fortran (use mpi): ns a call, the least of several rounds.
module bodies
    use mpi
    implicit none
contains
    subroutine send_null()
        integer :: x, ierr
        x = 0
        call MPI_Send(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
    end subroutine

    subroutine isend_wait()
        integer :: x, r, ierr
        x = 0
        call MPI_Isend(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, r, ierr)
        call MPI_Wait(r, MPI_STATUS_IGNORE, ierr)
    end subroutine

    subroutine iprobe()
        logical :: flag
        integer :: ierr
        call MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierr)
    end subroutine

    subroutine self_message()
        integer :: x, y, r, ierr
        x = 0
        call MPI_Irecv(y, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, r, ierr)
        call MPI_Send(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, ierr)
        call MPI_Wait(r, MPI_STATUS_IGNORE, ierr)
    end subroutine

    subroutine barrier()
        integer :: ierr
        call MPI_Barrier(MPI_COMM_SELF, ierr)
    end subroutine
end module

program hook_cost
    use bodies
    implicit none
    integer :: ierr

    call MPI_Init(ierr)
    call measure('send', send_null, 1)
    call measure('isend+wait', isend_wait, 2)
    call measure('iprobe', iprobe, 1)
    call measure('irecv+send+wait', self_message, 3)
    call measure('barrier', barrier, 1)
    call MPI_Finalize(ierr)
contains
    ! Let the ring run empty.
    subroutine rest()
        double precision :: begin
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
