# SPDX-License-Identifier: BSD-3-Clause
# Random one-sided programs against reachability; included by this folder's CMakeLists.txt. More of them every night.
add_executable(fuzz_onesided_programs ${CMAKE_CURRENT_LIST_DIR}/onesided_programs.c ${CMAKE_CURRENT_LIST_DIR}/onesided/expect.c
               ${CMAKE_CURRENT_LIST_DIR}/onesided/generate.c ${CMAKE_CURRENT_LIST_DIR}/onesided/records.c)
target_link_libraries(fuzz_onesided_programs PRIVATE ork_onesided ork_compile ork_sanitize)
add_test(NAME fuzz.onesided.programs COMMAND fuzz_onesided_programs)
set_tests_properties(fuzz.onesided.programs PROPERTIES LABELS fuzz TIMEOUT 300)
add_test(NAME fuzz.onesided.programs.nightly COMMAND fuzz_onesided_programs 99 100000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.onesided.programs.nightly PROPERTIES LABELS nightly TIMEOUT 7200)
