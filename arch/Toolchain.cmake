# For an architecture that is not this machine's, by clang. The file Toolchain.cmake in its folder
# sets CMAKE_SYSTEM_PROCESSOR and CMAKE_LIBRARY_ARCHITECTURE, Debian's name of its libraries'
# folder, and includes this one.
#
# Without a sysroot, for builds of what is linked into programs (THERMOCLINE_RUNTIMES_ONLY):
# headers and libraries are those of Debian's cross packages, as g++-12-aarch64-linux-gnu and
# libc6-dev-arm64-cross. With CMAKE_SYSROOT, for builds of everything: it has Debian's packages
# for the architecture, unpacked, among them LLVM's.
set(CMAKE_SYSTEM_NAME Linux)
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET ${CMAKE_LIBRARY_ARCHITECTURE})
endforeach()
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_AR /usr/lib/llvm-22/bin/llvm-ar)
set(CMAKE_RANLIB /usr/lib/llvm-22/bin/llvm-ranlib)
set(CMAKE_STRIP /usr/lib/llvm-22/bin/llvm-strip)
if(NOT CMAKE_SYSROOT)
  set(CMAKE_FIND_ROOT_PATH /usr/${CMAKE_LIBRARY_ARCHITECTURE})
  # Beside those of this machine, where Debian has them, too.
  set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE} CACHE PATH
      "Where libraries are installed")
endif()
# Programs of this machine, nothing else of it.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
