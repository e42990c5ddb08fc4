# SPDX-License-Identifier: BSD-3-Clause
# Random sets of bytes against a map of bytes; included by this folder's CMakeLists.txt. More of them every night.
add_executable(fuzz_ranges_sets ${CMAKE_CURRENT_LIST_DIR}/ranges_sets.c)
target_link_libraries(fuzz_ranges_sets PRIVATE ork_ranges ork_compile ork_sanitize)
add_test(NAME fuzz.ranges.sets COMMAND fuzz_ranges_sets)
set_tests_properties(fuzz.ranges.sets PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.ranges.sets.nightly COMMAND fuzz_ranges_sets 99 100000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.ranges.sets.nightly PROPERTIES LABELS nightly TIMEOUT 7200)
