# thermocline_private_jemalloc(OUTPUT PREFIX SOURCE... [WRAP FUNCTION...] OTHER OTHERS [LAZY]): the
# path of one object file that holds Debian's static jemalloc, except its operator new and delete.
# The functions that heap/Jemalloc.h names get the prefix; every other symbol becomes local, so that
# a program may hold several, and gets the prefix, too (jemalloc/LocalNames.cmake). The sources are
# C. They define __wrap_FUNCTION, which jemalloc then calls in place of FUNCTION; and what
# jemalloc/Books.c defines, by which jemalloc gets memory for itself. OTHERS is the prefix of the
# one that jemalloc/OtherHeap.c asks. With LAZY it starts when it is called first, not before main.

find_library(THERMOCLINE_JEMALLOC_PIC jemalloc_pic REQUIRED
             DOC "Static, position-independent jemalloc 5.3")
find_path(THERMOCLINE_JEMALLOC_INCLUDE jemalloc/jemalloc.h REQUIRED)

# Debian's jemalloc has pages of this size, whatever those of the kernel are.
add_compile_definitions(THERMOCLINE_JEMALLOC_PAGE_BYTES=${THERMOCLINE_JEMALLOC_PAGE_BYTES})

function(thermocline_private_jemalloc output prefix)
  cmake_parse_arguments(PARSE_ARGV 2 own LAZY OTHER WRAP)
  set(used aligned_alloc calloc count_pages decay_pages flush_cache free mallctl malloc malloc_conf
      malloc_message malloc_usable_size mallocx posix_memalign purge_pages realloc
      leave_short_path prepare_long_path take_short_path)
  set(used_inside malloc_default sz_index2size_tab sz_size2index_tab tsd_tls)
  set(renames "")
  set(globals "")
  foreach(name ${used})
    string(APPEND renames "${name} ${prefix}${name}\n")
    string(APPEND globals "${prefix}${name}\n")
  endforeach()
  foreach(name ${used_inside})
    string(APPEND renames "je_${name} ${prefix}${name}\n")
    string(APPEND globals "${prefix}${name}\n")
  endforeach()
  foreach(name count_pages flush_cache purge_pages)
    string(APPEND renames "other_${name} ${own_OTHER}${name}\n")
  endforeach()
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${prefix}jemalloc)
  file(CONFIGURE OUTPUT ${dir}/renames.txt CONTENT "${renames}")
  file(CONFIGURE OUTPUT ${dir}/globals.txt CONTENT "${globals}")

  add_library(${prefix}replacement OBJECT ${own_UNPARSED_ARGUMENTS})
  thermocline_native_library(${prefix}replacement)
  target_compile_options(${prefix}replacement PRIVATE -fvisibility=hidden)
  set(replacement $<TARGET_OBJECTS:${prefix}replacement>)

  set(bin ${THERMOCLINE_LLVM_BIN})
  set(local_names ${CMAKE_CURRENT_SOURCE_DIR}/jemalloc/LocalNames.cmake)
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
    COMMAND ${CMAKE_COMMAND} -DNM=${bin}/llvm-nm -DOBJECT=${dir}/renamed.o -DPREFIX=${prefix}
            -DGLOBALS=${dir}/globals.txt -DOUTPUT=${dir}/locals.txt -P ${local_names}
    COMMAND ${bin}/llvm-objcopy --keep-global-symbols=${dir}/globals.txt
            --set-symbols-visibility=${dir}/globals.txt=hidden
            --redefine-syms=${dir}/locals.txt ${dir}/renamed.o ${dir}/jemalloc.o
    DEPENDS ${THERMOCLINE_JEMALLOC_PIC} ${prefix}replacement ${local_names}
            ${replacement} ${dir}/renames.txt ${dir}/globals.txt
    COMMENT "Making jemalloc private: ${prefix}" COMMAND_EXPAND_LISTS VERBATIM)
  set(${output} ${dir}/jemalloc.o PARENT_SCOPE)
