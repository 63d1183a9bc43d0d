# The architectures that programs may be for: the folders beside this file. Their names are
# namespaces of C++ as well. A folder's Port.cmake sets
#   THERMOCLINE_LOADER               the file name of glibc's dynamic loader
#   THERMOCLINE_JEMALLOC_PAGE_BYTES  what the jemalloc that is built with takes for a page
#   THERMOCLINE_DEBIAN_ARCHITECTURE  what Debian calls it
#   THERMOCLINE_LLVM_TARGET          LLVM's target that makes code for it
#   THERMOCLINE_TESTED               where this port was tested, for a sentence; empty if on
#                                    machines of its own
# Of all folders, THERMOCLINE_ARCHITECTURES lists the names, which are those in LLVM's triples and
# of CMAKE_SYSTEM_PROCESSOR, THERMOCLINE_LLVM_TARGETS the targets, and arch/Architectures.def in
# the build has a line for each, as in LLVM's files of this kind. After that, the variables above
# are those of THERMOCLINE_ARCHITECTURE, for which this build is.

file(GLOB ports CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/Port.cmake)
set(THERMOCLINE_ARCHITECTURES "")
set(THERMOCLINE_LLVM_TARGETS "")
set(lines "")
set(port_variables LOADER JEMALLOC_PAGE_BYTES DEBIAN_ARCHITECTURE LLVM_TARGET TESTED)
foreach(port ${ports})
  cmake_path(GET port PARENT_PATH folder)
  cmake_path(GET folder FILENAME name)
  foreach(variable ${port_variables})
    unset(THERMOCLINE_${variable})
  endforeach()
  include(${port})
  foreach(variable ${port_variables})
    if(NOT DEFINED THERMOCLINE_${variable})
      message(FATAL_ERROR "${port} does not set THERMOCLINE_${variable}")
    endif()
  endforeach()
  list(APPEND THERMOCLINE_ARCHITECTURES ${name})
  list(APPEND THERMOCLINE_LLVM_TARGETS ${THERMOCLINE_LLVM_TARGET})
  string(APPEND lines "THERMOCLINE_ARCHITECTURE(${name})\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/arch/Architectures.def CONTENT "${lines}")

set(THERMOCLINE_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR})
if(NOT THERMOCLINE_ARCHITECTURE IN_LIST THERMOCLINE_ARCHITECTURES)
  message(FATAL_ERROR "There is no port to ${CMAKE_SYSTEM_PROCESSOR} (docs/internals/porting.md)")
endif()
set(THERMOCLINE_PORT ${CMAKE_CURRENT_LIST_DIR}/${THERMOCLINE_ARCHITECTURE})
include(${THERMOCLINE_PORT}/Port.cmake)

# thermocline_ports(LIBRARY FILE): adds this file of each folder to a library that reads or makes
# code of all architectures, and lets it include arch/Architectures.def.
function(thermocline_ports library file)
  foreach(name ${THERMOCLINE_ARCHITECTURES})
    target_sources(${library} PRIVATE ${PROJECT_SOURCE_DIR}/arch/${name}/${file})
  endforeach()
  target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR}/arch ${CMAKE_BINARY_DIR})
endfunction()
