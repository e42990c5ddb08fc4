# SPDX-License-Identifier: BSD-3-Clause
# Finds what the project needs; a missing piece is one sentence that names the Debian package.

find_package(PkgConfig)
if(NOT PKG_CONFIG_FOUND)
    message(FATAL_ERROR "pkg-config is missing: install the Debian package pkg-config.")
endif()

function(ork_require target module package)
    pkg_check_modules(${target} QUIET IMPORTED_TARGET ${module})
    if(NOT ${target}_FOUND)
        message(FATAL_ERROR "${module} is missing: install the Debian package ${package}.")
    endif()
endfunction()

ork_require(GVC libgvc libgraphviz-dev)
ork_require(CGRAPH libcgraph libgraphviz-dev)
ork_require(DW libdw libdw-dev)
ork_require(ELF libelf libelf-dev)
ork_require(CAPSTONE capstone libcapstone-dev)
ork_require(UNWIND libunwind libunwind-dev)
ork_require(JANSSON jansson libjansson-dev)
ork_require(ZSTD libzstd libzstd-dev)
ork_require(SQLITE sqlite3 libsqlite3-dev)
ork_require(XXHASH libxxhash libxxhash-dev)
# RATIONALE: its header is enough: a program that is preloaded into others links as few libraries as possible.
add_library(ork_xxhash INTERFACE)
target_include_directories(ork_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIRS})

find_package(MPI COMPONENTS C)
if(NOT MPI_C_FOUND)
    message(FATAL_ERROR "MPI is missing: install the Debian packages libopenmpi-dev and openmpi-bin.")
endif()

# RATIONALE: here, once for all folders: CMake compiles several programs for each search.
option(ORKNOT_MPI_PROGRAMS "MPI programs for tests and benchmarks, and the tests that run them" ON)
include(CheckLanguage)
if(ORKNOT_MPI_PROGRAMS)
    check_language(Fortran)
    if(CMAKE_Fortran_COMPILER)
        enable_language(Fortran)
        find_package(MPI COMPONENTS Fortran)
    endif()
endif()
if(ORKNOT_MPI_PROGRAMS AND BUILD_TESTING)
    check_language(CXX)
    if(CMAKE_CXX_COMPILER)
        enable_language(CXX)
        set(MPI_CXX_SKIP_MPICXX ON) # the bindings that MPI 3.0 has removed
        find_package(MPI COMPONENTS CXX)
    endif()
endif()

find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
    message(FATAL_ERROR "Python 3 is missing: install the Debian package python3.")
endif()

find_package(Threads REQUIRED)

if(BUILD_TESTING)
    ork_require(HWLOC hwloc libhwloc-dev)
    pkg_check_modules(CMOCKA QUIET IMPORTED_TARGET cmocka)
    if(NOT CMOCKA_FOUND)
        message(STATUS "No unit tests in C: install the Debian package libcmocka-dev.")
    endif()
endif()
