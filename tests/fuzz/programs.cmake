# SPDX-License-Identifier: BSD-3-Clause
# Random programs in which the tool must find nothing; included by this folder's CMakeLists.txt. More of them every night.
foreach(name threads handles)
    add_executable(fuzz_${name}_real ${name}_real.c)
    target_link_libraries(fuzz_${name}_real PRIVATE MPI::MPI_C Threads::Threads)
    ork_part_of_all(fuzz_${name}_real)
    set(real ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/programs_real.py --mustrun $<TARGET_FILE:mustrun>
        --program $<TARGET_FILE:fuzz_${name}_real>)
    add_test(NAME e2e.random.${name} COMMAND ${real} --count 12)
    set_tests_properties(e2e.random.${name} PROPERTIES LABELS e2e PROCESSORS 2)
    add_test(NAME e2e.random.${name}.nightly COMMAND ${real} --first 100001 --count 20000 CONFIGURATIONS nightly)
    set_tests_properties(e2e.random.${name}.nightly PROPERTIES LABELS nightly PROCESSORS 2 TIMEOUT 14400)
endforeach()
