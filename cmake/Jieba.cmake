# jieba's dictionaries, which segmentation models are compiled from, as scripts/fetch-jieba puts them into .deps/jieba; and cppjieba itself,
# which tests and benchmarks compare with and nothing else uses. Optional: without them what needs them says what is missing.
set(LEITONG_JIEBA_DIR "${PROJECT_SOURCE_DIR}/.deps/jieba" CACHE PATH "jieba's dict/ and cppjieba's include/ (scripts/fetch-jieba)")

# Programs of the build folder look there (src/io/data_folder.hpp). The link may point to nothing yet: dictionaries that are fetched later
# are found without another build.
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/share")
file(CREATE_LINK "${LEITONG_JIEBA_DIR}" "${CMAKE_BINARY_DIR}/share/leitong" SYMBOLIC)
if(NOT EXISTS "${LEITONG_JIEBA_DIR}/dict/jieba.dict.utf8")
  message(STATUS "jieba not found in ${LEITONG_JIEBA_DIR}: segmentation will be unavailable until ./dev setup has fetched it")
endif()
# A component of its own: cmake/LeitongPackages.cmake says why.
install(DIRECTORY "${LEITONG_JIEBA_DIR}/dict" DESTINATION share/leitong COMPONENT dictionary OPTIONAL
  FILES_MATCHING PATTERN "jieba.dict.utf8" PATTERN "hmm_model.utf8" PATTERN "idf.utf8" PATTERN "stop_words.utf8"
  PATTERN "pos_dict" EXCLUDE)
install(FILES "${LEITONG_JIEBA_DIR}/LICENSE.cppjieba" DESTINATION share/leitong/dict COMPONENT dictionary OPTIONAL)

# cppjieba for a test or a benchmark; LEITONG_HAVE_CPPJIEBA says that it is there.
if(EXISTS "${LEITONG_JIEBA_DIR}/include/cppjieba/Jieba.hpp")
  set(LEITONG_CPPJIEBA ON)
endif()
function(leitong_use_cppjieba target)
  if(LEITONG_CPPJIEBA)
    target_include_directories(${target} SYSTEM PRIVATE "${LEITONG_JIEBA_DIR}/include")
    target_compile_definitions(${target} PRIVATE LEITONG_HAVE_CPPJIEBA)
  endif()
endfunction()
