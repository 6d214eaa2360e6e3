# Arrow and Parquet for C++, as scripts/fetch-arrow puts them into .deps/arrow. Optional: what is built from them is a component of its own,
# which the program loads when it meets a Parquet or Arrow file; without it the program says what is missing.
set(LEITONG_ARROW_DIR "${PROJECT_SOURCE_DIR}/.deps/arrow" CACHE PATH "Arrow's include/ and lib/ (scripts/fetch-arrow)")
option(LEITONG_ARROW "Build the component that reads and writes Parquet and Arrow files, if Arrow is there" ON)

file(GLOB arrow_library "${LEITONG_ARROW_DIR}/lib/libarrow.so.*")
file(GLOB parquet_library "${LEITONG_ARROW_DIR}/lib/libparquet.so.*")
if(LEITONG_ARROW AND arrow_library AND parquet_library)
  set(LEITONG_HAVE_ARROW ON)
elseif(LEITONG_ARROW)
  message(STATUS "Arrow not found in ${LEITONG_ARROW_DIR}: Parquet and Arrow files will be unavailable until ./dev setup has fetched it and leitong is built again")
endif()
