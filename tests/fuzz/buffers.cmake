# SPDX-License-Identifier: BSD-3-Clause
# Random programs whose pending buffers overlap; included by this folder's CMakeLists.txt. More of them every night.
set(real ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/buffers_real.py --mustrun $<TARGET_FILE:mustrun> --mpicc ${MPI_C_COMPILER})
add_test(NAME e2e.random.buffers COMMAND ${real} --count 6 --seconds 5)
set_tests_properties(e2e.random.buffers PROPERTIES LABELS e2e PROCESSORS 2 SKIP_RETURN_CODE 77)
add_test(NAME e2e.random.buffers.nightly COMMAND ${real} --first 100000 --count 1000 CONFIGURATIONS nightly)
set_tests_properties(e2e.random.buffers.nightly PROPERTIES LABELS nightly PROCESSORS 2 TIMEOUT 14400 SKIP_RETURN_CODE 77)
