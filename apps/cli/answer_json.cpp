#include "answer_json.hpp"

#include "json_writer.hpp"

namespace leitong::cli {

std::string answer_json(std::string_view id, const online::Answer& answer) {
  std::string json;
  server::append_open_answer(json, id, answer);
  return json + "}";
}

}  // namespace leitong::cli
