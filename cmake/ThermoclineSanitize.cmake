# AddressSanitizer and UndefinedBehaviorSanitizer: see scripts/sanitize.sh.
#
# All of ours is sanitized but the runtimes, as they are part of a program below its
# allocator. The sanitizers' own runtime is a shared library: clang, opt and linkers
# that load a plugin of ours have it preloaded, by the commands of sanitizer-bin and
# sanitizer-llvm-bin, which tests take in place of the stock ones.

option(THERMOCLINE_SANITIZE "Build tools, plugins and unit tests with ASan and UBSan" OFF)

# Whether a target is sanitized. A folder sets the variable for those it makes.
define_property(TARGET PROPERTY THERMOCLINE_SANITIZED
  INITIALIZE_FROM_VARIABLE THERMOCLINE_SANITIZED)
set(THERMOCLINE_SANITIZED ${THERMOCLINE_SANITIZE})

# Checks of vptr would need type information that LLVM's classes do not export.
set(THERMOCLINE_SANITIZERS -fsanitize=address,undefined)
set(sanitized $<BOOL:$<TARGET_PROPERTY:THERMOCLINE_SANITIZED>>)
add_compile_options("$<${sanitized}:${THERMOCLINE_SANITIZERS};-fno-sanitize=vptr;-fno-sanitize-recover=all;-O1;-gline-tables-only;-fno-omit-frame-pointer>")

# What tests run as LLVM's tools.
set(THERMOCLINE_TEST_LLVM_BIN ${THERMOCLINE_LLVM_BIN})

# thermocline_host(NAME TEXT): NAME in the build is a script that may start programs
# that load our plugins.
function(thermocline_host name text)
  set(file ${CMAKE_BINARY_DIR}/${name})
  file(WRITE ${file} "#!/bin/sh\n${text}")
  file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()

if(THERMOCLINE_SANITIZE)
  # LLVM's libraries are not sanitized: their copies of BumpPtrAllocator's inline
  # functions do not unpoison what ours have poisoned. LLVM's tools end without freeing
  # what the process's end frees. Tests preload libraries that make calls fail. The signal
  # stack of a thread is LLVM's own, which the sanitizer would free when the thread ends.
  set(THERMOCLINE_ASAN_OPTIONS allow_user_poisoning=0:detect_leaks=0:verify_asan_link_order=0:use_sigaltstack=0)
  add_library(thermocline_sanitizer_options OBJECT
    ${CMAKE_CURRENT_LIST_DIR}/SanitizerOptions.c)
  set_target_properties(thermocline_sanitizer_options PROPERTIES
    THERMOCLINE_SANITIZED OFF
    COMPILE_DEFINITIONS THERMOCLINE_ASAN_OPTIONS="${THERMOCLINE_ASAN_OPTIONS}")

  execute_process(COMMAND ${CMAKE_CXX_COMPILER}
      -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
    OUTPUT_VARIABLE asan OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  cmake_path(GET asan PARENT_PATH asan_folder)
  add_link_options("$<${sanitized}:${THERMOCLINE_SANITIZERS};-shared-libasan;LINKER:-rpath,${asan_folder}>")

  set(THERMOCLINE_TEST_LLVM_BIN ${CMAKE_BINARY_DIR}/sanitizer-llvm-bin)
  file(GLOB programs RELATIVE ${THERMOCLINE_LLVM_BIN} ${THERMOCLINE_LLVM_BIN}/*)
  file(MAKE_DIRECTORY ${THERMOCLINE_TEST_LLVM_BIN})
  list(REMOVE_ITEM programs clang clang++ opt)
  foreach(program ${programs})
    file(CREATE_LINK ${THERMOCLINE_LLVM_BIN}/${program} ${THERMOCLINE_TEST_LLVM_BIN}/${program}
      SYMBOLIC)
  endforeach()
  set(preload "export LD_PRELOAD=${asan} ASAN_OPTIONS=${THERMOCLINE_ASAN_OPTIONS}\n")
  foreach(program clang clang++ opt)
    set(text "${preload}exec ${THERMOCLINE_LLVM_BIN}/${program} \"$@\"\n")
    thermocline_host(sanitizer-llvm-bin/${program} "${text}")
    thermocline_host(sanitizer-bin/${program}-22 "${text}")
  endforeach()
  foreach(linker bfd gold mold)
    find_program(THERMOCLINE_LD_${linker} ld.${linker} REQUIRED)
    set(run_${linker} "${preload}exec ${THERMOCLINE_LD_${linker}} \"$@\"\n")
  endforeach()
  # With the runtime preloaded, mold's own malloc is called before it is ready: gold
  # stands in for it where our plugin is to be loaded.
  string(CONCAT run_mold "case \"$*\" in *ThermoclineLTO.so*) ${run_gold};; esac\n"
    "export LD_PRELOAD=\nexec ${THERMOCLINE_LD_mold} \"$@\"\n")
  foreach(linker bfd gold mold)
    thermocline_host(sanitizer-bin/ld.${linker} "${run_${linker}}")
  endforeach()
  thermocline_host(sanitizer-bin/mold "${run_mold}")
endif()
