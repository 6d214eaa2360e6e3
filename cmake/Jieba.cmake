# cppjieba, the word segmenter of --method simhash, as scripts/fetch-jieba puts it into .deps/jieba. Optional: without it the method is there
# and says what is missing.
set(LEITONG_JIEBA_DIR "${PROJECT_SOURCE_DIR}/.deps/jieba" CACHE PATH "cppjieba's include/ and dict/ (scripts/fetch-jieba)")

if(EXISTS "${LEITONG_JIEBA_DIR}/include/cppjieba/MixSegment.hpp")
  # These headers warn; they are seen by one file only.
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/text/jieba_segmenter.cpp" PROPERTIES
    COMPILE_DEFINITIONS LEITONG_HAVE_JIEBA
    COMPILE_OPTIONS "-isystem;${LEITONG_JIEBA_DIR}/include")
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/base/data_folder.cpp" PROPERTIES
    COMPILE_DEFINITIONS "LEITONG_BUILD_DATA_DIR=\"${LEITONG_JIEBA_DIR}\"")
  install(DIRECTORY "${LEITONG_JIEBA_DIR}/dict" DESTINATION share/leitong COMPONENT command
    FILES_MATCHING PATTERN "jieba.dict.utf8" PATTERN "hmm_model.utf8" PATTERN "idf.utf8" PATTERN "stop_words.utf8"
    PATTERN "pos_dict" EXCLUDE)
  install(FILES "${LEITONG_JIEBA_DIR}/LICENSE.cppjieba" DESTINATION share/leitong/dict COMPONENT command)
else()
  message(STATUS "jieba not found in ${LEITONG_JIEBA_DIR}: --method simhash will be unavailable (./dev setup fetches it)")
endif()
