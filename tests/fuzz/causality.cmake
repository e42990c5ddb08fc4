# SPDX-License-Identifier: BSD-3-Clause
# Hostile records for order/causality/, the inputs of the detector's test; included by this folder's CMakeLists.txt.
add_executable(fuzz_causality_records ${CMAKE_CURRENT_LIST_DIR}/detector_records.c ${CMAKE_CURRENT_LIST_DIR}/causality_records_target.c)
target_link_libraries(fuzz_causality_records PRIVATE fuzz_detector_model ork_causality ork_compile ork_sanitize)
add_test(NAME fuzz.causality.records COMMAND fuzz_causality_records)
set_tests_properties(fuzz.causality.records PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.causality.records.nightly COMMAND fuzz_causality_records 1000000 1000000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.causality.records.nightly PROPERTIES LABELS nightly TIMEOUT 7200)
