# SPDX-License-Identifier: BSD-3-Clause
# Random programs of loops with and without folding; included by this folder's CMakeLists.txt. More of them every night.
add_executable(fuzz_loops_real loops_real.c loops_collectives.c loops_messages.c loops_windows.c)
target_link_libraries(fuzz_loops_real PRIVATE MPI::MPI_C ork_wait)
ork_part_of_all(fuzz_loops_real)
set(real ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/loops_real.py --mustrun $<TARGET_FILE:mustrun>
    --program $<TARGET_FILE:fuzz_loops_real>)
add_test(NAME e2e.random.loops COMMAND ${real} --count 2 --loops 2 --seconds 8)
set_tests_properties(e2e.random.loops PROPERTIES LABELS e2e PROCESSORS 2)
add_test(NAME e2e.random.loops.nightly COMMAND ${real} --first 100000 --count 1000 CONFIGURATIONS nightly)
set_tests_properties(e2e.random.loops.nightly PROPERTIES LABELS nightly PROCESSORS 2 TIMEOUT 14400)
add_test(NAME e2e.random.loops.replay COMMAND ${real} --count 2 --loops 2 --seconds 8 --replay)
set_tests_properties(e2e.random.loops.replay PROPERTIES LABELS e2e PROCESSORS 2)
add_test(NAME e2e.random.loops.replay.nightly COMMAND ${real} --first 200000 --count 1000 --replay CONFIGURATIONS nightly)
set_tests_properties(e2e.random.loops.replay.nightly PROPERTIES LABELS nightly PROCESSORS 2 TIMEOUT 14400)
