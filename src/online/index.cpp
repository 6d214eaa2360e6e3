// The public class Index.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "leitong/online.hpp"
#include "online/exclusions.hpp"
#include "online/hbase/open.hpp"
#include "online/online_index.hpp"
#include "online/redis/address.hpp"
#include "online/redis/open.hpp"
#include "online/repair.hpp"
#include "online/server_address.hpp"
#include "online/shingle_scheme.hpp"

namespace leitong::online {

class Index::Impl {
 public:
  std::unique_ptr<Home> index;
};

namespace {

bool excludes(std::span<const Text> texts, const Wanted& wanted) {
  return !wanted.exclude.empty() ||
         std::ranges::any_of(texts, [](const Text& text) { return !text.base.empty(); });
}

Result<void> check_whole(std::span<const Text> texts, const Wanted& wanted) {
  if (!excludes(texts, wanted)) return {};
  return fail(ErrorCode::invalid_argument,
              "texts are added whole; check them with what is excluded first, and add them without",
              "exclude");
}

}  // namespace

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
    case Verdict::parts:
      return "parts";
  }
  return "refused";
}

Index::Index(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;
Index::~Index() = default;

Result<Index> Index::open(const Context& context, const std::filesystem::path& place,
                          const Settings& settings) {
  LEITONG_TRY(check_home(place.native()));
  if (is_on_server(place.native()) && settings.scheme == kReuseScheme)
    return fail(
        ErrorCode::unsupported,
        fmt::format("an index on a server has no scheme \"{}\"; make one in a folder, or choose another "
                    "scheme",
                    kReuseScheme),
        "scheme");
  std::unique_ptr<Home> home;
  if (is_redis(place.native())) {
    LEITONG_ASSIGN(home, open_redis(context, place.native(), settings));
  } else if (is_hbase(place.native())) {
    LEITONG_ASSIGN(home, open_hbase(context, place.native(), settings));
  } else {
    LEITONG_ASSIGN(home, OnlineIndex::open(context, place, settings));
  }
  return Index(std::make_unique<Impl>(std::move(home)));
}
Result<std::vector<Answer>> Index::check(std::span<const std::string_view> texts,
                                         const Wanted& wanted) const {
  std::vector<Text> asked(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) asked[i].text = texts[i];
  return check(asked, wanted);
}
Result<std::vector<Answer>> Index::check(std::span<const hamming::Fingerprint128> fingerprints,
                                         const Wanted& wanted) const {
  std::vector<Text> asked(fingerprints.size());
  for (std::size_t i = 0; i < fingerprints.size(); ++i) asked[i].fingerprint = fingerprints[i];
  return check(asked, wanted);
}
Result<std::vector<Answer>> Index::check(std::span<const Text> texts, const Wanted& wanted) const {
  if (!excludes(texts, wanted)) return impl_->index->check(texts, Look::near, wanted);
  LEITONG_ASSIGN(const Exclusions exclusions, exclusions_of(wanted));
  std::vector<std::string> counted;
  counted.reserve(texts.size());  // the texts are views of them
  std::vector<Text> asked(texts.begin(), texts.end());
  for (Text& text : asked) {
    LEITONG_ASSIGN(std::string rest, without_excluded(text, exclusions));
    text.text = counted.emplace_back(std::move(rest));
  }
  LEITONG_ASSIGN(std::vector<Answer> answers, impl_->index->check(asked, Look::near, wanted));
  if (exclusions.same_source) leave_own_source_out(texts, answers);
  return answers;
}
Result<std::vector<Answer>> Index::check_and_add(std::span<const Text> texts, const Wanted& wanted,
                                                 ExpectedVersion expected_version) {
  LEITONG_TRY(check_whole(texts, wanted));
  return impl_->index->add(texts, Look::near, wanted, expected_version);
}
Result<std::vector<Answer>> Index::add(std::span<const Text> texts, ExpectedVersion expected_version) {
  LEITONG_TRY(check_whole(texts, {}));
  return impl_->index->add(texts, Look::copies, {}, expected_version);
}
Result<bool> Index::remove(std::string_view id, ExpectedVersion expected_version) {
  LEITONG_ASSIGN(const std::uint64_t removed,
                 impl_->index->remove({.by = Which::By::id, .name = id}, expected_version));
  return removed > 0;
}
Result<bool> Index::begin(std::string_view source) { return impl_->index->begin(source); }
Result<Committed> Index::commit(std::string_view source) { return impl_->index->commit(source); }
Result<void> Index::rollback(std::string_view source) { return impl_->index->rollback(source); }
std::vector<std::string> Index::open_sources() const { return impl_->index->open_sources(); }
Result<std::uint64_t> Index::remove_source(std::string_view source) {
  return impl_->index->remove({.by = Which::By::source, .name = source}, {});
}
Result<std::uint64_t> Index::expire(Seconds before) {
  return impl_->index->remove({.by = Which::By::expiry, .before = before}, {});
}
Result<void> Index::for_each(const std::function<Result<void>(const Stored&)>& each) const {
  return impl_->index->for_each_stored(nullptr, each);
}
Result<void> Index::for_each_of(std::string_view source,
                                const std::function<Result<void>(const Stored&)>& each) const {
  const std::string name(source);
  return impl_->index->for_each_stored(&name, each);
}
Result<std::optional<Stored>> Index::get(std::string_view id) const { return impl_->index->get(id); }
Result<Changes> Index::changes(std::string_view since, const ChangesWanted& wanted) const {
  return impl_->index->changes(since, wanted);
}
Result<Explanation> Index::explain(std::string_view text) const { return impl_->index->explain(text); }
Result<void> Index::verify() const { return impl_->index->verify(); }
Result<Figures> Index::figures() const { return impl_->index->figures(); }
Result<void> Index::snapshot(const std::filesystem::path& folder) { return impl_->index->snapshot(folder); }
Result<void> Index::compact() { return impl_->index->compact(); }

Result<void> rebuild(const Context& context, const std::filesystem::path& place) {
  LEITONG_TRY(check_home(place.native()));
  if (is_on_server(place.native()))
    return fail(ErrorCode::unsupported,
                "an index on a server is not repaired; export its texts, and add them to another one");
  return repair_index(context, place);
}

}  // namespace leitong::online
