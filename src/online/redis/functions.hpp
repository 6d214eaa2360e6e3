// The functions that run on a Redis server.
#pragma once

#include <string>
#include <string_view>

namespace leitong::online {

/// The source in Lua, without the line that names the library; PREFIX stands for the beginning of the names.
[[nodiscard]] std::string redis_functions();

/// The functions for indexes that compare texts (text_functions.cpp). redis_functions() includes them.
extern const std::string_view kRedisTextFunctions;
/// The functions that remove texts (removal_functions.cpp). redis_functions() has them at its end.
extern const std::string_view kRedisRemovalFunctions;

}  // namespace leitong::online
