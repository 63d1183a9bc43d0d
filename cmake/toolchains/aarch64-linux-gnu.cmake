# For builds of what is linked into programs (THERMOCLINE_RUNTIMES_ONLY) for AArch64, by
# clang on a machine of another architecture. Headers and libraries are those of Debian's
# cross packages: g++-12-aarch64-linux-gnu, libc6-dev-arm64-cross.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Beside those of this machine, where Debian has them, too.
set(CMAKE_INSTALL_LIBDIR lib/aarch64-linux-gnu CACHE PATH "Where libraries are installed")
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
endforeach()
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_AR /usr/lib/llvm-22/bin/llvm-ar)
set(CMAKE_RANLIB /usr/lib/llvm-22/bin/llvm-ranlib)
# Programs of this machine, nothing else of it.
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
