# SPDX-License-Identifier: BSD-3-Clause
# What is installed beside the programs, and the Debian package: cpack -G DEB in a release build.

install(FILES docs/reference/must-report.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES docs/reference/report.schema.json DESTINATION ${CMAKE_INSTALL_DOCDIR})

# For other people's tests: find_package(orknot), and a plugin of pytest. In the build tree, too, for our own tests of them.
include(CMakePackageConfigHelpers)
set(ork_cmake_folder ${CMAKE_INSTALL_DATADIR}/cmake/orknot)
set(ork_python_folder lib/python3/dist-packages) # where Debian's Python looks below /usr
set(ork_for_tests ${CMAKE_CURRENT_SOURCE_DIR}/packaging)
# ork_configure_for_tests(<folder> <mustrun> <mustrun>): the paths of mustrun are relative to the folders of the two.
function(ork_configure_for_tests folder cmake_mustrun python_mustrun)
    set(ORK_CMAKE_MUSTRUN ${cmake_mustrun})
    set(ORK_PYTEST_MUSTRUN ${python_mustrun})
    configure_file(${ork_for_tests}/cmake/orknot-config.cmake.in ${folder}/cmake/orknot-config.cmake @ONLY)
    configure_file(${ork_for_tests}/cmake/orknot-run-test.cmake ${folder}/cmake/orknot-run-test.cmake COPYONLY)
    write_basic_package_version_file(${folder}/cmake/orknot-config-version.cmake COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
    configure_file(${ork_for_tests}/pytest/orknot_pytest.py ${folder}/pytest/orknot_pytest.py @ONLY)
    foreach(file METADATA entry_points.txt)
        configure_file(${ork_for_tests}/pytest/${file} ${folder}/pytest/orknot-${PROJECT_VERSION}.dist-info/${file} @ONLY)
    endforeach()
endfunction()
ork_configure_for_tests(${PROJECT_BINARY_DIR}/for-tests ../../mustrun/mustrun ../../mustrun/mustrun)
file(RELATIVE_PATH ork_mustrun_from_cmake ${CMAKE_INSTALL_PREFIX}/${ork_cmake_folder} ${CMAKE_INSTALL_FULL_BINDIR}/mustrun)
file(RELATIVE_PATH ork_mustrun_from_python ${CMAKE_INSTALL_PREFIX}/${ork_python_folder} ${CMAKE_INSTALL_FULL_BINDIR}/mustrun)
ork_configure_for_tests(${PROJECT_BINARY_DIR}/for-tests/install ${ork_mustrun_from_cmake} ${ork_mustrun_from_python})
install(DIRECTORY ${PROJECT_BINARY_DIR}/for-tests/install/cmake/ DESTINATION ${ork_cmake_folder})
install(DIRECTORY ${PROJECT_BINARY_DIR}/for-tests/install/pytest/ DESTINATION ${ork_python_folder})

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
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/packaging/cpack.cmake)
# Backends need the preload file, which is in the package.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/interceptor)
# RATIONALE: what no library says: python3 runs mustbatch, and libraries are opened by name. MPI is that of the programs.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "python3 (>= 3.11), libunwind8, libcapstone4, libgvc6, libcgraph6, libsqlite3-0, libzstd1, libdw1, libelf1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin | mpich")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake (>= 3.19), python3-pytest")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
