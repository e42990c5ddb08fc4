# SPDX-License-Identifier: BSD-3-Clause
# Folding: random looping programs, folded and not; included by this folder's CMakeLists.txt.
add_executable(fuzz_fold_programs ${CMAKE_CURRENT_LIST_DIR}/fold_programs.c ${CMAKE_CURRENT_LIST_DIR}/fold_followers.c
    ${CMAKE_CURRENT_LIST_DIR}/detector/looping.c ${CMAKE_CURRENT_LIST_DIR}/detector/looping_messages.c)
target_link_libraries(fuzz_fold_programs PRIVATE fuzz_detector_model ork_fold ork_detector ork_onesided ork_causality ork_compile ork_sanitize)
ork_fewer_programs(programs 400)
add_test(NAME fuzz.fold.programs COMMAND fuzz_fold_programs ${programs})
set_tests_properties(fuzz.fold.programs PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.fold.programs.nightly COMMAND fuzz_fold_programs 1000000 1000000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.fold.programs.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

# The history for alternative matches, in parts and as a whole.
add_executable(fuzz_fold_history ${CMAKE_CURRENT_LIST_DIR}/fold_history.c ${CMAKE_CURRENT_LIST_DIR}/detector/looping.c
    ${CMAKE_CURRENT_LIST_DIR}/detector/looping_messages.c)
target_link_libraries(fuzz_fold_history PRIVATE fuzz_detector_model ork_fold ork_detector ork_compile ork_sanitize)
ork_fewer_programs(programs 300)
add_test(NAME fuzz.fold.history COMMAND fuzz_fold_history ${programs})
set_tests_properties(fuzz.fold.history PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.fold.history.nightly COMMAND fuzz_fold_history 1000000 200000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.fold.history.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

# A model: iterations that differ in their choices.
add_test(NAME fuzz.fold.choices COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/fold_choices.py)
set_tests_properties(fuzz.fold.choices PROPERTIES LABELS "fuzz")
add_test(NAME fuzz.fold.choices.nightly COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/fold_choices.py 200000 1000000
    CONFIGURATIONS nightly)
set_tests_properties(fuzz.fold.choices.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

# The conflicts of looping one-sided programs. onesided_sources: onesided.cmake.
add_executable(fuzz_fold_onesided ${CMAKE_CURRENT_LIST_DIR}/fold_onesided.c ${onesided_sources})
target_link_libraries(fuzz_fold_onesided PRIVATE ork_fold ork_detector ork_onesided ork_compile ork_sanitize)
ork_fewer_programs(programs 200)
add_test(NAME fuzz.fold.onesided COMMAND fuzz_fold_onesided ${programs})
set_tests_properties(fuzz.fold.onesided PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.fold.onesided.nightly COMMAND fuzz_fold_onesided 1000000 100000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.fold.onesided.nightly PROPERTIES LABELS nightly TIMEOUT 7200)
