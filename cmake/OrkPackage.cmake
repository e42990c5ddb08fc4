# SPDX-License-Identifier: BSD-3-Clause
# What is installed beside the programs, and the Debian package: cpack -G DEB in a release build.

install(FILES docs/reference/must-report.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES docs/reference/report.schema.json DESTINATION ${CMAKE_INSTALL_DOCDIR})

# RATIONALE: the package is made of what was built; a test makes one, and must not build beside other tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "Orknot")
set(CPACK_PACKAGE_CONTACT "Orknot developers <developers@orknot.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "runtime deadlock detection for MPI programs")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian.cmake)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Watches an MPI program while it runs and says whether, where and why it
deadlocks. Programs in C, Fortran and Python are not recompiled.
.
mustrun runs a program, mustview shows a report again, mustbatch runs
suites of programs.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# RATIONALE: what no library says: mpirun is started, python3 runs mustbatch, and libraries are opened by name.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "openmpi-bin, python3 (>= 3.11), libunwind8, libcapstone4, libgvc6, libcgraph6, libsqlite3-0, libzstd1, libdw1, libelf1")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
