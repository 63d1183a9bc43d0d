# thermocline_profile(TARGET [SAMPLING | LIVE] [NO_LIBRARIES])
#
# Builds a target so that its runs write heap profiles. With SAMPLING they are cheap
# enough for real use, and less exact. With LIVE it is a release that can be profiled
# while it runs.
#
# thermocline_optimize(TARGET PROFILE FILE [REPORT FILE] [ALLOCATOR static|shared|none]
#                      [LIVE] [NO_LIBRARIES])
#
# Builds a target so that its cold contexts allocate from the cold heap. Compiles with
# other profiles or another Thermocline have other command lines. So a profile that changed
# recompiles the target with all sources that it ever gets, and compiler caches (ccache,
# sccache) tell them apart. A profile that is not there yet fails the build of the target,
# not CMake, which runs again when it is there. A rule of the build that makes the profile
# comes before the call. REPORT is the link's own report (.html, .json, text).
# ALLOCATOR, for programs: whether the allocator is part of the program (the default),
# a shared library, which the installed program finds by a run path, or the program's own
# that has the hinted functions. Libraries take it from the program that they are in.
# With LIVE the optimized program can be profiled as it is, as thermocline_profile(LIVE)
# has it.
#
# The link says how much of the profile's cold memory is hinted.
#
# Both build the static and object libraries of this build that the target links, directly
# or through others, in the same way, as they become a part of it. When CMake is through
# with all folders, it says which these are. NO_LIBRARIES leaves them as they are; so does
# a call for the library itself. Static libraries need llvm-ar.

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

# Compiles a target by a config file, and links it by that if it is linked. MORE are
# further options of compiles, AFTER is a target that has to be built before. What was
# done is kept in properties, for its libraries.
function(_thermocline_use_config target config)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "NO_LIBRARIES" "AFTER" "MORE")
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
  # Only clang's own languages: others of the target know no config files.
  set(options $<$<COMPILE_LANGUAGE:C,CXX>:${flag}>
    "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-Xclang -mllvm -Xclang -thermocline-built-by=${hash}>"
    $<$<COMPILE_LANGUAGE:C,CXX>:-fmacro-prefix-map=${CMAKE_BINARY_DIR}/=>)
  foreach(option ${ARG_MORE})
    list(APPEND options "$<$<COMPILE_LANGUAGE:C,CXX>:${option}>")
  endforeach()
  _thermocline_compile(${target} "${options}" "${ARG_AFTER}")
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "STATIC_LIBRARY" AND NOT type STREQUAL "OBJECT_LIBRARY")
    target_link_options(${target} PRIVATE ${flag})
  endif()
  if(ARG_NO_LIBRARIES)
    return()
  endif()
  set_target_properties(${target} PROPERTIES THERMOCLINE_FLAG ${flag}
    THERMOCLINE_OPTIONS "${options}" THERMOCLINE_AFTER "${ARG_AFTER}")
  get_property(roots GLOBAL PROPERTY THERMOCLINE_ROOTS)
  if(NOT roots)
    # What a target links may be said later, and in other folders.
    cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL _thermocline_build_libraries)
  endif()
  set_property(GLOBAL APPEND PROPERTY THERMOCLINE_ROOTS ${target})
endfunction()

function(_thermocline_compile target options after)
  target_compile_options(${target} PRIVATE ${options})
  set_target_properties(${target} PROPERTIES THERMOCLINE_COMPILED_BY "${options}")
  if(after)
    add_dependencies(${target} ${after})
  endif()
endfunction()

