#include "leitong/input.hpp"

#include "corpus/record_format.hpp"

namespace leitong {

std::vector<std::string> input_kinds() { return standard_formats().names(); }

}  // namespace leitong
