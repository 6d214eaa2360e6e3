// The engine as users of the library see it.
#include "base/try.hpp"
#include "leitong/online.hpp"
#include "online/online_index.hpp"

namespace leitong::online {

class Index::Inside {
 public:
  std::unique_ptr<OnlineIndex> index;
};

std::string_view verdict_name(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::fresh:
      return "new";
    case Verdict::exact:
      return "exact";
    case Verdict::near:
      return "near";
    case Verdict::refused:
      return "refused";
  }
  return "refused";
}

Index::Index(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;
Index::~Index() = default;

Result<Index> Index::open(const Context& context, const std::filesystem::path& place,
                          const Settings& settings) {
  LEITONG_ASSIGN(auto index, OnlineIndex::open(context, place, settings));
  return Index(std::make_unique<Inside>(std::move(index)));
}
Result<std::vector<Answer>> Index::check(std::span<const std::string_view> texts) const {
  return inside_->index->check(texts);
}
Result<std::vector<Answer>> Index::check_and_add(std::span<const Text> texts) {
  return inside_->index->add(texts, Look::near);
}
Result<std::vector<Answer>> Index::add(std::span<const Text> texts) {
  return inside_->index->add(texts, Look::copies);
}
Result<bool> Index::remove(std::string_view id) { return inside_->index->remove(id); }
Result<std::optional<Stored>> Index::get(std::string_view id) const { return inside_->index->get(id); }
Result<Explanation> Index::explain(std::string_view text) const { return inside_->index->explain(text); }
Result<void> Index::verify() const { return inside_->index->verify(); }
Result<Figures> Index::figures() const { return inside_->index->figures(); }

Result<void> rebuild(const Context& context, const std::filesystem::path& place) {
  return OnlineIndex::rebuild(context, place);
}

}  // namespace leitong::online
