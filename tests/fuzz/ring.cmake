# SPDX-License-Identifier: BSD-3-Clause
# The interceptor's writer of the ring and its reader; included by this folder's CMakeLists.txt.
add_executable(fuzz_ring_repetitions ${CMAKE_CURRENT_LIST_DIR}/ring_repetitions.c
    ${PROJECT_SOURCE_DIR}/interceptor/ring/recorder.c
    ${PROJECT_SOURCE_DIR}/interceptor/preload/thread_storage.c ${PROJECT_SOURCE_DIR}/interceptor/ring/repeat.c)
target_link_libraries(fuzz_ring_repetitions PRIVATE ork_record ork_common Threads::Threads ork_compile ork_sanitize)
if(ORKNOT_SANITIZE)
    set(fewer 100) # see ork_fewer_programs()
endif()
add_test(NAME fuzz.ring.repetitions COMMAND fuzz_ring_repetitions ${fewer})
set_tests_properties(fuzz.ring.repetitions PROPERTIES LABELS "fuzz;asan")
