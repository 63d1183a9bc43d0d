# What is linked into programs of another architecture, and config files that name it. The
# compiler's plugin and the linkers are those of a build for this machine, in
# THERMOCLINE_HOST_BUILD; installed, they are in the same prefix.

set(THERMOCLINE_HOST_BUILD "" CACHE PATH "A build of everything for this machine")
set(THERMOCLINE_LLVM_PREFIX /usr/lib/llvm-22 CACHE PATH "Where LLVM 22.1 is installed")
set(LLVM_INCLUDE_DIRS ${THERMOCLINE_LLVM_PREFIX}/include)
set(THERMOCLINE_LLVM_BIN ${THERMOCLINE_LLVM_PREFIX}/bin)
set(THERMOCLINE_HOST_LIBDIR lib CACHE STRING "CMAKE_INSTALL_LIBDIR of that build")

# Nothing here is sanitized or tested by itself.
function(thermocline_test_depends)
endfunction()

add_subdirectory(runtime)
add_subdirectory(config)
# Commands of the machine that compiles, which link for this target.
include(lto/plugin/Linkers.cmake)
set(target ${CMAKE_CXX_COMPILER_TARGET})
set(libexec ${CMAKE_BINARY_DIR}/${THERMOCLINE_LIBEXEC_DIR})
thermocline_plugin_linkers(${libexec} ${libexec} ${THERMOCLINE_HOST_BUILD}/lib ${target}-)
thermocline_plugin_linkers(${CMAKE_BINARY_DIR}/linkers /${THERMOCLINE_LIBEXEC_DIR}/${target}
  /${THERMOCLINE_HOST_LIBDIR}/thermocline ${target}-)
install(DIRECTORY ${CMAKE_BINARY_DIR}/linkers/
  DESTINATION ${THERMOCLINE_LIBEXEC_DIR}/${target} USE_SOURCE_PERMISSIONS)

add_custom_target(runtimes)
add_dependencies(runtimes thermocline_profile_runtime thermocline_profile_archive
  thermocline_profile_preload thermocline_hints thermocline_alloc_static
  thermocline_alloc_shared)

# A package for those who compile for this target on another machine, as Debian's cross
# packages are.
include(ThermoclinePackageFacts)
set(architecture ${THERMOCLINE_DEBIAN_ARCHITECTURE})
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_NAME thermocline-${architecture}-cross)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "thermocline (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "g++-12-${CMAKE_CXX_COMPILER_TARGET}, libc6-dev-${architecture}-cross")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"${CPACK_PACKAGE_DESCRIPTION_SUMMARY}: for programs of ${architecture}
The allocator with a cold heap, the runtimes that take heap profiles, and
config files, for programs of ${architecture} that are built on another machine.")
set(CPACK_THERMOCLINE_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/packages)
set(CPACK_THERMOCLINE_CHANGELOG ${CMAKE_CURRENT_BINARY_DIR}/packages/changelog)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/packages/StageCross.cmake)
include(CPack)
