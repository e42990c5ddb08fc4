# SPDX-License-Identifier: BSD-3-Clause
# Random datatypes against their expansion; included by this folder's CMakeLists.txt. More of them every night.
add_executable(fuzz_datatype_types ${CMAKE_CURRENT_LIST_DIR}/datatype_types.c ${CMAKE_CURRENT_LIST_DIR}/datatype_expanded.c)
target_link_libraries(fuzz_datatype_types PRIVATE ork_datatype ork_compile ork_sanitize)
add_test(NAME fuzz.datatype.types COMMAND fuzz_datatype_types)
set_tests_properties(fuzz.datatype.types PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.datatype.types.nightly COMMAND fuzz_datatype_types 99 100000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.datatype.types.nightly PROPERTIES LABELS nightly TIMEOUT 7200)
