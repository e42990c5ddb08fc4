# SPDX-License-Identifier: BSD-3-Clause
# MPICH, and the libraries with its ABI; see interceptor/CMakeLists.txt.
set(ork_library_sources mpich/constants.c mpich/ends.c mpich/fatal.c mpich/job.c mpich/objects.c mpich/requests.c
    mpich/windows.c mpi/fortran_as_c.c mpi/names_of_jobs.c mpich/place.c mpi/shared_requests.c)
set(ork_library_definitions)
# See fatal.c.
set(ork_library_functions_replaced MPIR_Err_return_comm MPIR_Err_return_win)
