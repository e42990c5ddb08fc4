! SPDX-License-Identifier: BSD-3-Clause
! MPI_IN_PLACE where it may stand: as the receive buffer of the root of all
! forms of a scatter, as the send buffer of the root of a gather or reduction,
! and of all ranks in others; and MPI_STATUS_IGNORE for one status.
!
! RANKS: 2
! EXPECT: clean
program in_place_right
  use mpi_f08
  implicit none
  integer :: ierr, rank
  integer :: val(4), counts(2), displs(2)
  type(MPI_Comm) :: comm
  type(MPI_Datatype) :: kind
  type(MPI_Request) :: request

  comm = MPI_COMM_WORLD
  kind = MPI_INTEGER
  val = 0
  counts = 2
  displs(1) = 0
  displs(2) = 2
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(comm, rank, ierr)
  if (rank == 0) then
    call MPI_SCATTER(val(1), 2, kind, MPI_IN_PLACE, 2, kind, 0, &
      comm, ierr)
    call MPI_SCATTERV(val(1), counts, displs, kind, &
      MPI_IN_PLACE, 2, kind, 0, comm, ierr)
    call MPI_ISCATTER(val(1), 2, kind, MPI_IN_PLACE, 2, kind, 0, &
      comm, request, ierr)
    call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
    call MPI_ISCATTERV(val(1), counts, displs, kind, &
      MPI_IN_PLACE, 2, kind, 0, comm, request, ierr)
    call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
    call MPI_GATHER(MPI_IN_PLACE, 2, kind, val(1), 2, kind, 0, &
      comm, ierr)
    call MPI_REDUCE(MPI_IN_PLACE, val(1), 2, kind, MPI_SUM, 0, &
      comm, ierr)
  else
    call MPI_SCATTER(val(1), 2, kind, val(1), 2, kind, 0, comm, &
      ierr)
    call MPI_SCATTERV(val(1), counts, displs, kind, val(1), 2, &
      kind, 0, comm, ierr)
    call MPI_ISCATTER(val(1), 2, kind, val(1), 2, kind, 0, comm, &
      request, ierr)
    call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
    call MPI_ISCATTERV(val(1), counts, displs, kind, val(1), 2, &
      kind, 0, comm, request, ierr)
    call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
    call MPI_GATHER(val(1), 2, kind, val(1), 2, kind, 0, comm, &
      ierr)
    call MPI_REDUCE(val(1), val(1), 2, kind, MPI_SUM, 0, comm, &
      ierr)
  end if
  call MPI_ALLGATHER(MPI_IN_PLACE, 2, kind, val(1), 2, kind, &
    comm, ierr)
  call MPI_ALLREDUCE(MPI_IN_PLACE, val(1), 2, kind, MPI_SUM, &
    comm, ierr)
  call MPI_FINALIZE(ierr)
end program in_place_right
