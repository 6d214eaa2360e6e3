# The home of the online index on HBase, a component of its own: its sources are not the program's. Optional: what is missing is Thrift's
# compiler and library; without the component hbase://.. is there and says how to get it.
pkg_check_modules(THRIFT thrift)
find_program(THRIFT_COMPILER thrift)
file(GLOB hbase_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/online/hbase/*.cpp")
# What the program itself knows of HBase: where an index is, and where the component is.
list(FILTER hbase_sources EXCLUDE REGEX "/(address|open)\\.cpp$")
set_source_files_properties(${hbase_sources} PROPERTIES HEADER_FILE_ONLY ON)
if(THRIFT_FOUND AND THRIFT_COMPILER)
  set(LEITONG_HAVE_HBASE ON)
else()
  message(STATUS "Thrift not found: an index on HBase will be unavailable (Debian: thrift-compiler libthrift-dev)")
endif()