endfunction()

# thermocline_short_path(OUTPUT PREFIX OPERATOR LONG_PATH NAME [PUBLIC_NAME]): the path of an object
# file with the function NAME, which takes memory of the jemalloc with that prefix from the calling
# thread's cache, and calls LONG_PATH where the cache cannot serve. OPERATOR is new if LONG_PATH may
# throw and never returns null, else new_nothrow. jemalloc/ShortPath.c says how.
function(thermocline_short_path output prefix operator long_path name)
  set(public ${ARGN})
  if(NOT TARGET thermocline_short_path)
    add_library(thermocline_short_path OBJECT jemalloc/ShortPath.c)
    thermocline_native_library(thermocline_short_path)
  endif()
  set(new _Znwm)
  set(new_nothrow _ZnwmRKSt9nothrow_t)
  set(new_fallback _Z13fallback_implILb0EEPvm)
  set(new_nothrow_fallback _Z13fallback_implILb1EEPvm)
  set(renames "${${operator}}.localalias ${name}\nje_malloc_default ${long_path}\n")
  string(APPEND renames "${${operator}_fallback} ${name}_otherwise\n")
  if(public)
    string(APPEND renames "${${operator}} ${public}\n")
  endif()
  foreach(used sz_index2size_tab sz_size2index_tab tsd_tls)
    string(APPEND renames "je_${used} ${prefix}${used}\n")
  endforeach()
  string(APPEND renames "je_opt_experimental_infallible_new thermocline_alloc_short_no\n")
  foreach(unneeded pthread_mutex_lock pthread_mutex_unlock _ZSt15set_new_handlerPFvvE)
    string(APPEND renames "${unneeded} thermocline_alloc_short_nothing\n")
  endforeach()
  foreach(unused aligned_alloc ffs free malloc sdallocx je_je_sdallocx_noflags
          je_safety_check_fail _Unwind_Resume _ZSt17__throw_bad_allocv
          _ZSt20__throw_system_errori _ZTISt9bad_alloc __cxa_begin_catch __cxa_end_catch
          __gxx_personality_v0)
    string(APPEND renames "${unused} thermocline_alloc_short_never\n")
  endforeach()
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${name})
  file(CONFIGURE OUTPUT ${dir}/renames.txt CONTENT "${renames}")
  list(TRANSFORM public PREPEND --keep-global-symbol=)
  set(bin ${THERMOCLINE_LLVM_BIN})
  add_custom_command(OUTPUT ${dir}/short.o
    COMMAND ${CMAKE_COMMAND} -E chdir ${dir} ${bin}/llvm-ar x ${THERMOCLINE_JEMALLOC_PIC}
            jemalloc_cpp.pic.o
    COMMAND ${bin}/llvm-objcopy --redefine-syms=${dir}/renames.txt
            --globalize-symbol=${${operator}}.localalias --set-section-alignment=.text=64
            ${dir}/jemalloc_cpp.pic.o ${dir}/renamed.o
    COMMAND ${bin}/ld.lld -r --force-group-allocation ${dir}/renamed.o
            $<TARGET_OBJECTS:thermocline_short_path> -o ${dir}/whole.o
    COMMAND ${bin}/llvm-objcopy --keep-global-symbol=${name} ${public} --weaken-symbol=_Znwm
            --discard-all --keep-symbol=${name}_otherwise
            --set-symbol-visibility=${name}=hidden ${dir}/whole.o ${dir}/short.o
    DEPENDS ${THERMOCLINE_JEMALLOC_PIC} thermocline_short_path
            $<TARGET_OBJECTS:thermocline_short_path> ${dir}/renames.txt
    COMMENT "Making a short path: ${name}" COMMAND_EXPAND_LISTS VERBATIM)
  set(${output} ${dir}/short.o PARENT_SCOPE)
endfunction()
