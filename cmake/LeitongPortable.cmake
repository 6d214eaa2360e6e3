# What scripts/package and scripts/python ship for any Linux with glibc 2.28: the objects of this build, linked once more by
# scripts/link-portable into build/<preset>/portable. The target leitong_portable; scripts/static-libraries comes before it.

set(static_libraries "${PROJECT_SOURCE_DIR}/.deps/static")
if(CMAKE_CROSSCOMPILING)
  string(APPEND static_libraries "-${CMAKE_SYSTEM_PROCESSOR}")
endif()

# leitong_portable(output OBJECTS target.. LIBRARIES target.. [OPTIONS option..]): OPTIONS are those of scripts/link-portable.
function(leitong_portable output)
  cmake_parse_arguments(PARSE_ARGV 1 of "" "" "OBJECTS;LIBRARIES;OPTIONS")
  set(output "${CMAKE_BINARY_DIR}/portable/${output}")
  set(link "${PROJECT_SOURCE_DIR}/scripts/link-portable")
  set(files "")
  foreach(target IN LISTS of_OBJECTS)
    list(APPEND files "$<TARGET_OBJECTS:${target}>")
  endforeach()
  foreach(target IN LISTS of_LIBRARIES)
    list(APPEND files "$<TARGET_FILE:${target}>")
  endforeach()
  cmake_path(GET output PARENT_PATH folder)
  add_custom_command(OUTPUT "${output}" VERBATIM COMMAND_EXPAND_LISTS
    DEPENDS ${of_OBJECTS} ${of_LIBRARIES} "${link}" "${static_libraries}/made-of"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND "${link}" ${of_OPTIONS} "${output}" ${files})
  set_property(GLOBAL APPEND PROPERTY LEITONG_PORTABLE "${output}")
endfunction()

leitong_portable(bin/leitong OBJECTS leitong_cli LIBRARIES leitong_server leitong)
if(TARGET leitong_arrow)
  leitong_portable(lib/leitong-arrow/libleitong_arrow.so OBJECTS leitong_arrow
    OPTIONS --export leitong_table_files --loads "${arrow_library}" --loads "${parquet_library}")
endif()
if(TARGET leitong_hbase)
  leitong_portable(lib/leitong-hbase/libleitong_hbase.so OBJECTS leitong_hbase leitong_hbase_home leitong_hbase_thrift LIBRARIES leitong
    OPTIONS --export leitong_hbase_homes)
endif()
# For wheels, which have the command in the Python module (python/CMakeLists.txt): what it is made of, one file a line.
file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/portable/command.txt"
  CONTENT "$<JOIN:$<TARGET_OBJECTS:leitong_cli>,\n>\n$<TARGET_FILE:leitong_server>\n")
get_property(outputs GLOBAL PROPERTY LEITONG_PORTABLE)
add_custom_target(leitong_portable DEPENDS ${outputs})
