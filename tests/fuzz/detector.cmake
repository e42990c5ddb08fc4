# SPDX-License-Identifier: BSD-3-Clause
# The detector: random programs against an exhaustive simulation, and hostile records; included by this folder's CMakeLists.txt.
set(folder ${CMAKE_CURRENT_LIST_DIR})
add_library(fuzz_detector_model STATIC ${folder}/detector/generate.c ${folder}/detector/model.c ${folder}/detector/moves.c
    ${folder}/detector/program.c ${folder}/detector/run.c ${folder}/detector/writer.c)
target_link_libraries(fuzz_detector_model PRIVATE ork_compile ork_sanitize PUBLIC ork_record)

add_executable(fuzz_detector_programs ${folder}/detector_programs.c ${folder}/detector/check.c ${folder}/detector/explore.c)
target_link_libraries(fuzz_detector_programs PRIVATE fuzz_detector_model ork_detector ork_compile ork_sanitize)
ork_fewer_programs(programs 1000)
add_test(NAME fuzz.detector.programs COMMAND fuzz_detector_programs ${programs})
set_tests_properties(fuzz.detector.programs PROPERTIES LABELS "fuzz;asan")
# Many more of them: ctest -C nightly -L nightly
add_test(NAME fuzz.detector.programs.nightly COMMAND fuzz_detector_programs 1000000 1000000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.detector.programs.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

add_executable(fuzz_detector_timing ${folder}/detector_timing.c ${folder}/detector/timing.c ${folder}/detector/explore.c)
target_link_libraries(fuzz_detector_timing PRIVATE fuzz_detector_model ork_detector ork_compile ork_sanitize)
add_test(NAME fuzz.detector.timing COMMAND fuzz_detector_timing ${programs})
set_tests_properties(fuzz.detector.timing PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.detector.timing.nightly COMMAND fuzz_detector_timing 1000000 1000000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.detector.timing.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

add_executable(fuzz_interleave_programs ${folder}/interleave_programs.c ${folder}/detector/explore.c)
target_link_libraries(fuzz_interleave_programs PRIVATE fuzz_detector_model ork_interleave ork_compile ork_sanitize)
add_test(NAME fuzz.interleave.programs COMMAND fuzz_interleave_programs ${programs})
set_tests_properties(fuzz.interleave.programs PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.interleave.programs.nightly COMMAND fuzz_interleave_programs 1000000 1000000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.interleave.programs.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

add_executable(fuzz_detector_waves ${folder}/detector_waves.c ${folder}/detector/grid.c ${folder}/detector/twins.c)
target_link_libraries(fuzz_detector_waves PRIVATE fuzz_detector_model ork_detector ork_compile ork_sanitize)
ork_fewer_programs(programs 160)
add_test(NAME fuzz.detector.waves COMMAND fuzz_detector_waves ${programs})
set_tests_properties(fuzz.detector.waves PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.detector.waves.nightly COMMAND fuzz_detector_waves 1000000 1000000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.detector.waves.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

add_executable(fuzz_detector_exchange ${folder}/detector_exchange.c)
target_link_libraries(fuzz_detector_exchange PRIVATE ork_detector ork_record ork_compile ork_sanitize)
add_test(NAME fuzz.detector.exchange COMMAND fuzz_detector_exchange)
set_tests_properties(fuzz.detector.exchange PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.detector.exchange.nightly COMMAND fuzz_detector_exchange 1000000 1000000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.detector.exchange.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

add_executable(fuzz_detector_records ${folder}/detector_records.c ${folder}/detector_records_target.c)
target_link_libraries(fuzz_detector_records PRIVATE fuzz_detector_model ork_detector ork_compile ork_sanitize)
add_test(NAME fuzz.detector.records COMMAND fuzz_detector_records)
set_tests_properties(fuzz.detector.records PROPERTIES LABELS "fuzz;asan")
add_test(NAME fuzz.detector.records.nightly COMMAND fuzz_detector_records 1000000 1000000 CONFIGURATIONS nightly)
set_tests_properties(fuzz.detector.records.nightly PROPERTIES LABELS nightly TIMEOUT 7200)

if(ORKNOT_LIBFUZZER)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/detector/*.c ${PROJECT_SOURCE_DIR}/wfg/*.c)
    add_executable(libfuzzer_detector ${folder}/detector_records_target.c ${sources})
    target_link_libraries(libfuzzer_detector PRIVATE ork_common ork_compile)
    target_compile_options(libfuzzer_detector PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_options(libfuzzer_detector PRIVATE -fsanitize=fuzzer,address,undefined)
endif()