# The targets of this build that a target links or takes objects of. Generator expressions
# are not evaluated: each word of them that is a target is one.
function(_thermocline_linked target result)
  set(texts "")
  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES SOURCES INTERFACE_SOURCES)
    get_target_property(values ${target} ${property})
    foreach(value ${values})
      if(NOT property MATCHES "SOURCES$" OR value MATCHES "TARGET_OBJECTS:")
        list(APPEND texts ${value})
      endif()
    endforeach()
  endforeach()
  string(REGEX MATCHALL "[A-Za-z0-9_.+-]+(::[A-Za-z0-9_.+-]+)*" words "${texts}")
  set(found "")
  foreach(word ${words})
    if(TARGET ${word})
      get_target_property(aliased ${word} ALIASED_TARGET)
      if(aliased)
        set(word ${aliased})
      endif()
      get_target_property(is_imported ${word} IMPORTED)
      if(NOT is_imported)
        list(APPEND found ${word})
      endif()
    endif()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Builds what becomes a part of a target as the target is built.
function(_thermocline_build_libraries_of root)
  get_target_property(flag ${root} THERMOCLINE_FLAG)
  get_target_property(options ${root} THERMOCLINE_OPTIONS)
  get_target_property(after ${root} THERMOCLINE_AFTER)
  set(seen ${root})
  set(waiting ${root})
  set(built "")
  set(shared "")
  while(waiting)
    list(POP_FRONT waiting target)
    _thermocline_linked(${target} linked)
    foreach(library ${linked})
      get_target_property(type ${library} TYPE)
      if(library IN_LIST seen)
        continue()
      endif()
      list(APPEND seen ${library})
      if(type STREQUAL "SHARED_LIBRARY")
        list(APPEND shared ${library})
      endif()
      if(NOT type MATCHES "^(STATIC|OBJECT|INTERFACE)_LIBRARY$")
        continue()
      endif()
      list(APPEND waiting ${library})
      if(type STREQUAL "INTERFACE_LIBRARY")
        continue()
      endif()
      get_target_property(known ${library} THERMOCLINE_COMPILED_BY)
      if(NOT known)
        _thermocline_compile(${library} "${options}" "${after}")
        set_target_properties(${library} PROPERTIES THERMOCLINE_FOR ${root})
        # What else links it must be able to.
        target_link_options(${library} INTERFACE $<$<LINK_LANGUAGE:C,CXX>:${flag}>)
        list(APPEND built ${library})
        continue()
      endif()
      get_target_property(other ${library} THERMOCLINE_FOR)
      if(known STREQUAL options)
        list(APPEND built ${library})
      elseif(other)
        message(WARNING "Thermocline: ${library} is built as ${other} is, and ${root} links it, "
          "which is built in another way. Say by a call for ${library} how it is to be built")
      endif()
    endforeach()
  endwhile()
  list(SORT built)
  list(JOIN built ", " names)
  set(said "thermocline: ${root}")
  if(built)
    string(APPEND said " and with it ${names}")
  endif()
  if(shared)
    list(SORT shared)
    list(JOIN shared ", " names)
    string(APPEND said "; shared libraries need calls of their own: ${names}")
  endif()
  message(STATUS "${said}")
endfunction()

function(_thermocline_build_libraries)
  get_property(roots GLOBAL PROPERTY THERMOCLINE_ROOTS)
  foreach(root ${roots})
    _thermocline_build_libraries_of(${root})
  endforeach()
endfunction()

function(thermocline_profile target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "LIVE;SAMPLING;NO_LIBRARIES" "" "")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "thermocline_profile: unknown argument ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(ARG_LIVE AND ARG_SAMPLING)
    message(FATAL_ERROR "thermocline_profile: LIVE and SAMPLING are two ways; give one")
  endif()
  set(config generate)
  if(ARG_SAMPLING)
    set(config generate-sampling)
  elseif(ARG_LIVE)
    set(config release)
  endif()
  set(no_libraries "")
  if(ARG_NO_LIBRARIES)
    set(no_libraries NO_LIBRARIES)
  endif()
  _thermocline_use_config(${target} ${config} ${no_libraries})
endfunction()

