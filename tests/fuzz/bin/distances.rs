#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| patch_ccd_fuzz::distances(bytes));
