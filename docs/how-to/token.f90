! SPDX-License-Identifier: BSD-3-Clause
! The ranks pass a token round a ring. The tag of the send is not the tag of the receive.
program token
  use mpi_f08
  implicit none
  integer :: rank, ranks, message

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  message = 42
  if (rank == 0) call hand_on(1)
  call MPI_Recv(message, 1, MPI_INTEGER, modulo(rank - 1, ranks), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  if (rank /= 0) call hand_on(modulo(rank + 1, ranks))
  call MPI_Finalize()

contains

  subroutine hand_on(to)
    integer, intent(in) :: to

    call MPI_Ssend(message, 1, MPI_INTEGER, to, 1, MPI_COMM_WORLD)
  end subroutine
end program
