#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| escaque_fuzz::viewer_frames(bytes));
