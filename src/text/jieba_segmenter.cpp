#include "text/jieba_cutter.hpp"
#include "text/segment/chunks.hpp"
#include "text/segmenter.hpp"

namespace leitong {
namespace {

class JiebaSegmenter final : public Segmenter {
 public:
  explicit JiebaSegmenter(std::shared_ptr<const SegmentModel> model) : cutter_(std::move(model)) {}

  void segment(std::string_view utf8, const WordFn& each_word) const override {
    thread_local CutScratch scratch;
    PodVector<std::uint32_t>& starts = scratch.starts;
    starts.clear();
    cutter_.cut(utf8, true, scratch, starts);
    starts.push_back(static_cast<std::uint32_t>(utf8.size()));
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
      // No word ends with a separator.
      if (!follows_separator(utf8, starts[i + 1]))
        each_word(utf8.substr(starts[i], starts[i + 1] - starts[i]));
  }

 private:
  JiebaCutter cutter_;
};

}  // namespace

std::unique_ptr<const Segmenter> make_jieba_segmenter(std::shared_ptr<const SegmentModel> model) {
  return std::make_unique<const JiebaSegmenter>(std::move(model));
}

}  // namespace leitong
