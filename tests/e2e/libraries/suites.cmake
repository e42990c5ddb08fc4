# SPDX-License-Identifier: BSD-3-Clause
# The programs of ../programs with other MPI libraries than the one that the tool is built with: the test <label>.<area>.<name>, with the
# label of the library. Debian's MPICH has the label mpich: a selection, which covers the kinds of calls, runs in the suite, the rest
# nightly. The others run where cmake is given the folder that the library is installed in:
#   cmake -DORKNOT_OPENMPI5_PREFIX=/opt/openmpi-5.0.10 ...; cmake --build build/dev --target openmpi5_programs; ctest -L openmpi5
# docs/reference/libraries.md has the results. habits.txt lists the programs that a library leads to something else.

file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/habits.txt ork_habits REGEX "^[^#]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/habits.txt)

# ork_habit(<variable> <label> <area.name>): why the program does something else with this library; empty: it does not.
function(ork_habit variable label test)
    set(${variable} PARENT_SCOPE)
    string(REGEX REPLACE "_abi$" "" library ${label}) # its habits do not depend on the ABI
    foreach(line IN LISTS ork_habits)
        string(REGEX MATCH "^([^ ]+) +([^ ]+) +(.*)$" line "${line}")
        set(why "${CMAKE_MATCH_3}")
        set(pattern "^(${CMAKE_MATCH_2})$")
        if("${label};${library}" MATCHES "(^|;)(${CMAKE_MATCH_1})(;|$)" AND test MATCHES "${pattern}")
            set(${variable} "${why}" PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# ork_library_program(<label> <language> <mpi> <launcher> <source>): one program, and its test.
function(ork_library_program label language mpi launcher source)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME area)
    cmake_path(GET source STEM name)
    set(test ${label}.${area}.${name})
    set(target ${label}_${area}_${name})
    set(labels ${label})
    set(when)
    if(label STREQUAL "mpich" AND NOT "${area}/${name}" IN_LIST ORK_MPICH_IN_THE_SUITE)
        set(labels ${label} nightly)
        set(when CONFIGURATIONS nightly)
    endif()
    ork_habit(habit ${label} ${area}.${name})
    if(habit)
        add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${habit}" ${when})
        set_tests_properties(${test} PROPERTIES LABELS "${labels}" SKIP_REGULAR_EXPRESSION "^skipped: ")
        return()
    endif()
    get_source_file_property(head ${source} ORK_MADE_FROM)
    if(NOT head)
        set(head ${source})
    endif()
    ork_e2e_executable(${target} ${source} ${language} ${mpi})
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${label}
        Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${label}/modules)
    add_dependencies(${label}_programs ${target})
    if(NOT head STREQUAL source) # made for that target, too
        add_dependencies(${target} e2e_${area}_${name})
    endif()
    if(NOT when AND label MATCHES "^(mpich|abi)$")
        ork_part_of_all(${target})
    endif()
    file(STRINGS ${head} line REGEX "RANKS: [0-9]+" LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+" ranks "${line}")
    math(EXPR processors "(${ranks} + 1) / 2")
    add_test(NAME ${test} COMMAND ${ORK_E2E_RUN} --other-library --source ${source} --program $<TARGET_FILE:${target}>
        --mpiexec ${launcher} ${when})
    set_tests_properties(${test} PROPERTIES LABELS "${labels}" PROCESSORS ${processors} SKIP_RETURN_CODE 77)
    # Its components have other names than those of the tests' environment; and Debian's MPICH prints warnings of UCX.
    foreach(variable pml btl coll op reachable shmem errmgr)
        set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT_MODIFICATION OMPI_MCA_${variable}=unset:)
    endforeach()
    set_property(TEST ${test} PROPERTY ENVIRONMENT UCX_LOG_LEVEL=error OMPI_MCA_mpi_yield_when_idle=1)
endfunction()

