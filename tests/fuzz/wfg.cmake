# SPDX-License-Identifier: BSD-3-Clause
# Random wait-for graphs against the definitions; included by this folder's CMakeLists.txt.
foreach(name knots formulas)
    add_executable(fuzz_wfg_${name} ${CMAKE_CURRENT_LIST_DIR}/wfg_${name}.c ${PROJECT_SOURCE_DIR}/tests/unit/wfg/brute.c)
    target_link_libraries(fuzz_wfg_${name} PRIVATE ork_wfg ork_compile ork_sanitize)
    add_test(NAME fuzz.wfg.${name} COMMAND fuzz_wfg_${name})
    set_tests_properties(fuzz.wfg.${name} PROPERTIES LABELS "fuzz;asan")
endforeach()
