# BLAKE3's own C sources, which Debian ships inside the package of its Rust crate. Optional: without them --algorithm blake3 is there and
# says what is missing.
file(GLOB blake3_sources_found "/usr/share/cargo/registry/blake3-*/c/blake3.c")
list(APPEND blake3_sources_found "")
list(GET blake3_sources_found 0 blake3_first)
cmake_path(GET blake3_first PARENT_PATH blake3_default)
set(LEITONG_BLAKE3_DIR "${blake3_default}" CACHE PATH "BLAKE3's C sources (Debian: librust-blake3-dev)")

if(EXISTS "${LEITONG_BLAKE3_DIR}/blake3.c")
  enable_language(ASM)
  add_library(leitong_blake3 OBJECT "${LEITONG_BLAKE3_DIR}/blake3.c" "${LEITONG_BLAKE3_DIR}/blake3_dispatch.c"
    "${LEITONG_BLAKE3_DIR}/blake3_portable.c")
  target_compile_options(leitong_blake3 PRIVATE -w)
  if(LEITONG_X86_64)
    foreach(kernel IN ITEMS sse2 sse41 avx2 avx512)
      target_sources(leitong_blake3 PRIVATE "${LEITONG_BLAKE3_DIR}/blake3_${kernel}_x86-64_unix.S")
    endforeach()
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    target_sources(leitong_blake3 PRIVATE "${LEITONG_BLAKE3_DIR}/blake3_neon.c")
  endif()
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/signature/digest.cpp" PROPERTIES
    COMPILE_DEFINITIONS LEITONG_HAVE_BLAKE3
    COMPILE_OPTIONS "-isystem;${LEITONG_BLAKE3_DIR}")
else()
  message(STATUS "BLAKE3 not found: --algorithm blake3 will be unavailable (Debian: librust-blake3-dev)")
endif()
