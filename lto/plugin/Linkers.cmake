# thermocline_plugin_linkers(OUTPUT FOLDER LIBRARIES PREFIX): writes to OUTPUT, for each linker that
# takes our plugin, what the config files name as linker. They will be in FOLDER, and the plugin in
# LIBRARIES. PREFIX stands before the names of GNU's linkers: that of a target, or nothing. mold
# links for each.
function(thermocline_plugin_linkers output folder libraries prefix)
  set(linkers bfd gold mold)
  set(names ${prefix}ld.bfd ${prefix}ld.gold ld.mold)
  foreach(linker LINKER IN ZIP_LISTS linkers names)
    file(RELATIVE_PATH PLUGIN ${folder}/${linker} ${libraries}/ThermoclineLTO.so)
    configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ld.lld.in ${output}/${linker}/ld.lld @ONLY
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
        GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
endfunction()
