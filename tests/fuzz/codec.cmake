# SPDX-License-Identifier: BSD-3-Clause
# The record codec against random and damaged bytes; included by this folder's CMakeLists.txt.
add_executable(fuzz_codec ${CMAKE_CURRENT_LIST_DIR}/codec_driver.c ${CMAKE_CURRENT_LIST_DIR}/codec_target.c)
target_link_libraries(fuzz_codec PRIVATE ork_record ork_compile ork_sanitize)
add_test(NAME fuzz.record.codec COMMAND fuzz_codec)
set_tests_properties(fuzz.record.codec PROPERTIES LABELS "fuzz;asan")

# The same target for libFuzzer, which comes with clang: run it by hand, for as long as you like.
option(ORKNOT_LIBFUZZER "Build fuzz targets for libFuzzer (with clang)" OFF)
if(ORKNOT_LIBFUZZER)
    add_executable(libfuzzer_codec ${CMAKE_CURRENT_LIST_DIR}/codec_target.c ${PROJECT_SOURCE_DIR}/record/codec.c)
    target_link_libraries(libfuzzer_codec PRIVATE ork_compile)
    target_compile_options(libfuzzer_codec PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_options(libfuzzer_codec PRIVATE -fsanitize=fuzzer,address,undefined)
endif()
