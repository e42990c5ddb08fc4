! SPDX-License-Identifier: BSD-3-Clause
! Assignments of arrays and sections, and an OpenMP loop.
program arrays
    implicit none
    real(8) :: a(1000), b(1000), c(10, 100)
    integer :: i
    a = [(real(i, 8), i = 1, 1000)]
    b(1:500) = a(501:1000)
    b(1000:501:-1) = a(1:500)
    c = reshape(a, [10, 100])
    c(3, :) = c(4, :)
!$omp parallel do
    do i = 1, 1000
        a(i) = 2 * b(i)
    end do
    print '(2f12.1)', sum(a * b), sum(c(3, :))
end program