# How a target is compiled with a profile: options, and a target to build before. Options
# belong to the target, unlike dependencies of sources, which would miss those that the
# target gets later or in another folder.
function(_thermocline_profile_options target profile options after)
  get_source_file_property(made ${profile} GENERATED)
  if(EXISTS ${profile} AND NOT made)
    # A copy whose name tells what is in it. If the profile changes, CMake runs again.
    file(SHA256 ${profile} hash)
    string(SUBSTRING ${hash} 0 16 hash)
    get_filename_component(name ${profile} NAME)
    set(named ${CMAKE_BINARY_DIR}/thermocline/${hash}/${name})
    configure_file(${profile} ${named} COPYONLY)
    set(${options} -fmemory-profile-use=${named} PARENT_SCOPE)
    set(${after} "" PARENT_SCOPE)
    return()
  endif()

  # Its contents are not known before the build.
  set(waits thermocline_profile_of_${target})
  if(made)
    add_custom_target(${waits} DEPENDS ${profile})
  else()
    set(said "${target} is optimized by a heap profile that is not there yet: ${profile}")
    message(WARNING "Thermocline: ${said}\nIts build fails until it is there: record it from "
      "a build with thermocline_profile(${target})")
    add_custom_target(${waits} VERBATIM
      COMMAND sh -c "test -e \"$1\" || { echo \"error: Thermocline: $2\" >&2; exit 1; }"
        sh ${profile} ${said})
    # CMake runs again when it is there.
    file(GLOB found CONFIGURE_DEPENDS ${profile})
  endif()
  # The compiler's list of what an object depends on has it. SHELL: takes a word apart
  # that is not quoted.
  string(REGEX REPLACE "([\"\\])" "\\\\\\1" quoted "${profile}")
  set(${options} -fmemory-profile-use=${profile}
    "SHELL:-Xclang \"-fdepfile-entry=${quoted}\"" PARENT_SCOPE)
  set(${after} ${waits} PARENT_SCOPE)
endfunction()

function(thermocline_optimize target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "LIVE;NO_LIBRARIES" "PROFILE;REPORT;ALLOCATOR" "")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "thermocline_optimize: unknown argument ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_PROFILE)
    message(FATAL_ERROR "thermocline_optimize: no PROFILE for ${target}")
  endif()
  get_filename_component(profile "${ARG_PROFILE}" ABSOLUTE)
  if(NOT ARG_ALLOCATOR)
    set(ARG_ALLOCATOR static)
  endif()
  if(NOT ARG_ALLOCATOR MATCHES "^(static|shared|none)$")
    message(FATAL_ERROR "thermocline_optimize: ALLOCATOR is static, shared or none, not "
      "${ARG_ALLOCATOR}")
  endif()
  _thermocline_profile_options(${target} ${profile} options after)
  set(no_libraries "")
  if(ARG_NO_LIBRARIES)
    set(no_libraries NO_LIBRARIES)
  endif()
  if(ARG_LIVE)
    list(PREPEND options --config=${Thermocline_CONFIG_DIR}/thermocline-release.cfg)
  endif()
  _thermocline_use_config(${target} use ${no_libraries} AFTER "${after}" MORE ${options})

  get_target_property(type ${target} TYPE)
  if(type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$")
    target_link_options(${target} PRIVATE LINKER:--thinlto-memprof-summary)
  endif()
  if(ARG_REPORT)
    get_filename_component(report "${ARG_REPORT}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
    target_link_options(${target} PRIVATE LINKER:--thinlto-memprof-report=${report})
  endif()
  if(type STREQUAL "EXECUTABLE")
    if(ARG_ALLOCATOR STREQUAL "static")
      target_link_libraries(${target} PRIVATE Thermocline::alloc_static)
    elseif(ARG_ALLOCATOR STREQUAL "shared")
      target_link_libraries(${target} PRIVATE Thermocline::alloc)
      # Installed, it has to find the library, which is in no folder of the loader's. Its
      # run path may be set after the call.
      cmake_language(EVAL CODE "cmake_language(DEFER CALL set_property TARGET ${target} APPEND
        PROPERTY INSTALL_RPATH [[${Thermocline_LIBRARY_DIR}]])")
    endif()
  endif()
endfunction()
