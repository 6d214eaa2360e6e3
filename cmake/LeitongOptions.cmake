set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
# -O3 with line tables: backtraces and profiles of what ships, at a tenth of the size of full debug information.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O3 -g1 -DNDEBUG")
# The same floating-point results on every machine and compiler level.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers -ffp-contract=off)
set(LEITONG_X86_64 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(LEITONG_X86_64 ON)
else()
  add_compile_options(-fsigned-char)  # as x86-64 has it: on ARM, char has no sign
endif()

set(LEITONG_SANITIZE "" CACHE STRING "Sanitizers, as in -fsanitize=")
option(LEITONG_FUZZ "Build the libFuzzer targets (clang)" OFF)
if(LEITONG_SANITIZE)
  # Such a build runs once or twice: -O3 would take twice the compiler's time.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -DNDEBUG")
  add_compile_options(-fsanitize=${LEITONG_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${LEITONG_SANITIZE})
endif()
# A test is compiled more often than it runs: a third of the compiler's time is saved, and a tenth more without line tables. A failure names
# its line by itself; a sanitizer's report needs them.
set(LEITONG_TEST_OPTIONS -O1)
if(NOT LEITONG_SANITIZE)
  list(APPEND LEITONG_TEST_OPTIONS -g0)
endif()
if(LEITONG_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD AND NOT CMAKE_CROSSCOMPILING)  # a compiler for another machine does not find it
  add_link_options(-fuse-ld=mold)
endif()
