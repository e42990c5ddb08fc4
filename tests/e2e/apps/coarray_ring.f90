! SPDX-License-Identifier: BSD-3-Clause
! Coarrays over the one-sided communication of OpenCoarrays: a ring exchanges its edges by puts; then
! counters are changed under a lock, in a critical block and by atomics, and events are posted.
program coarray_ring
  use, intrinsic :: iso_fortran_env, only: atomic_int_kind, event_type, lock_type
  implicit none
  integer, parameter :: cells = 64, steps = 50, rounds = 20
  double precision :: ring(0:cells + 1)[*]
  integer :: locked[*], guarded[*]
  integer(atomic_int_kind) :: added[*]
  type(lock_type) :: gate[*]
  type(event_type) :: done[*]
  double precision :: total
  integer :: me, images, i, seen

  me = this_image()
  images = num_images()
  ring = [(me * 1000d0 + i, i = 0, cells + 1)]
  locked = 0
  guarded = 0
  call atomic_define(added, 0)
  sync all
  do i = 1, steps
    call smooth()
  end do
  total = sum(ring(1:cells))
  call co_sum(total)
  do i = 1, rounds
    lock (gate[1])
    locked[1] = locked[1] + 1
    unlock (gate[1])
    critical
      guarded[1] = guarded[1] + 1
    end critical
    call atomic_add(added[1], 1)
  end do
  event post (done[1])
  if (me == 1) event wait (done, until_count=images)
  sync all
  call atomic_ref(seen, added[1])
  if (me == 1) print '(a, f14.4, 3(a, i0))', 'total ', total, ', locked ', locked, ', guarded ', guarded, ', added ', seen

contains

  subroutine smooth()
    ring(cells + 1)[merge(images, me - 1, me == 1)] = ring(1)
    ring(0)[merge(1, me + 1, me == images)] = ring(cells)
    sync all
    ring(1:cells) = (ring(0:cells - 1) + ring(1:cells) + ring(2:cells + 1)) / 3
    sync all
  end subroutine smooth

end program coarray_ring
