# SPDX-License-Identifier: BSD-3-Clause
# Random one-sided programs against reachability; included by this folder's CMakeLists.txt. More of them every night.
set(onesided_sources ${CMAKE_CURRENT_LIST_DIR}/onesided/expect.c ${CMAKE_CURRENT_LIST_DIR}/onesided/expect_graph.c
                     ${CMAKE_CURRENT_LIST_DIR}/onesided/expect_order.c ${CMAKE_CURRENT_LIST_DIR}/onesided/expect_overlap.c
                     ${CMAKE_CURRENT_LIST_DIR}/onesided/expect_separate.c
                     ${CMAKE_CURRENT_LIST_DIR}/onesided/feed.c
                     ${CMAKE_CURRENT_LIST_DIR}/onesided/generate.c ${CMAKE_CURRENT_LIST_DIR}/onesided/generate_accesses.c
                     ${CMAKE_CURRENT_LIST_DIR}/onesided/generate_collective.c ${CMAKE_CURRENT_LIST_DIR}/onesided/generate_epochs.c
                     ${CMAKE_CURRENT_LIST_DIR}/onesided/generate_messages.c ${CMAKE_CURRENT_LIST_DIR}/onesided/place.c
                     ${CMAKE_CURRENT_LIST_DIR}/onesided/print.c ${CMAKE_CURRENT_LIST_DIR}/onesided/records.c
                     ${CMAKE_CURRENT_LIST_DIR}/onesided/uses.c)
add_executable(fuzz_onesided_programs ${CMAKE_CURRENT_LIST_DIR}/onesided_programs.c ${onesided_sources})
target_link_libraries(fuzz_onesided_programs PRIVATE ork_onesided ork_compile ork_sanitize)
ork_fewer_programs(programs 1000)
add_test(NAME fuzz.onesided.programs COMMAND fuzz_onesided_programs ${programs})
set_tests_properties(fuzz.onesided.programs PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.onesided.programs.nightly COMMAND fuzz_onesided_programs 99 100000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.onesided.programs.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

# The order of their events, as a file of timestamps shows it, against reachability.
add_executable(fuzz_onesided_stamps ${CMAKE_CURRENT_LIST_DIR}/onesided_stamps.c ${CMAKE_CURRENT_LIST_DIR}/onesided/damage.c ${onesided_sources})
target_link_libraries(fuzz_onesided_stamps PRIVATE ork_root ork_compile ork_sanitize)
ork_fewer_programs(programs 150)
add_test(NAME fuzz.onesided.stamps COMMAND fuzz_onesided_stamps ${programs})
set_tests_properties(fuzz.onesided.stamps PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.onesided.stamps.nightly COMMAND fuzz_onesided_stamps 99 20000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.onesided.stamps.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

# The same kind of programs, written as C and executed by the MPI library under the tool.
if(ORKNOT_MPI_PROGRAMS)
    add_executable(fuzz_onesided_source ${CMAKE_CURRENT_LIST_DIR}/onesided_source.c ${CMAKE_CURRENT_LIST_DIR}/onesided/write.c
                   ${CMAKE_CURRENT_LIST_DIR}/onesided/write_call.c ${onesided_sources})
    target_link_libraries(fuzz_onesided_source PRIVATE ork_onesided ork_compile ork_sanitize)
    ork_part_of_all(fuzz_onesided_source)
    set(real ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/onesided_real.py --source $<TARGET_FILE:fuzz_onesided_source>
             --mustrun $<TARGET_FILE:mustrun> --mpicc ${MPI_C_COMPILER} --memory $<TARGET_FILE:orknot-memory>)
    add_test(NAME e2e.random.onesided COMMAND ${real} --count 6 --seconds 5)
    set_tests_properties(e2e.random.onesided PROPERTIES LABELS e2e PROCESSORS 2 SKIP_RETURN_CODE 77)
    add_test(NAME e2e.random.onesided.nightly COMMAND ${real} --first 100000 --count 1000 CONFIGURATIONS nightly)
    set_tests_properties(e2e.random.onesided.nightly PROPERTIES LABELS nightly PROCESSORS 2 TIMEOUT 14400 SKIP_RETURN_CODE 77)
endif()
