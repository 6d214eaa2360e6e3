# generated/fold_table.inc: written once per build folder by tools/make_fold_table.cpp from the machine's Unicode and OpenCC packages.
# Nothing of them is linked into leitong but ICU.
find_path(OPENCC_INCLUDE opencc.h PATH_SUFFIXES opencc)
find_library(OPENCC_LIBRARY opencc)
if(NOT OPENCC_INCLUDE OR NOT OPENCC_LIBRARY)
  message(FATAL_ERROR "OpenCC is missing: the folding table takes traditional characters from it. Install the Debian package libopencc-dev.")
endif()
find_file(UNIHAN_VARIANTS Unihan_Variants.txt.bz2 PATHS /usr/share/unicode NO_DEFAULT_PATH)
if(NOT UNIHAN_VARIANTS)
  message(FATAL_ERROR
    "Unihan_Variants.txt.bz2 is missing: the folding table takes variant characters from it. Install the Debian package unicode-data, or set -DUNIHAN_VARIANTS=FILE.")
endif()

add_executable(make_fold_table "${PROJECT_SOURCE_DIR}/tools/make_fold_table.cpp")
target_include_directories(make_fold_table PRIVATE "${PROJECT_SOURCE_DIR}/src" "${OPENCC_INCLUDE}")
target_link_libraries(make_fold_table PRIVATE ICU::uc BZip2::BZip2 "${OPENCC_LIBRARY}")
# A tool of the build is not what a sanitizer build examines, and OpenCC is not built for one.
target_compile_options(make_fold_table PRIVATE -fno-sanitize=all)
target_link_options(make_fold_table PRIVATE -fno-sanitize=all)

set(fold_table "${CMAKE_BINARY_DIR}/generated/fold_table.inc")
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/generated")
add_custom_command(OUTPUT "${fold_table}"
  COMMAND make_fold_table "${UNIHAN_VARIANTS}" "${fold_table}"
  DEPENDS make_fold_table "${UNIHAN_VARIANTS}" COMMENT "Folding table" VERBATIM)
add_custom_target(fold_table DEPENDS "${fold_table}")
# leitong_text is declared after this file is included.
cmake_language(DEFER CALL add_dependencies leitong_text fold_table)
