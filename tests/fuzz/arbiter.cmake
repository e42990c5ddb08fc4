# SPDX-License-Identifier: BSD-3-Clause
# The arbiter: random programs in random orders of events, and hostile records; included by this folder's CMakeLists.txt.
add_executable(fuzz_arbiter_programs ${CMAKE_CURRENT_LIST_DIR}/arbiter_programs.c ${CMAKE_CURRENT_LIST_DIR}/arbiter/interceptor.c
    ${CMAKE_CURRENT_LIST_DIR}/arbiter/library.c ${CMAKE_CURRENT_LIST_DIR}/arbiter/locks.c ${CMAKE_CURRENT_LIST_DIR}/arbiter/requests.c
    ${CMAKE_CURRENT_LIST_DIR}/arbiter/process.c ${CMAKE_CURRENT_LIST_DIR}/arbiter/program.c ${CMAKE_CURRENT_LIST_DIR}/arbiter/run.c
    ${CMAKE_CURRENT_LIST_DIR}/arbiter/told.c)
target_link_libraries(fuzz_arbiter_programs PRIVATE ork_arbiter ork_compile ork_sanitize)
ork_fewer_programs(programs 200)
add_test(NAME fuzz.arbiter.programs COMMAND fuzz_arbiter_programs ${programs})
set_tests_properties(fuzz.arbiter.programs PROPERTIES LABELS "fuzz;asan")
# Many more of them: ctest -C nightly -L nightly
add_test(NAME fuzz.arbiter.programs.nightly COMMAND fuzz_arbiter_programs 1000000 100000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.arbiter.programs.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

# The inputs are those of the detector's test.
add_executable(fuzz_arbiter_records ${CMAKE_CURRENT_LIST_DIR}/detector_records.c ${CMAKE_CURRENT_LIST_DIR}/arbiter_records_target.c)
target_link_libraries(fuzz_arbiter_records PRIVATE fuzz_detector_model ork_arbiter ork_compile ork_sanitize)
add_test(NAME fuzz.arbiter.records COMMAND fuzz_arbiter_records)
set_tests_properties(fuzz.arbiter.records PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.arbiter.records.nightly COMMAND fuzz_arbiter_records 1000000 1000000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.arbiter.records.nightly PROPERTIES LABELS nightly TIMEOUT 7200)
