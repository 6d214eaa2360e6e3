# The home of the online index on Redis. Optional: without the client's library redis://.. is there and says what is missing.
pkg_check_modules(HIREDIS IMPORTED_TARGET hiredis)
set(redis_sources adding_texts connection description excerpt fingerprints functions link redis_home removal_functions removing removing_texts reply
  row_bytes text_functions texts tls verifying)
list(TRANSFORM redis_sources PREPEND "${PROJECT_SOURCE_DIR}/src/online/redis/")
list(TRANSFORM redis_sources APPEND ".cpp")
if(HIREDIS_FOUND)
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/online/redis/open.cpp" PROPERTIES COMPILE_DEFINITIONS LEITONG_REDIS)
else()
  set_source_files_properties(${redis_sources} PROPERTIES HEADER_FILE_ONLY ON)
  message(STATUS "hiredis not found: an index on Redis will be unavailable (Debian: libhiredis-dev)")
endif()
