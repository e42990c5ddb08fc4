! SPDX-License-Identifier: BSD-3-Clause
! Fortran: mpif.h, or "use mpi" with -DUSE_MPI, or "use mpi_f08" with -DUSE_MPI_F08. See every.c for the arrows.
#if defined(USE_MPI_F08)
#define COMM type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define MESSAGE type(MPI_Message)
#else
#define COMM integer
#define REQUEST integer
#define MESSAGE integer
#endif
program every
#if defined(USE_MPI_F08)
  use mpi_f08
#elif defined(USE_MPI)
  use mpi
#endif
  implicit none
#if !defined(USE_MPI_F08) && !defined(USE_MPI)
  include 'mpif.h'
#endif
  integer :: ierr, r, p, x(4), y(4), n, which(2)
  REQUEST :: q(2)
  MESSAGE :: m
  COMM :: c
  logical :: flag
  x = 0
  call MPI_Init(ierr) ! => INIT MPI_Init
  call MPI_Comm_rank(MPI_COMM_WORLD, r, ierr)
  p = 1 - r
  call MPI_Send(x, 4, MPI_INTEGER, p, 1, MPI_COMM_WORLD, ierr) ! => SEND MPI_Send
  call MPI_Recv(y, 4, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! => RECV MPI_Recv, EXIT MPI_Recv
  call MPI_Irecv(y, 4, MPI_INTEGER, p, MPI_ANY_TAG, MPI_COMM_WORLD, q(1), ierr) ! => RECV MPI_Irecv
  call MPI_Isend(x, 4, MPI_INTEGER, p, 2, MPI_COMM_WORLD, q(2), ierr) ! => SEND MPI_Isend
  call MPI_Waitall(2, q, MPI_STATUSES_IGNORE, ierr) ! => WAIT MPI_Waitall, EXIT MPI_Waitall
  call MPI_Irecv(y, 4, MPI_INTEGER, p, 3, MPI_COMM_WORLD, q(1), ierr) ! => RECV MPI_Irecv
  call MPI_Issend(x, 4, MPI_INTEGER, p, 3, MPI_COMM_WORLD, q(2), ierr) ! => SEND MPI_Issend
  call MPI_Waitany(2, q, n, MPI_STATUS_IGNORE, ierr) ! => WAIT MPI_Waitany, EXIT MPI_Waitany
  call MPI_Waitsome(2, q, n, which, MPI_STATUSES_IGNORE, ierr) ! => WAIT MPI_Waitsome, EXIT MPI_Waitsome
  call MPI_Recv_init(y, 4, MPI_INTEGER, p, 4, MPI_COMM_WORLD, q(1), ierr) ! => RECV MPI_Recv_init
  call MPI_Send_init(x, 4, MPI_INTEGER, p, 4, MPI_COMM_WORLD, q(2), ierr) ! => SEND MPI_Send_init
  call MPI_Startall(2, q, ierr) ! => START MPI_Startall
  call MPI_Wait(q(1), MPI_STATUS_IGNORE, ierr) ! => WAIT MPI_Wait
  call MPI_Wait(q(2), MPI_STATUS_IGNORE, ierr) ! => WAIT MPI_Wait
  call MPI_Request_free(q(1), ierr) ! => REQUEST_FREE MPI_Request_free
  call MPI_Request_free(q(2), ierr) ! => REQUEST_FREE MPI_Request_free
  call MPI_Isend(x, 4, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, q(1), ierr) ! => SEND MPI_Isend
  call MPI_Testall(1, q, flag, MPI_STATUSES_IGNORE, ierr) ! => TESTED MPI_Testall
  call MPI_Sendrecv(x, 1, MPI_INTEGER, p, 5, y, 1, MPI_INTEGER, p, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! => SENDRECV MPI_Sendrecv
  call MPI_Send(x, 4, MPI_INTEGER, p, 6, MPI_COMM_WORLD, ierr) ! => SEND MPI_Send
  call MPI_Mprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, m, MPI_STATUS_IGNORE, ierr) ! => PROBE MPI_Mprobe, EXIT MPI_Mprobe
  call MPI_Mrecv(y, 4, MPI_INTEGER, m, MPI_STATUS_IGNORE, ierr) ! => MRECV MPI_Mrecv
  call MPI_Barrier(MPI_COMM_WORLD, ierr) ! => COLL MPI_Barrier
  call MPI_Bcast(x, 4, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr) ! => COLL MPI_Bcast
  call MPI_Allreduce(MPI_IN_PLACE, x, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr) ! => COLL MPI_Allreduce
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -r, c, ierr) ! => COLL MPI_Comm_split, COMM_DEF MPI_Comm_split
  call MPI_Comm_set_name(c, 'reversed', ierr) ! => COMM_NAME MPI_Comm_set_name
  call MPI_Comm_free(c, ierr) ! => COLL MPI_Comm_free
  print *, 'rank', r, 'x', x(1)
  call MPI_Finalize(ierr) ! => FINALIZE MPI_Finalize
end program
