# Programs and plug-ins without their symbol tables, half their size. The runtimes keep
# theirs: profiles name functions of them.
file(GLOB_RECURSE programs ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/thermo*
  ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/ld.lld ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/Thermocline*.so)
foreach(program ${programs})
  file(READ ${program} start LIMIT 4 HEX)
  if(start STREQUAL "7f454c46")
    execute_process(COMMAND strip --strip-unneeded ${program} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
