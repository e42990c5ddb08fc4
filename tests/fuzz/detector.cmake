# SPDX-License-Identifier: BSD-3-Clause
# The detector against an exhaustive simulation of random programs; included by this folder's CMakeLists.txt.
add_executable(fuzz_detector_programs ${CMAKE_CURRENT_LIST_DIR}/detector_programs.c
    ${CMAKE_CURRENT_LIST_DIR}/detector/check.c ${CMAKE_CURRENT_LIST_DIR}/detector/explore.c
    ${CMAKE_CURRENT_LIST_DIR}/detector/generate.c ${CMAKE_CURRENT_LIST_DIR}/detector/model.c
    ${CMAKE_CURRENT_LIST_DIR}/detector/program.c ${CMAKE_CURRENT_LIST_DIR}/detector/run.c)
target_link_libraries(fuzz_detector_programs PRIVATE ork_detector ork_compile ork_sanitize)
add_test(NAME fuzz.detector.programs COMMAND fuzz_detector_programs)
set_tests_properties(fuzz.detector.programs PROPERTIES LABELS fuzz TIMEOUT 300)
