# thermocline_profile(TARGET [SAMPLING])
#
# Builds a target so that its runs write heap profiles. With SAMPLING they are cheap
# enough for real use, and less exact.
#
# thermocline_optimize(TARGET PROFILE FILE [REPORT FILE] [ALLOCATOR static|shared|none])
#
# Builds a target so that its cold contexts allocate from the cold heap. A profile
# that changed recompiles it. Compiles with other profiles or another Thermocline have
# other command lines, so that compiler caches (ccache, sccache) tell them apart. REPORT is the link's own report (.html, .json, text).
# ALLOCATOR, for programs: whether the allocator is part of the program (the default),
# a shared library, or the program's own that has the hinted functions. Libraries take
# it from the program that they are in.
#
# Static libraries of the target are to be built in the same way, with llvm-ar.

function(_thermocline_check_compiler)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach(language C CXX)
    if(language IN_LIST languages AND NOT (CMAKE_${language}_COMPILER_ID STREQUAL "Clang" AND
       CMAKE_${language}_COMPILER_VERSION MATCHES "^22\\.1\\."))
      message(FATAL_ERROR "Thermocline needs clang 22.1 as compiler of ${language}, not "
        "${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION}")
    endif()
  endforeach()
endfunction()

# A hash of what each compile by a config file depends on: these files and the plugin.
# Caches of compiles know them by name at best. If one changes, CMake runs again.
function(_thermocline_hash result)
  set(contents "")
  file(GLOB configs ${Thermocline_CONFIG_DIR}/*.cfg)
  foreach(file ${configs} ${Thermocline_LIBRARY_DIR}/Thermocline.so)
    file(SHA256 ${file} hash)
    string(APPEND contents ${hash})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  string(SHA256 hash "${contents}")
  string(SUBSTRING ${hash} 0 16 hash)
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

# Only clang's own languages: others of the target know no config files.
function(_thermocline_use_config target config)
  _thermocline_check_compiler()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "Thermocline: there is no target ${target}")
  endif()
  set(file ${Thermocline_CONFIG_DIR}/thermocline-${config}.cfg)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "Thermocline's tools are not installed: there is no ${file}")
  endif()
  set(flag --config=${file})
  _thermocline_hash(hash)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:${flag}>
    "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-Xclang -mllvm -Xclang -thermocline-built-by=${hash}>"
    $<$<COMPILE_LANGUAGE:C,CXX>:-fmacro-prefix-map=${CMAKE_BINARY_DIR}/=>)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "STATIC_LIBRARY" AND NOT type STREQUAL "OBJECT_LIBRARY")
    target_link_options(${target} PRIVATE ${flag})
  endif()
endfunction()

function(thermocline_profile target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SAMPLING" "" "")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "thermocline_profile: unknown argument ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  set(config generate)
  if(ARG_SAMPLING)
    set(config generate-sampling)
  endif()
  _thermocline_use_config(${target} ${config})
endfunction()

function(thermocline_optimize target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "PROFILE;REPORT;ALLOCATOR" "")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "thermocline_optimize: unknown argument ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_PROFILE)
    message(FATAL_ERROR "thermocline_optimize: no PROFILE for ${target}")
  endif()
  get_filename_component(profile "${ARG_PROFILE}" ABSOLUTE)
  if(NOT EXISTS ${profile})
    message(FATAL_ERROR "thermocline_optimize: there is no profile ${profile}")
  endif()
  if(NOT ARG_ALLOCATOR)
    set(ARG_ALLOCATOR static)
  endif()
  if(NOT ARG_ALLOCATOR MATCHES "^(static|shared|none)$")
    message(FATAL_ERROR "thermocline_optimize: ALLOCATOR is static, shared or none, not "
      "${ARG_ALLOCATOR}")
  endif()
  _thermocline_use_config(${target} use)
  # A copy whose name tells what is in it.
  file(SHA256 ${profile} hash)
  string(SUBSTRING ${hash} 0 16 hash)
  get_filename_component(name ${profile} NAME)
  set(named ${CMAKE_CURRENT_BINARY_DIR}/thermocline/${hash}/${name})
  configure_file(${profile} ${named} COPYONLY)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C,CXX>:-fmemory-profile-use=${named}>)
  get_target_property(sources ${target} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${profile})

  get_target_property(type ${target} TYPE)
  if(ARG_REPORT)
    get_filename_component(report "${ARG_REPORT}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
    target_link_options(${target} PRIVATE LINKER:--thinlto-memprof-report=${report})
  endif()
  if(type STREQUAL "EXECUTABLE")
    if(ARG_ALLOCATOR STREQUAL "static")
      target_link_libraries(${target} PRIVATE Thermocline::alloc_static)
    elseif(ARG_ALLOCATOR STREQUAL "shared")
      target_link_libraries(${target} PRIVATE Thermocline::alloc)
    endif()
  endif()
endfunction()
