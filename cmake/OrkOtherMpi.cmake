# SPDX-License-Identifier: BSD-3-Clause
# MPI libraries beside the one that CMake finds, each by the folder that it is installed in. What is given has a backend, if that of another
# library does not serve it, and the tests with its label (tests/e2e/libraries/suites.cmake).
set(ORK_OTHER_MPI OPENMPI5 OPENMPI6 MPICH5)
set(ORKNOT_OPENMPI5_PREFIX "" CACHE PATH "Folder of Open MPI 5, if there is one")
set(ORKNOT_OPENMPI6_PREFIX "" CACHE PATH "Folder of Open MPI 6, if there is one")
set(ORKNOT_MPICH5_PREFIX "" CACHE PATH "Folder of MPICH 5, if there is one")

foreach(library IN LISTS ORK_OTHER_MPI)
    set(prefix ${ORKNOT_${library}_PREFIX})
    if(prefix AND NOT (EXISTS ${prefix}/bin/mpicc AND EXISTS ${prefix}/bin/mpiexec))
        message(FATAL_ERROR "ORKNOT_${library}_PREFIX: no MPI library is installed in ${prefix}, for it has no bin/mpicc or no bin/mpiexec.")
    endif()
endforeach()

# ork_mpi_of(<target> <compiler>): what this compiler for MPI programs adds to the command of the compiler that it calls.
function(ork_mpi_of target compiler)
    execute_process(COMMAND ${compiler} -show OUTPUT_VARIABLE words OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "-Wl,-rpath -Wl," "-Wl,-rpath," words "${words}") # CMake takes out what comes a second time
    separate_arguments(words UNIX_COMMAND "${words}")
    list(REMOVE_AT words 0)
    set(compile ${words})
    list(FILTER compile INCLUDE REGEX "^-[DIf]") # MPICH 5 tells its ABIs apart by -DMPI_ABI
    set(link ${words})
    list(FILTER link INCLUDE REGEX "^-([Ll]|Wl,)")
    add_library(${target} INTERFACE)
    target_compile_options(${target} INTERFACE ${compile})
    target_link_libraries(${target} INTERFACE ${link})
endfunction()

# ork_mpi_fortran(<variable> <compiler>): whether this compiler finds the module mpi_f08, and mpi, which every library has that has it. A
# library that is built without Fortran may have the compiler all the same.
function(ork_mpi_fortran variable compiler)
    set(${variable} OFF PARENT_SCOPE)
    if(NOT EXISTS ${compiler})
        return()
    endif()
    execute_process(COMMAND ${compiler} -show OUTPUT_VARIABLE words OUTPUT_STRIP_TRAILING_WHITESPACE)
    separate_arguments(words UNIX_COMMAND "${words}")
    list(FILTER words INCLUDE REGEX "^-I")
    foreach(word IN LISTS words)
        string(SUBSTRING ${word} 2 -1 folder)
        if(EXISTS ${folder}/mpi_f08.mod)
            set(${variable} ON PARENT_SCOPE)
        endif()
    endforeach()
endfunction()
