# What packages have otherwise than an installation. Programs and plug-ins have no symbol
# tables, and half the size. The runtimes keep theirs: profiles name functions of them.
file(GLOB_RECURSE programs ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/thermo*
  ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/ld.lld ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/Thermocline*.so)
foreach(program ${programs})
  file(READ ${program} start LIMIT 4 HEX)
  if(start STREQUAL "7f454c46")
    execute_process(COMMAND ${CPACK_THERMOCLINE_STRIP} --strip-unneeded ${program} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()

# Debian's manual pages and lists of changes are compressed.
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/thermo*.1
  ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/thermo*.5 ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/changelog)
foreach(page ${pages})
  execute_process(COMMAND gzip -9 -n -f ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
