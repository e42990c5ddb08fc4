# SPDX-License-Identifier: BSD-3-Clause
# MPICH, and the libraries with its ABI; see interceptor/CMakeLists.txt.
set(ork_library_sources constants.c ends.c fatal.c fortran.c job.c names.c requests.c windows.c)
set(ork_library_definitions)
# See fatal.c.
set(ork_library_functions_replaced MPIR_Err_return_comm MPIR_Err_return_win)
