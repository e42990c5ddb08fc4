# SPDX-License-Identifier: BSD-3-Clause
# A man page whose section on options comes from the list of options.
function(ork_man page options)
    set(script ${PROJECT_SOURCE_DIR}/cmake/man.py)
    add_custom_command(
        OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${page}
        COMMAND ${Python3_EXECUTABLE} -B ${script}
                ${CMAKE_CURRENT_SOURCE_DIR}/${options}
                ${PROJECT_SOURCE_DIR}/docs/man/${page}.in ${CMAKE_CURRENT_BINARY_DIR}/${page} ${PROJECT_VERSION}
        DEPENDS ${script} ${options} ${PROJECT_SOURCE_DIR}/docs/man/${page}.in
        VERBATIM)
    add_custom_target(ork_${page} ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${page})
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()
