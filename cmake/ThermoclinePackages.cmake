# What is installed for whom, the CMake package and pkg-config files that find it, and
# the packages that cpack makes (docs/packages.md).

include(CMakePackageConfigHelpers)

set(configs generate generate-archive generate-bitcode generate-gold generate-sampling release
  use use-bfd use-gold use-mold)

# Relocatable: from where a file is installed to another place of the installation.
function(thermocline_relative_path result from to)
  file(RELATIVE_PATH path /prefix/${from} /prefix/${to})
  set(${result} ${path} PARENT_SCOPE)
endfunction()

set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Thermocline)
set(PACKAGE_LIBDIR ${CMAKE_INSTALL_LIBDIR}/thermocline)
set(PACKAGE_CONFIGDIR ${CMAKE_INSTALL_DATADIR}/thermocline)
configure_package_config_file(packages/ThermoclineConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/packages/ThermoclineConfig.cmake
  INSTALL_DESTINATION ${cmake_dir}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR PACKAGE_LIBDIR PACKAGE_CONFIGDIR)
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/packages/ThermoclineConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/packages/ThermoclineConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/packages/ThermoclineConfigVersion.cmake
              packages/ThermoclineFunctions.cmake
  DESTINATION ${cmake_dir} COMPONENT development)

set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
thermocline_relative_path(PREFIX_FROM_PKGCONFIG ${pkgconfig_dir} .)
foreach(name thermocline thermocline-alloc thermocline-hints)
  configure_file(packages/${name}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/packages/${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/packages/${name}.pc
    DESTINATION ${pkgconfig_dir} COMPONENT development)
endforeach()

# Debian's clang looks for config files beside itself. Only packages put files there.
set(clang_dir lib/llvm-22/bin)
thermocline_relative_path(CONFIG_FROM_CLANG ${clang_dir} ${PACKAGE_CONFIGDIR})
foreach(name ${configs})
  set(file ${CMAKE_CURRENT_BINARY_DIR}/packages/clang/thermocline-${name}.cfg)
  file(CONFIGURE OUTPUT ${file} CONTENT
"# So that clang finds it by its name.
@${CONFIG_FROM_CLANG}/thermocline-${name}.cfg
")
  install(FILES ${file} DESTINATION ${clang_dir} COMPONENT clang EXCLUDE_FROM_ALL)
endforeach()

# Manual pages, from what the tools and config files say of themselves.
set(man_arguments "")
set(man_pages "")
set(tool_arguments "")
set(completions "")
set(tool_depends ${CMAKE_CURRENT_SOURCE_DIR}/packages/tool_help.py)
set(man_depends ${CMAKE_CURRENT_SOURCE_DIR}/packages/man.py)
foreach(tool thermocline thermo-profdata thermo-lto thermo-backend)
  if(TARGET ${tool})
    list(APPEND tool_arguments --tool ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}/${tool})
    list(APPEND completions ${CMAKE_CURRENT_BINARY_DIR}/packages/completion/bash/${tool}
      ${CMAKE_CURRENT_BINARY_DIR}/packages/completion/zsh/_${tool})
    list(APPEND man_pages ${CMAKE_CURRENT_BINARY_DIR}/packages/man/${tool}.1)
    list(APPEND tool_depends ${tool})
  endif()
endforeach()
foreach(config ${configs})
  set(file ${CMAKE_CURRENT_BINARY_DIR}/config/install/thermocline-${config}.cfg)
  list(APPEND man_arguments --config ${file})
  list(APPEND man_pages ${CMAKE_CURRENT_BINARY_DIR}/packages/man/thermocline-${config}.cfg.5)
  list(APPEND man_depends ${file})
endforeach()
# Tools for another architecture run by what CMake runs its programs with.
string(REPLACE ";" "$<SEMICOLON>" emulator "${CMAKE_CROSSCOMPILING_EMULATOR}")
set(ask ${CMAKE_COMMAND} -E env "THERMOCLINE_EMULATOR=${emulator}" ${Python3_EXECUTABLE})
add_custom_command(OUTPUT ${man_pages}
  COMMAND ${ask} ${CMAKE_CURRENT_SOURCE_DIR}/packages/man.py
          --output ${CMAKE_CURRENT_BINARY_DIR}/packages/man --version ${PROJECT_VERSION}
          ${tool_arguments} ${man_arguments}
  DEPENDS ${tool_depends} ${man_depends} COMMENT "Writing the manual pages" VERBATIM)
add_custom_command(OUTPUT ${completions}
  COMMAND ${ask} ${CMAKE_CURRENT_SOURCE_DIR}/packages/completion.py
          --bash ${CMAKE_CURRENT_BINARY_DIR}/packages/completion/bash
          --zsh ${CMAKE_CURRENT_BINARY_DIR}/packages/completion/zsh ${tool_arguments}
  DEPENDS ${tool_depends} ${CMAKE_CURRENT_SOURCE_DIR}/packages/completion.py
  COMMENT "Writing completions" VERBATIM)
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/packages/completion/bash/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/packages/completion/zsh/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
add_custom_target(thermocline_man ALL DEPENDS ${man_pages} ${completions})
thermocline_test_depends(thermocline_man)
foreach(section 1 5)
  set(of_section ${man_pages})
  list(FILTER of_section INCLUDE REGEX "\\.${section}$")
  install(FILES ${of_section} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT tools)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools)
# The notices of jemalloc and LLVM, whose code is in what is installed, go with each part;
# with packages goes what Debian's policy asks of them.
include(ThermoclinePackageFacts)
set(packages thermocline libthermocline libthermocline-dev)
set(components tools runtime development)
foreach(package component IN ZIP_LISTS packages components)
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES packages/copyright DESTINATION ${doc} COMPONENT ${component})
  if(component STREQUAL "tools")
    set(component clang) # Only packages have that.
  endif()
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/packages/changelog DESTINATION ${doc}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES packages/lintian/${package} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

set(CPACK_COMPONENTS_ALL tools clang runtime development)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENT_TOOLS_GROUP tools)
set(CPACK_COMPONENT_CLANG_GROUP tools)
set(CPACK_COMPONENT_RUNTIME_GROUP runtime)
set(CPACK_COMPONENT_DEVELOPMENT_GROUP development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME thermocline)
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION_SUMMARY}: tools, linker, plug-ins
${CPACK_PACKAGE_DESCRIPTION}")
# The plug-in is loaded by this clang and no other.
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS
  "clang-22 (>= 1:22.1), clang-22 (<< 1:22.2~), libthermocline-dev (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libthermocline)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION_SUMMARY}: shared libraries
The allocator with a cold heap, and the runtimes that take heap profiles.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libthermocline-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libthermocline (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION_SUMMARY}: development files
Headers, static libraries, a CMake package and files for pkg-config.")
# What dpkg says of this machine does not hold of packages for another. The sysroot has Debian's
# list of the packages in it (scripts/aarch64-packages.sh), by which those are found on which
# ours depend.
set(CPACK_THERMOCLINE_STRIP strip)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_THERMOCLINE_STRIP ${CMAKE_STRIP})
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${THERMOCLINE_DEBIAN_ARCHITECTURE})
  set(CPACK_THERMOCLINE_PACKAGES ${CMAKE_SYSROOT}/var/lib/dpkg)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
    ${CMAKE_SYSROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE}
    ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/packages/Stage.cmake)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/packages/CPackOptions.cmake)
include(CPack)
