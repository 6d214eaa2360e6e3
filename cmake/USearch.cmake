# USearch's header, as scripts/fetch-usearch puts it into .deps/usearch. Optional: without it an approximate search of vectors says what is
# missing.
set(LEITONG_USEARCH_DIR "${PROJECT_SOURCE_DIR}/.deps/usearch" CACHE PATH "USearch's include/ (scripts/fetch-usearch)")

if(EXISTS "${LEITONG_USEARCH_DIR}/include/usearch/index.hpp")
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/index/cosine/centres.cpp" PROPERTIES
    COMPILE_DEFINITIONS LEITONG_HAVE_USEARCH
    COMPILE_OPTIONS "-isystem;${LEITONG_USEARCH_DIR}/include;-O2")
else()
  message(STATUS "USearch not found in ${LEITONG_USEARCH_DIR}: an approximate search of vectors will be unavailable until ./dev setup has fetched it and leitong is built again")
endif()
