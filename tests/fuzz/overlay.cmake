# SPDX-License-Identifier: BSD-3-Clause
# A leaf and the root against a rank that writes over its own ring; included by this folder's CMakeLists.txt.
add_executable(fuzz_overlay_ring ${CMAKE_CURRENT_LIST_DIR}/overlay_ring.c)
target_link_libraries(fuzz_overlay_ring PRIVATE ork_overlay_stage Threads::Threads ork_compile ork_sanitize)
# RATIONALE: a data race is what this test is about.
if(NOT ORKNOT_SANITIZE MATCHES "thread")
    add_test(NAME fuzz.overlay.ring COMMAND fuzz_overlay_ring)
    set_tests_properties(fuzz.overlay.ring PROPERTIES LABELS "fuzz;asan")
endif()
