# What the package of libraries for programs of another architecture has otherwise than an
# installation: headers are those of libthermocline-dev, and so is the CMake package, which knows
# no targets of another architecture.
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
file(GLOB packages ${usr}/lib/*/cmake)
file(REMOVE_RECURSE ${usr}/include ${packages})

set(doc ${usr}/share/doc/${CPACK_DEBIAN_PACKAGE_NAME})
file(COPY ${CPACK_THERMOCLINE_SOURCES}/copyright DESTINATION ${doc})
file(COPY ${CPACK_THERMOCLINE_CHANGELOG} DESTINATION ${doc})
execute_process(COMMAND gzip -9 -n ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
configure_file(${CPACK_THERMOCLINE_SOURCES}/lintian/cross.in
  ${usr}/share/lintian/overrides/${CPACK_DEBIAN_PACKAGE_NAME} @ONLY)
