# SPDX-License-Identifier: BSD-3-Clause
# Processes whose stacks are taken. Optimised and with lines, whatever the build type is.
add_library(fixture_stack_mpi SHARED fixtures/stack_mpi.c)
set_target_properties(fixture_stack_mpi PROPERTIES OUTPUT_NAME mpi_fixture)
target_compile_options(fixture_stack_mpi PRIVATE -O2 -g -fvisibility=hidden)

foreach(kind lines symbols)
    add_executable(fixture_stack_${kind} fixtures/stack_subject.c)
    target_compile_features(fixture_stack_${kind} PRIVATE c_std_11)
    target_compile_definitions(fixture_stack_${kind} PRIVATE _GNU_SOURCE)
    target_link_libraries(fixture_stack_${kind} PRIVATE fixture_stack_mpi Threads::Threads)
endforeach()
target_compile_options(fixture_stack_lines PRIVATE -O2 -g)
target_compile_options(fixture_stack_symbols PRIVATE -O2 -g0)

set(stack_stripped ${CMAKE_CURRENT_BINARY_DIR}/fixture_stack_stripped)
add_custom_command(OUTPUT ${stack_stripped} COMMAND ${CMAKE_STRIP} -o ${stack_stripped} $<TARGET_FILE:fixture_stack_lines>
    DEPENDS fixture_stack_lines VERBATIM)
set(stack_programs ${stack_stripped})

if(ORK_GFORTRAN)
    foreach(kind lines symbols)
        set(stack_fortran_${kind} ${CMAKE_CURRENT_BINARY_DIR}/fixture_stack_fortran_${kind})
        set(option -g)
        if(kind STREQUAL symbols)
            set(option -g0)
        endif()
        add_custom_command(OUTPUT ${stack_fortran_${kind}}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/stack_fortran_${kind}
            COMMAND ${ORK_GFORTRAN} -O1 ${option} -fno-inline -fno-optimize-sibling-calls
                    -J ${CMAKE_CURRENT_BINARY_DIR}/stack_fortran_${kind} -o ${stack_fortran_${kind}}
                    ${CMAKE_CURRENT_SOURCE_DIR}/fixtures/stack_fortran.f90
            DEPENDS fixtures/stack_fortran.f90 VERBATIM)
        list(APPEND stack_programs ${stack_fortran_${kind}})
    endforeach()
endif()
add_custom_target(ork_stack_programs DEPENDS ${stack_programs})
