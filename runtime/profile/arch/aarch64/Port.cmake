set(THERMOCLINE_LOADER ld-linux-aarch64.so.1)
