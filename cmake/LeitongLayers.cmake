set_property(GLOBAL PROPERTY LEITONG_LAYERS "")

# The instruction sets that vector kernels are compiled for. src/base/cpu.cpp gets the same lists and runs a kernel only where all are there.
set(LEITONG_AVX2_FEATURES avx2 bmi bmi2 popcnt lzcnt)
set(LEITONG_AVX512_FEATURES avx512f avx512bw avx512vl avx512dq avx512vbmi avx512vbmi2 avx512vpopcntdq bmi bmi2 popcnt lzcnt)

# simde's functions do with another processor's instructions what AVX2 does. The results are equal to those of the plain loops; which are
# faster was never measured on hardware, so such kernels run only where LEITONG_SIMD=avx2 asks for them.
include(CMakeDependentOption)
cmake_dependent_option(LEITONG_SIMDE "Compile the AVX2 kernels for a processor that is not x86-64" OFF "NOT LEITONG_X86_64" OFF)
configure_file("${PROJECT_SOURCE_DIR}/src/base/kernel_families.hpp.in" "${CMAKE_BINARY_DIR}/generated/base/kernel_families.hpp")

# With it a build from nothing takes half the time: sources are compiled in batches, and each header is parsed once a batch. A change of one
# source compiles its batch again, so developers do better without.
option(LEITONG_UNITY "Compile the sources in batches" OFF)
if(LEITONG_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
  # A source sees the names of those before it in its batch, which are no faults. In a batch GCC 12 also takes moves within one
  # std::string for overlaps.
  add_compile_options(-Wno-shadow -Wno-subobject-linkage -Wno-restrict)
endif()

# What the layers are compiled and linked with.
set(LEITONG_LIBRARIES tl::expected fmt::fmt TBB::tbb Threads::Threads simdjson::simdjson nlohmann_json::nlohmann_json LibXml2::LibXml2
  ZLIB::ZLIB BZip2::BZip2 LibLZMA::LibLZMA ICU::uc ICU::i18n PkgConfig::ZSTD PkgConfig::UCHARDET PkgConfig::PSL PkgConfig::ROCKSDB
  OpenSSL::SSL OpenSSL::Crypto)

# leitong_layer(name): all of src/<name>, compiled once into an object library. Sources that end in _avx2.cpp or _avx512.cpp get that
# instruction set, and nothing else does: what ships runs on any x86-64.
function(leitong_layer name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${name}/*.cpp")
  if(LEITONG_SIMDE)
    set(avx2_flags "-I${PROJECT_SOURCE_DIR}/cmake/simde")
  else()
    list(TRANSFORM LEITONG_AVX2_FEATURES PREPEND "-m" OUTPUT_VARIABLE avx2_flags)
  endif()
  list(TRANSFORM LEITONG_AVX512_FEATURES PREPEND "-m" OUTPUT_VARIABLE avx512_flags)
  foreach(source IN LISTS sources)
    if(source MATCHES "_avx2\\.cpp$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${avx2_flags}")
    elseif(source MATCHES "_avx512\\.cpp$")
      # GCC 12 takes its own intrinsics' undefined lanes for a mistake of ours, hence the last one.
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS
        "${avx512_flags};$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-uninitialized>")
    elseif(source MATCHES "/base/cpu\\.cpp$")
      list(JOIN LEITONG_AVX2_FEATURES "," avx2_names)
      list(JOIN LEITONG_AVX512_FEATURES "," avx512_names)
      set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS
        "LEITONG_AVX2_FEATURES=\"${avx2_names}\";LEITONG_AVX512_FEATURES=\"${avx512_names}\"")
    endif()
  endforeach()
  if(NOT LEITONG_X86_64)
    list(FILTER sources EXCLUDE REGEX "_avx512\\.cpp$")
    if(NOT LEITONG_SIMDE)
      list(FILTER sources EXCLUDE REGEX "_avx2\\.cpp$")
    endif()
  endif()
  if(NOT sources)
    return()
  endif()
  add_library(leitong_${name} OBJECT ${sources})
  target_include_directories(leitong_${name} PUBLIC "${PROJECT_SOURCE_DIR}/include" PRIVATE "${PROJECT_SOURCE_DIR}/src" "${CMAKE_BINARY_DIR}/generated")
  target_link_libraries(leitong_${name} PRIVATE ${LEITONG_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY LEITONG_LAYERS ${name})
endfunction()

# leitong_tests(name [ALONE]): tests/<name>/*_test.cpp as one GoogleTest program, registered test by test. With ALONE it is linked with the
# layer of this name and the lower ones alone, so that nothing else need be compiled.
function(leitong_tests name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${name}/*.cpp")
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_include_directories(test_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests" "${CMAKE_BINARY_DIR}/generated")
  target_compile_options(test_${name} PRIVATE ${LEITONG_TEST_OPTIONS})
  target_link_libraries(test_${name} PRIVATE GTest::gmock GTest::gtest_main ${LEITONG_TEST_REFERENCES})
  if("ALONE" IN_LIST ARGN)
    get_property(layers GLOBAL PROPERTY LEITONG_LAYERS)
    list(FIND layers ${name} own)
    foreach(position RANGE ${own})
      list(GET layers ${position} layer)
      target_link_libraries(test_${name} PRIVATE leitong_${layer})
    endforeach()
    target_link_libraries(test_${name} PRIVATE $<TARGET_NAME_IF_EXISTS:leitong_blake3>)
  else()
    target_link_libraries(test_${name} PRIVATE leitong::leitong)
  endif()
  if(LEITONG_UNITY)
    # Tests give their helpers short names that a batch would bring together; they share GoogleTest's headers, compiled once.
    set_target_properties(test_${name} PROPERTIES UNITY_BUILD OFF)
    if(name STREQUAL "base")
      target_precompile_headers(test_base PRIVATE <algorithm> <filesystem> <functional> <map> <memory> <optional> <span> <string> <vector>
        <tl/expected.hpp> <gmock/gmock.h> <gtest/gtest.h>)
    else()
      target_precompile_headers(test_${name} REUSE_FROM test_base)
    endif()
  endif()
  # Tests that share an HBase or a Redis Cluster, which take seconds to start, are one test of CTest's (tests/CMakeLists.txt).
  gtest_discover_tests(test_${name} TEST_FILTER "-*HBase*:*hbase*:Homes/OnlineHome*/cluster*" PROPERTIES LABELS ${name} DISCOVERY_TIMEOUT 60 TIMEOUT 300)
endfunction()
