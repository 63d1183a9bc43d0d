# Fails the build if LLVM's own context disambiguation got into a program of
# ours, or if LLVM would write indexes without our checksum. Run after linking with -DMAP=, the link map, and -DPROGRAM=.

file(STRINGS ${MAP} members REGEX "MemProfContextDisambiguation\\.cpp\\.o" LIMIT_COUNT 1)
if(members)
  file(REMOVE ${PROGRAM})
  message(FATAL_ERROR "LLVM's own pass is linked into ${PROGRAM}: ${members}")
endif()
# The map must be one that would show it.
file(STRINGS ${MAP} hook REGEX "LLVMHook\\.cpp\\.o" LIMIT_COUNT 1)
file(STRINGS ${MAP} ipo REGEX "libLLVMipo\\.a\\(FunctionImport\\.cpp\\.o\\)" LIMIT_COUNT 1)
if(NOT hook OR NOT ipo)
  file(REMOVE ${PROGRAM})
  message(FATAL_ERROR "${MAP} does not show the parts of ${PROGRAM}")
endif()
# Nothing refers to these members of our libraries but calls that --wrap redirects.
file(STRINGS ${MAP} inputs REGEX "InputHook\\.cpp\\.o" LIMIT_COUNT 1)
if(NOT inputs)
  file(REMOVE ${PROGRAM})
  message(FATAL_ERROR "No module is annotated in a link by ${PROGRAM}: --wrap "
    "redirects no call of InputFile::create(), whose name may be another now")
endif()
file(STRINGS ${MAP} wrapped REGEX "IndexWriter\\.cpp\\.o" LIMIT_COUNT 1)
if(NOT wrapped)
  file(REMOVE ${PROGRAM})
  message(FATAL_ERROR "LLVM writes its indexes itself in ${PROGRAM}: --wrap "
    "redirects no call of writeIndexToFile(), whose name may be another now")
endif()
