# SPDX-License-Identifier: BSD-3-Clause
# Run by CPack on the tree that it will pack: what Debian's policy asks for (12.1, 12.5, 12.7).

set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(documents ${root}/share/doc/${CPACK_PACKAGE_NAME})

file(READ ${CPACK_RESOURCE_FILE_LICENSE} license)
file(MAKE_DIRECTORY ${documents} ${root}/share/lintian/overrides)
file(WRITE ${documents}/copyright "${license}")

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${documents}/changelog
    "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) bookworm; urgency=medium\n\n"
    "  * What is new stands in NEWS.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
file(COPY_FILE ${source}/CHANGELOG.md ${documents}/NEWS)

file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/orknot.lintian-overrides ${root}/share/lintian/overrides/orknot)

file(GLOB pages ${root}/share/man/man*/*.[1-8])
execute_process(COMMAND gzip -9nf ${pages} ${documents}/changelog ${documents}/NEWS COMMAND_ERROR_IS_FATAL ANY)

# However the umask was when this was built.
execute_process(COMMAND chmod -R u+rwX,go+rX,go-w ${CPACK_TEMPORARY_INSTALL_DIRECTORY} COMMAND_ERROR_IS_FATAL ANY)
