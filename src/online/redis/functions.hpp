// The functions that run on a Redis server.
#pragma once

#include <string>
#include <string_view>

namespace leitong::online {

/// In Lua, without the line that names the library; PREFIX stands for what their names begin with.
[[nodiscard]] std::string redis_functions();

/// Of these, the ones for indexes that compare texts (text_functions.cpp).
extern const std::string_view kRedisTextFunctions;

}  // namespace leitong::online
