set(THERMOCLINE_LOADER ld-linux-x86-64.so.2)
