# SPDX-License-Identifier: BSD-3-Clause
# MPICH, and the libraries with its ABI; see interceptor/CMakeLists.txt.
set(ork_library_sources constants.c ends.c fortran.c job.c names.c requests.c windows.c)
set(ork_library_definitions)
set(ork_library_functions_replaced)
