set(THERMOCLINE_LOADER ld-linux-aarch64.so.1)
# The largest that a kernel may have, so that no page of the kernel holds parts of two.
set(THERMOCLINE_JEMALLOC_PAGE_BYTES 65536)
set(THERMOCLINE_DEBIAN_ARCHITECTURE arm64)
set(THERMOCLINE_LLVM_TARGET AArch64)
set(THERMOCLINE_TESTED "under emulators only (docs/aarch64.md)")
