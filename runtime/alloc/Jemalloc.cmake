# thermocline_private_jemalloc(OUTPUT): the path of one object file that holds
# Debian's static jemalloc, except its operator new and delete and the functions
# that heap/JemallocWithoutMemory.c replaces. The functions
# that heap/Jemalloc.h names get the prefix thermocline_je_; every other symbol
# becomes local.

find_library(THERMOCLINE_JEMALLOC_PIC jemalloc_pic REQUIRED
             DOC "Static, position-independent jemalloc 5.3")
find_path(THERMOCLINE_JEMALLOC_INCLUDE jemalloc/jemalloc.h REQUIRED)

function(thermocline_private_jemalloc output)
  set(used aligned_alloc calloc dallocx free mallctl malloc malloc_conf malloc_usable_size
      mallocx posix_memalign rallocx realloc)
  set(renames "")
  set(globals "")
  foreach(name ${used})
    string(APPEND renames "${name} thermocline_je_${name}\n")
    string(APPEND globals "thermocline_je_${name}\n")
  endforeach()
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/jemalloc)
  file(CONFIGURE OUTPUT ${dir}/renames.txt CONTENT "${renames}")
  file(CONFIGURE OUTPUT ${dir}/globals.txt CONTENT "${globals}")

  add_library(thermocline_jemalloc_replacement OBJECT heap/JemallocWithoutMemory.c)
  thermocline_native_library(thermocline_jemalloc_replacement)
  target_compile_options(thermocline_jemalloc_replacement PRIVATE -fvisibility=hidden)
  set(replacement $<TARGET_OBJECTS:thermocline_jemalloc_replacement>)

  set(bin ${THERMOCLINE_LLVM_BIN})
  add_custom_command(OUTPUT ${dir}/jemalloc.o
    COMMAND ${CMAKE_COMMAND} -E copy ${THERMOCLINE_JEMALLOC_PIC} ${dir}/copy.a
    COMMAND ${bin}/llvm-ar d ${dir}/copy.a jemalloc_cpp.pic.o
    COMMAND ${bin}/ld.lld -r --whole-archive ${dir}/copy.a ${replacement}
            --wrap=je_pages_boot --wrap=je_tsd_tcache_enabled_data_init --wrap=mmap
            -o ${dir}/whole.o
    COMMAND ${bin}/llvm-objcopy --redefine-syms=${dir}/renames.txt
            ${dir}/whole.o ${dir}/renamed.o
    COMMAND ${bin}/llvm-objcopy --keep-global-symbols=${dir}/globals.txt
            --set-symbols-visibility=${dir}/globals.txt=hidden
            ${dir}/renamed.o ${dir}/jemalloc.o
    DEPENDS ${THERMOCLINE_JEMALLOC_PIC} thermocline_jemalloc_replacement
            ${replacement} ${dir}/renames.txt ${dir}/globals.txt
    COMMENT "Making jemalloc private" COMMAND_EXPAND_LISTS VERBATIM)
  set(${output} ${dir}/jemalloc.o PARENT_SCOPE)
endfunction()
