# SPDX-License-Identifier: BSD-3-Clause
# The standard ABI of MPI-5.0, whichever library has it; see interceptor/CMakeLists.txt. What ends a process is the matter of the library
# below: MPICH, or Open MPI.
set(ork_library_sources abi/constants.c abi/ends.c abi/implementation.c abi/job.c abi/mpich_objects.c abi/openmpi_codes.c
    abi/requests.c abi/windows.c mpich/fatal.c openmpi/fatal.c mpi/fortran_as_c.c mpi/names_of_jobs.c mpich/place.c openmpi/place.c
    mpi/shared_requests.c)
set(ork_library_definitions)
set(ork_library_functions_replaced MPIR_Err_return_comm MPIR_Err_return_win ompi_mpi_errors_are_fatal_comm_handler
    ompi_mpi_errors_are_fatal_file_handler ompi_mpi_errors_are_fatal_win_handler)
