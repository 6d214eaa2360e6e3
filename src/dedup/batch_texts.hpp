// The ids and texts of a batch's documents, kept until the batch is committed.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/documents.hpp"

namespace leitong {

/// An item of stream_batches().
struct BatchTexts {
  std::unique_ptr<RecordBatch> batch;

  void parse(const DocumentSource& source, ReadScratch& scratch) {
    source.parse(*batch, scratch, [&](const DocumentText& document) {
      bytes_ += document.id;
      const std::size_t id_end = bytes_.size();
      bytes_ += document.text;
      ends_.push_back({id_end, bytes_.size()});
    });
  }
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] std::string_view id(std::size_t i) const noexcept {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1].text;
    return std::string_view(bytes_).substr(begin, ends_[i].id - begin);
  }
  [[nodiscard]] std::string_view text(std::size_t i) const noexcept {
    return std::string_view(bytes_).substr(ends_[i].id, ends_[i].text - ends_[i].id);
  }

 private:
  struct Ends {
    std::size_t id, text;
  };
  std::string bytes_;  // ids and texts, one after the other
  std::vector<Ends> ends_;
};

}  // namespace leitong
