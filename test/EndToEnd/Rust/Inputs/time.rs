// Lets time pass where a program is profiled with test_clock.
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

mod time {
    extern "C" {
        fn dlsym(handle: *const u8, name: *const u8) -> *const u8;
    }
    pub fn pass() {
        unsafe {
            let symbol = dlsym(std::ptr::null(), b"__thermocline_pass_time\0".as_ptr());
            if !symbol.is_null() {
                let pass: extern "C" fn(u64) -> bool = std::mem::transmute(symbol);
                pass(1000);
            }
        }
    }
}
