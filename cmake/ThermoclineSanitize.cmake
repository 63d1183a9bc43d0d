# AddressSanitizer and UndefinedBehaviorSanitizer: see scripts/sanitize.sh.
#
# Tools and unit tests are sanitized, with their libraries. The runtimes never are, as
# they are part of a program below its allocator, nor are the plugins, as clang and
# linkers without sanitizers load them: their libraries are built a second time, plain.

option(THERMOCLINE_SANITIZE "Build tools and unit tests with ASan and UBSan" OFF)

# What ends the names of targets that are not sanitized beside those that are.
set(THERMOCLINE_PLAIN "")
if(THERMOCLINE_SANITIZE)
  set(THERMOCLINE_PLAIN _plain)
endif()

# Whether a target is sanitized. A folder sets the variable for those it makes.
define_property(TARGET PROPERTY THERMOCLINE_SANITIZED
  INITIALIZE_FROM_VARIABLE THERMOCLINE_SANITIZED)
set(THERMOCLINE_SANITIZED ${THERMOCLINE_SANITIZE})

# Checks of vptr would need type information that LLVM's classes do not export.
set(THERMOCLINE_SANITIZERS -fsanitize=address,undefined)
set(sanitized $<BOOL:$<TARGET_PROPERTY:THERMOCLINE_SANITIZED>>)
add_compile_options("$<${sanitized}:${THERMOCLINE_SANITIZERS};-fno-sanitize=vptr;-fno-sanitize-recover=all;-O1;-gline-tables-only;-fno-omit-frame-pointer>")
add_link_options("$<${sanitized}:${THERMOCLINE_SANITIZERS}>")

if(THERMOCLINE_SANITIZE)
  add_library(thermocline_sanitizer_options OBJECT
    ${CMAKE_CURRENT_LIST_DIR}/SanitizerOptions.c)
  set_target_properties(thermocline_sanitizer_options PROPERTIES THERMOCLINE_SANITIZED OFF)
endif()

# thermocline_variant(RESULT TARGET): what ends the names of the libraries of
# ours that TARGET links.
function(thermocline_variant result target)
  get_target_property(is_sanitized ${target} THERMOCLINE_SANITIZED)
  if(is_sanitized)
    set(${result} "" PARENT_SCOPE)
  else()
    set(${result} "${THERMOCLINE_PLAIN}" PARENT_SCOPE)
  endif()
endfunction()
