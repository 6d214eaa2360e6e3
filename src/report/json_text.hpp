// Writes JSON directly to a string, safe inside a script element.
#pragma once

#include <fmt/core.h>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "report/escape.hpp"

namespace leitong {

/// It writes the commas; the caller must match brackets and keys.
class JsonText {
 public:
  void open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
  }
  void close(char bracket) {
    out_ += bracket;
    first_ = false;
  }
  void key(std::string_view name) {
    value(name);
    out_ += ':';
    first_ = true;
  }
  void value(std::string_view text) {
    separate();
    append_json_in_script(text, out_);
  }
  void value(std::integral auto number) {
    separate();
    fmt::format_to(std::back_inserter(out_), "{}", number);
  }
  /// Four decimals, which is enough for a reader.
  void value(double number) {
    separate();
    fmt::format_to(std::back_inserter(out_), "{:.4f}", number);
  }
  /// A value that is already JSON.
  void raw(std::string_view json) {
    separate();
    out_ += json;
  }
  void field(std::string_view name, const auto& content) {
    key(name);
    value(content);
  }
  /// [a, b, ..] of values of different types.
  void tuple(const auto&... values) {
    open('[');
    (value(values), ...);
    close(']');
  }
  /// An array of what `each(item)` writes for the first `most` items.
  void list(const auto& items, std::size_t most, const auto& each) {
    open('[');
    for (const auto& item : items) {
      if (most-- == 0) break;
      each(item);
    }
    close(']');
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }

  std::string out_;
  bool first_ = true;
};

}  // namespace leitong
