# thermocline_private_jemalloc(OUTPUT PREFIX SOURCE... [WRAP FUNCTION...] [LAZY]): the path of one
# object file that holds Debian's static jemalloc, except its operator new and delete. The functions
# that heap/Jemalloc.h names get the prefix; every other symbol becomes local, so that a program may
# hold several. The sources are C. They define __wrap_FUNCTION, which jemalloc then calls in place of
# FUNCTION; and what heap/JemallocBooks.c defines, by which jemalloc gets memory for itself. With
# LAZY it starts when it is called first, not before main.

find_library(THERMOCLINE_JEMALLOC_PIC jemalloc_pic REQUIRED
             DOC "Static, position-independent jemalloc 5.3")
find_path(THERMOCLINE_JEMALLOC_INCLUDE jemalloc/jemalloc.h REQUIRED)

function(thermocline_private_jemalloc output prefix)
  cmake_parse_arguments(PARSE_ARGV 2 own LAZY "" WRAP)
  set(used aligned_alloc calloc free mallctl malloc malloc_conf malloc_message
      malloc_usable_size posix_memalign realloc)
  set(renames "")
  set(globals "")
  foreach(name ${used})
    string(APPEND renames "${name} ${prefix}${name}\n")
    string(APPEND globals "${prefix}${name}\n")
  endforeach()
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${prefix}jemalloc)
  file(CONFIGURE OUTPUT ${dir}/renames.txt CONTENT "${renames}")
  file(CONFIGURE OUTPUT ${dir}/globals.txt CONTENT "${globals}")

  add_library(${prefix}replacement OBJECT ${own_UNPARSED_ARGUMENTS})
  thermocline_native_library(${prefix}replacement)
  target_compile_options(${prefix}replacement PRIVATE -fvisibility=hidden)
  set(replacement $<TARGET_OBJECTS:${prefix}replacement>)

  set(bin ${THERMOCLINE_LLVM_BIN})
  set(wraps ${own_WRAP})
  list(TRANSFORM wraps PREPEND --wrap=)
  set(start "")
  if(own_LAZY)
    set(start --remove-section=.init_array)
  endif()
  add_custom_command(OUTPUT ${dir}/jemalloc.o
    COMMAND ${CMAKE_COMMAND} -E copy ${THERMOCLINE_JEMALLOC_PIC} ${dir}/copy.a
    COMMAND ${bin}/llvm-ar d ${dir}/copy.a jemalloc_cpp.pic.o
    COMMAND ${CMAKE_COMMAND} -E chdir ${dir} ${bin}/llvm-ar x copy.a base.pic.o
    COMMAND ${bin}/llvm-objcopy --redefine-sym=je_extent_alloc_mmap=thermocline_alloc_map_books
            --redefine-sym=je_extent_dalloc_mmap=thermocline_alloc_unmap_books ${dir}/base.pic.o
    COMMAND ${bin}/llvm-ar r ${dir}/copy.a ${dir}/base.pic.o
    COMMAND ${bin}/ld.lld -r --whole-archive ${dir}/copy.a ${replacement} ${wraps}
            -o ${dir}/whole.o
    COMMAND ${bin}/llvm-objcopy --redefine-syms=${dir}/renames.txt ${start}
            ${dir}/whole.o ${dir}/renamed.o
    COMMAND ${bin}/llvm-objcopy --keep-global-symbols=${dir}/globals.txt
            --set-symbols-visibility=${dir}/globals.txt=hidden
            ${dir}/renamed.o ${dir}/jemalloc.o
    DEPENDS ${THERMOCLINE_JEMALLOC_PIC} ${prefix}replacement
            ${replacement} ${dir}/renames.txt ${dir}/globals.txt
    COMMENT "Making jemalloc private: ${prefix}" COMMAND_EXPAND_LISTS VERBATIM)
  set(${output} ${dir}/jemalloc.o PARENT_SCOPE)
endfunction()
