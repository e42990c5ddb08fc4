! SPDX-License-Identifier: BSD-3-Clause
! Fortran: mpif.h, or "use mpi" with -DUSE_MPI, or "use mpi_f08" with -DUSE_MPI_F08. See every.c for the arrows.
#if defined(USE_MPI_F08)
#define COMM type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define MESSAGE type(MPI_Message)
#define GROUP type(MPI_Group)
#define WINDOW type(MPI_Win)
#define FILE type(MPI_File)
#else
#define COMM integer
#define REQUEST integer
#define MESSAGE integer
#define GROUP integer
#define WINDOW integer
#define FILE integer
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
  GROUP :: g, other
  WINDOW :: w
  FILE :: f
  integer(kind=MPI_ADDRESS_KIND) :: size
  integer(kind=MPI_OFFSET_KIND) :: at
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
  size = 16
  call MPI_Win_create(x, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, w, ierr) ! => COLL MPI_Win_create, COMM_DEF MPI_Win_create
  call MPI_Win_set_name(w, 'window', ierr) ! => COMM_NAME MPI_Win_set_name
  call MPI_Win_fence(0, w, ierr) ! => COLL MPI_Win_fence
  call MPI_Comm_group(MPI_COMM_WORLD, g, ierr)
  call MPI_Group_incl(g, 1, [p], other, ierr)
  call MPI_Win_post(other, 0, w, ierr) ! => WIN_POST MPI_Win_post
  call MPI_Win_start(other, 0, w, ierr) ! => WIN_START MPI_Win_start
  call MPI_Win_complete(w, ierr) ! => WIN_COMPLETE MPI_Win_complete
  call MPI_Win_wait(w, ierr) ! => WIN_WAIT MPI_Win_wait
  call MPI_Barrier(MPI_COMM_WORLD, ierr) ! => COLL MPI_Barrier
  call MPI_Win_lock(MPI_LOCK_SHARED, p, 0, w, ierr) ! => WIN_LOCK MPI_Win_lock
  call MPI_Win_unlock(p, w, ierr) ! => WIN_UNLOCK MPI_Win_unlock
  call MPI_Win_lock_all(0, w, ierr) ! => WIN_LOCK MPI_Win_lock_all
  call MPI_Win_unlock_all(w, ierr) ! => WIN_UNLOCK MPI_Win_unlock_all
  call MPI_Win_free(w, ierr) ! => COLL MPI_Win_free
  call MPI_File_open(MPI_COMM_WORLD, 'every.out', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
    MPI_INFO_NULL, f, ierr) ! => COLL MPI_File_open, COMM_DEF MPI_File_open
  at = 16 * r
  call MPI_File_write_at_all(f, at, x, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierr) ! => COLL MPI_File_write_at_all
  call MPI_File_write_at_all_begin(f, at, x, 4, MPI_INTEGER, ierr) ! => COLL MPI_File_write_at_all_begin
  call MPI_File_write_at_all_end(f, x, MPI_STATUS_IGNORE, ierr) ! => WAIT MPI_File_write_at_all_end
  call MPI_File_iread_at_all(f, at, y, 4, MPI_INTEGER, q(1), ierr) ! => COLL MPI_File_iread_at_all
  call MPI_Wait(q(1), MPI_STATUS_IGNORE, ierr) ! => WAIT MPI_Wait
  call MPI_File_close(f, ierr) ! => COLL MPI_File_close
  print *, 'rank', r, 'x', x(1)
  call MPI_Finalize(ierr) ! => FINALIZE MPI_Finalize
end program