# ork_library_suite(<label> <launcher> <compilers>): those of C, C++ and Fortran; programs of a language without one are left out.
function(ork_library_suite label launcher)
    add_custom_target(${label}_programs)
    foreach(language C CXX Fortran)
        list(POP_FRONT ARGN compiler)
        if(NOT compiler OR NOT CMAKE_${language}_COMPILER)
            continue()
        endif()
        ork_mpi_of(ork_${label}_${language} ${compiler})
        foreach(source IN LISTS ork_e2e_${language})
            ork_library_program(${label} ${language} ork_${label}_${language} ${launcher} ${source})
        endforeach()
    endforeach()
endfunction()

set(ORK_MPICH_IN_THE_SUITE
    p2p/recv_recv p2p/send_send p2p/tag_mismatch wildcard/all_any_source wildcard/probe_then_receive_found
    collective/barrier_order collective/two_causes request/waitall_one_matched request/persistent_ring comm/split_late_member
    types/int_as_float buffers/modified onesided/fences_wrong onesided/fences_right usage/groups_right
    correct/halo_exchange correct/in_place correct/nonblocking_collectives correct/comm_split_rows_columns correct/derived_types
    death/fatal_error process/without_init tools/recv_recv tools/own_communication f08/recv_recv mpifh/odd_rank_out)

find_program(ORKNOT_MPICH_CC mpicc.mpich)
find_program(ORKNOT_MPICH_CXX mpicxx.mpich)
find_program(ORKNOT_MPICH_FC mpifort.mpich)
find_program(ORKNOT_MPICH_MPIEXEC mpiexec.mpich)
mark_as_advanced(ORKNOT_MPICH_CC ORKNOT_MPICH_CXX ORKNOT_MPICH_FC ORKNOT_MPICH_MPIEXEC)
if(ORKNOT_MPICH_CC AND ORKNOT_MPICH_MPIEXEC AND TARGET must-mpich)
    ork_library_suite(mpich ${ORKNOT_MPICH_MPIEXEC} ${ORKNOT_MPICH_CC} ${ORKNOT_MPICH_CXX} ${ORKNOT_MPICH_FC})
    add_dependencies(nightly mpich_programs)
endif()

foreach(library IN LISTS ORK_OTHER_MPI)
    set(prefix ${ORKNOT_${library}_PREFIX})
    if(prefix)
        set(compilers ${prefix}/bin/mpicc)
        if(EXISTS ${prefix}/bin/mpicxx)
            list(APPEND compilers ${prefix}/bin/mpicxx)
        else()
            list(APPEND compilers NOTFOUND)
        endif()
        ork_mpi_fortran(has_fortran ${prefix}/bin/mpifort)
        if(has_fortran)
            list(APPEND compilers ${prefix}/bin/mpifort)
        else()
            message(STATUS "No tests of Fortran programs with ORKNOT_${library}_PREFIX: the library has no module mpi_f08.")
        endif()
        string(TOLOWER ${library} label)
        ork_library_suite(${label} ${prefix}/bin/mpiexec ${compilers})
    endif()
    if(prefix AND EXISTS ${prefix}/bin/mpicc_abi) # the standard ABI of the same library
        ork_library_suite(${label}_abi ${prefix}/bin/mpiexec ${prefix}/bin/mpicc_abi)
    endif()
    if(prefix AND library MATCHES "OPENMPI")
        add_executable(${label}_steps EXCLUDE_FROM_ALL tree/steps.c)
        target_compile_options(${label}_steps PRIVATE -D_GNU_SOURCE -g -O1)
        target_link_libraries(${label}_steps PRIVATE ork_${label}_C ork_idle)
        add_dependencies(${label}_programs ${label}_steps)
        add_test(NAME ${label}.launcher COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/launchers/test_launchers.py
            $<TARGET_FILE:mustrun> $<TARGET_FILE:${label}_steps> Openmpi5)
        set_tests_properties(${label}.launcher PROPERTIES LABELS ${label} PROCESSORS 2 ENVIRONMENT ORK_TEST_LAUNCHER=${prefix}/bin/mpirun)
    endif()
endforeach()
