# cmake -DNM=... -DOBJECT=FILE -DPREFIX=... -DGLOBALS=FILE -DOUTPUT=FILE -P LocalNames.cmake: writes
# for llvm-objcopy --redefine-syms how symbols of the object that become local get the prefix, but
# for those that GLOBALS lists. A program has two jemallocs, and tools that go by names, as BOLT
# and profilers do, take a function of one for that of the other if both have one name.

execute_process(COMMAND ${NM} --defined-only --format=just-symbols ${OBJECT}
                OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${GLOBALS} globals)
string(REGEX MATCHALL "[^\n]+" names "${names}")
list(REMOVE_DUPLICATES names)
list(REMOVE_ITEM names ${globals})
set(renames "")
foreach(name IN LISTS names)
  # Sections and what assemblers make are known by their place.
  if(name MATCHES "^[A-Za-z_]")
    string(APPEND renames "${name} ${PREFIX}${name}\n")
  endif()
endforeach()
file(WRITE ${OUTPUT} "${renames}")
