# The home of the online index on Redis. Optional: without the client's library redis://.. is there and says what is missing.
pkg_check_modules(HIREDIS IMPORTED_TARGET hiredis)
set(redis_sources "${PROJECT_SOURCE_DIR}/src/online/redis/functions.cpp" "${PROJECT_SOURCE_DIR}/src/online/redis/link.cpp"
  "${PROJECT_SOURCE_DIR}/src/online/redis/redis_index.cpp")
if(HIREDIS_FOUND)
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/online/redis/open.cpp" PROPERTIES COMPILE_DEFINITIONS LEITONG_REDIS)
else()
  set_source_files_properties(${redis_sources} PROPERTIES HEADER_FILE_ONLY ON)
  message(STATUS "hiredis not found: an index on Redis will be unavailable (Debian: libhiredis-dev)")
endif()
