// The functions that run on a Redis server.
#pragma once

#include <string_view>

namespace leitong::online {

/// In Lua, without the line that names the library; PREFIX stands for what their names begin with.
extern const std::string_view kRedisFunctions;

}  // namespace leitong::online
