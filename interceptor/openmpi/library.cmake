# SPDX-License-Identifier: BSD-3-Clause
# Open MPI, see interceptor/CMakeLists.txt.
set(ork_library_sources openmpi/codes.c openmpi/constants.c openmpi/error_handlers.c openmpi/fatal.c openmpi/files.c
    openmpi/fortran.c openmpi/job.c openmpi/names.c openmpi/requests.c openmpi/windows.c openmpi/place.c
    mpi/shared_requests.c)
# mpi.h declares the functions that MPI 3 has removed, and does not refuse their use: they have hooks.
set(ork_library_definitions OMPI_OMIT_MPI1_COMPAT_DECLS=0 OMPI_REMOVED_USE_STATIC_ASSERT=0)
# See error_handlers.c and fatal.c.
set(ork_library_functions_replaced ompi_errhandler_invoke ompi_mpi_errors_are_fatal_comm_handler
    ompi_mpi_errors_are_fatal_file_handler ompi_mpi_errors_are_fatal_win_handler)
