# SPDX-License-Identifier: BSD-3-Clause
# Read by CPack before it makes the package.
set(SHLIBDEPS_EXECUTABLE ${CMAKE_CURRENT_LIST_DIR}/shlibdeps)
