# SPDX-License-Identifier: BSD-3-Clause
# The decoder of choices against random and damaged bytes; included by this folder's CMakeLists.txt.
add_executable(fuzz_order ${CMAKE_CURRENT_LIST_DIR}/order_driver.c ${CMAKE_CURRENT_LIST_DIR}/order_target.c)
target_link_libraries(fuzz_order PRIVATE ork_order ork_compile ork_sanitize)
ork_fewer_programs(programs 200)
add_test(NAME fuzz.order.decode COMMAND fuzz_order ${programs})
set_tests_properties(fuzz.order.decode PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.order.decode.nightly COMMAND fuzz_order 1000000 100000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.order.decode.nightly PROPERTIES LABELS nightly TIMEOUT 3600)

# The same target for libFuzzer: see codec.cmake.
if(ORKNOT_LIBFUZZER)
    add_executable(libfuzzer_order ${CMAKE_CURRENT_LIST_DIR}/order_target.c
        ${PROJECT_SOURCE_DIR}/order/file/decode.c ${PROJECT_SOURCE_DIR}/order/file/encode.c ${PROJECT_SOURCE_DIR}/order/file/hash.c
        ${PROJECT_SOURCE_DIR}/order/file/loop.c)
    target_link_libraries(libfuzzer_order PRIVATE ork_compile)
    target_compile_options(libfuzzer_order PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_options(libfuzzer_order PRIVATE -fsanitize=fuzzer,address,undefined)
endif()
