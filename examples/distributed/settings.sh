# Sourced by the examples. THERMOCLINE is where Thermocline is installed, or a
# build directory of it; OUT is where everything is made, and where all commands
# run: module names in an index are relative to it.
: "${THERMOCLINE:?set it to the prefix or the build directory of Thermocline}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
THERMOCLINE=$(cd "$THERMOCLINE" && pwd)
if [ -d "$THERMOCLINE/config" ]; then
  configs=$THERMOCLINE/config libraries=$THERMOCLINE/lib
else
  configs=$THERMOCLINE/share/thermocline libraries=$THERMOCLINE/lib/thermocline
fi
clang=${CLANG:-clang-22} clangxx=${CLANGXX:-clang++-22}
# Debug information without the folder of the build: the same bytes everywhere.
use="--config=$configs/thermocline-use.cfg -ffile-compilation-dir=."
linker=$THERMOCLINE/libexec/thermocline/ld.lld
backend=$THERMOCLINE/bin/thermo-backend
allocator=$libraries/libthermocline_alloc.a
program=$here/program
modules="main.cpp requests.cpp makers.cpp touch.cpp pool.c"
# What lld would compile modules with itself. A build that is not for a shared
# library may well use -fPIE.
backend_flags="-c -O2 -fpic -faddrsig -ffunction-sections -fdata-sections"

compiler() { # SOURCE: the compiler for it
  case $1 in
    *.c) echo "$clang" ;;
    *) echo "$clangxx" ;;
  esac
}
