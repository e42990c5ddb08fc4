# SPDX-License-Identifier: BSD-3-Clause
# Open MPI, see interceptor/CMakeLists.txt.
set(ork_library_sources constants.c error_handlers.c fatal.c files.c fortran.c job.c names.c requests.c windows.c)
# mpi.h declares the functions that MPI 3 has removed, and does not refuse their use: they have hooks.
set(ork_library_definitions OMPI_OMIT_MPI1_COMPAT_DECLS=0 OMPI_REMOVED_USE_STATIC_ASSERT=0)
# See error_handlers.c and fatal.c.
set(ork_library_functions_replaced ompi_errhandler_invoke ompi_mpi_errors_are_fatal_comm_handler
    ompi_mpi_errors_are_fatal_file_handler ompi_mpi_errors_are_fatal_win_handler)
