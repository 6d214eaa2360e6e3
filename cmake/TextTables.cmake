# generated/{fold,normal,word}_table.inc: written once per build folder by tools/make_*_table.cpp from the machine's Unicode and OpenCC packages.
# Nothing of them is linked into leitong but ICU. They are the same for every machine, and a build for another one takes those of a build
# for this one.
set(LEITONG_TEXT_TABLES "" CACHE PATH "The folder generated/ of a build for this machine, when cross compiling")
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/generated")
if(CMAKE_CROSSCOMPILING)
  foreach(name IN ITEMS fold normal word)
    if(NOT EXISTS "${LEITONG_TEXT_TABLES}/${name}_table.inc")
      message(FATAL_ERROR "${name}_table.inc is missing: a build for another machine takes it from one for this machine. Build there the targets fold_table, normal_table and word_table, and set -DLEITONG_TEXT_TABLES=build/release/generated.")
    endif()
    configure_file("${LEITONG_TEXT_TABLES}/${name}_table.inc" "${CMAKE_BINARY_DIR}/generated/${name}_table.inc" COPYONLY)
  endforeach()
  return()
endif()
find_path(OPENCC_INCLUDE opencc.h PATH_SUFFIXES opencc)
find_library(OPENCC_LIBRARY opencc)
if(NOT OPENCC_INCLUDE OR NOT OPENCC_LIBRARY)
  message(FATAL_ERROR "OpenCC is missing: the tables take traditional characters from it. Install the Debian package libopencc-dev.")
endif()
find_file(UNIHAN_VARIANTS Unihan_Variants.txt.bz2 PATHS /usr/share/unicode NO_DEFAULT_PATH)
if(NOT UNIHAN_VARIANTS)
  message(FATAL_ERROR
    "Unihan_Variants.txt.bz2 is missing: the folding table takes variant characters from it. Install the Debian package unicode-data, or set -DUNIHAN_VARIANTS=FILE.")
endif()

# leitong_text_table(name argument..): generated/<name>_table.inc, written by tools/make_<name>_table.cpp.
function(leitong_text_table name)
  set(tool make_${name}_table)
  set(table "${CMAKE_BINARY_DIR}/generated/${name}_table.inc")
  add_executable(${tool} "${PROJECT_SOURCE_DIR}/tools/${tool}.cpp")
  target_include_directories(${tool} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include" "${OPENCC_INCLUDE}")
  target_link_libraries(${tool} PRIVATE ICU::uc ICU::i18n BZip2::BZip2 "${OPENCC_LIBRARY}")
  # A tool of the build is not what a sanitizer build examines, and OpenCC is not built for one.
  target_compile_options(${tool} PRIVATE -fno-sanitize=all)
  target_link_options(${tool} PRIVATE -fno-sanitize=all)
  add_custom_command(OUTPUT "${table}" COMMAND ${tool} ${ARGN} "${table}"
    DEPENDS ${tool} ${ARGN} COMMENT "Table of src/text: ${name}" VERBATIM)
  add_custom_target(${name}_table DEPENDS "${table}")
  # leitong_text is declared after this file is included.
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY \"${PROJECT_SOURCE_DIR}\" CALL add_dependencies leitong_text ${name}_table)")
endfunction()

leitong_text_table(fold "${UNIHAN_VARIANTS}")
leitong_text_table(normal)
leitong_text_table(word)
