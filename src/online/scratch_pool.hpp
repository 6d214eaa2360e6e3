// Working space of threads that check texts.
#pragma once

#include "base/pool.hpp"
#include "online/check_text.hpp"

namespace leitong::online {

using ScratchPool = Pool<CheckScratch>;

}  // namespace leitong::online
