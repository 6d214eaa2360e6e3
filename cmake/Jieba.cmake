# jieba's dictionaries, which segmentation models are compiled from, as scripts/fetch-jieba puts them into .deps/jieba; and cppjieba itself,
# which tests and benchmarks compare with and nothing else uses. Optional: without them what needs them says what is missing.
set(LEITONG_JIEBA_DIR "${PROJECT_SOURCE_DIR}/.deps/jieba" CACHE PATH "jieba's dict/ and cppjieba's include/ (scripts/fetch-jieba)")

if(EXISTS "${LEITONG_JIEBA_DIR}/dict/jieba.dict.utf8")
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/io/data_folder.cpp" PROPERTIES
    COMPILE_DEFINITIONS "LEITONG_BUILD_DATA_DIR=\"${LEITONG_JIEBA_DIR}\"")
  install(DIRECTORY "${LEITONG_JIEBA_DIR}/dict" DESTINATION share/leitong COMPONENT command
    FILES_MATCHING PATTERN "jieba.dict.utf8" PATTERN "hmm_model.utf8" PATTERN "idf.utf8" PATTERN "stop_words.utf8"
    PATTERN "pos_dict" EXCLUDE)
  install(FILES "${LEITONG_JIEBA_DIR}/LICENSE.cppjieba" DESTINATION share/leitong/dict COMPONENT command)
else()
  message(STATUS "jieba not found in ${LEITONG_JIEBA_DIR}: segmentation will be unavailable (./dev setup fetches it)")
endif()

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
