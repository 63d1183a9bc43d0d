"""The rules that Bazel 4 has itself and asks for by this name. Debian's rules_cc is for a later
Bazel, and Bazel would fetch its own."""

cc_binary = native.cc_binary
cc_library = native.cc_library
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
