#include "online/hbase/home.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "online/answer.hpp"
#include "online/bytes.hpp"
#include "online/hbase/fingerprints.hpp"
#include "online/hbase/texts.hpp"

namespace leitong::online {
namespace {

// Rows, and texts, of a list that are read at once.
constexpr std::uint32_t kPage = 500;
// Bytes of compressed texts that are read at once.
constexpr std::size_t kBytesAtOnce = std::size_t{8} << 20;
// The most tries if other clients are faster.
constexpr unsigned kTries = 200;

}  // namespace

HBaseHome::HBaseHome(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription& index)
    : ServerHome(context, std::move(index.scheme), "HBase", link->address().shown()),
      link_(std::move(link)),
      wide_(index.wide),
      bits_(scheme_->spec().bits),
      width_(bits_ / 8),
      secret_(index.secret),
      commits_(*link_) {}

Result<std::vector<std::optional<HBaseText>>> HBaseHome::read(std::span<const std::string> ids) {
  std::vector<HBaseGet> gets;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].empty()) continue;
    gets.push_back({text_key(ids[i]), "s"});
    asked.push_back(i);
  }
  LEITONG_ASSIGN(const auto rows, link_->get(gets));
  std::vector<std::optional<HBaseText>> known(ids.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const HBaseCell& cell : rows[r]) {
      HBaseText& entry = known[asked[r]].emplace();
      if (!read_entry(cell.value, width_, entry) || entry.label.id != ids[asked[r]])
        return link_->not_understood("what is known of a text");
    }
  return known;
}
Result<std::vector<std::optional<HBaseText>>> HBaseHome::read(std::span<const HBaseName> names) {
  std::vector<std::string> ids;
  ids.reserve(names.size());
  for (const HBaseName& name : names) ids.push_back(name.id);
  return read(ids);
}

Result<std::vector<HBaseName>> HBaseHome::representatives(std::span<const ContentDigest* const> contents) {
  std::vector<HBaseGet> gets;
  for (const ContentDigest* content : contents) gets.push_back({content_key(*content), "h"});
  LEITONG_ASSIGN(const auto rows, link_->get(gets));
  std::vector<HBaseName> names(contents.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const HBaseCell& cell : rows[i])
      if (!read_name(cell.value, names[i])) return link_->not_understood("who holds a content");
  return names;
}

Result<std::vector<HBaseName>> HBaseHome::family_representatives(std::span<const HBaseText> texts) {
  std::vector<HBaseGet> gets;
  for (const HBaseText& text : texts) gets.push_back({family_key(text.first), "h"});
  LEITONG_ASSIGN(const auto rows, link_->get(gets));
  std::vector<HBaseName> names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    names.push_back(texts[i].first);
    for (const HBaseCell& cell : rows[i])
      if (!read_name(cell.value, names[i])) return link_->not_understood("who stands for a family");
  }
  return names;
}

std::vector<HBaseRow> HBaseHome::rows_of(const HBaseText& entry) const {
  const std::string name = bytes_of_name(entry.name());
  std::vector<HBaseRow> rows = {{arrival_key(entry.name()), {{"n", ""}}}};
  const auto list = [&](std::string key) { rows.push_back({std::move(key), {{"n", ""}}}); };
  if (!entry.label.source.empty()) list(source_key(entry.label.source) + entry.label.id);
  if (entry.label.expires) list(expiry_key(*entry.label.expires, entry.label.id));
  if (!entry.holds)
    list(copies_key(*entry.stamp.digest) + name);
  else if (entry.stamp.digest)
    rows.push_back({content_key(*entry.stamp.digest), {{"h", name}}});
  if (entry.holds && !entry.stands) list(members_key(entry.first) + name);
  if (entry.found()) std::ranges::move(postings(entry), std::back_inserter(rows));
  return rows;
}

Result<void> HBaseHome::change_index(const std::function<Result<bool>(HBaseChange&)>& work) {
  for (unsigned tries = 1; tries <= kTries; ++tries) {
    LEITONG_TRY(stop().check());
    LEITONG_ASSIGN(const HBaseMoment before, commits_.follow());
    HBaseChange change(before);
    const HBaseLink::Reads reads(*link_);
    LEITONG_ASSIGN(const bool changes, work(change));
    if (!changes) return {};
    LEITONG_ASSIGN(const bool done, commits_.commit(change, reads));
    if (done) return {};
    pause_after(tries);
  }
  return fail(ErrorCode::io, fmt::format("{}: other clients changed the index {} times while a change was "
                                         "worked out; try it again",
                                         link_->address().shown(), kTries));
}

Result<Figures> HBaseHome::figures() {
  LEITONG_ASSIGN(const HBaseMoment now, present_moment(*link_));
  const auto& [fresh, exact, near] = now.counts;
  Figures figures = figures_of(scheme_->spec(), fresh, near, exact);
  LEITONG_TRY(add_figures(figures));
  return figures;
}

// Stamps find copies, whatever scheme the index has.
Result<std::vector<CheckedText>> HBaseHome::stamped(std::span<const Text> texts, Look look,
                                                    const Wanted& wanted, bool to_be_added) {
  LEITONG_TRY(check_wanted(*scheme_, wanted));
  LEITONG_ASSIGN(std::vector<CheckedText> checked, prepared(texts, secret_, look, to_be_added));
  for (CheckedText& text : checked) {
    text.matches_wanted = wanted.matches;
    if (text.verdict != Verdict::refused && !text.stamp)
      text.stamp = Stamp{{}, content_digest(text.text, text.keys.units)};
  }
  return checked;
}

Result<std::vector<Answer>> HBaseHome::check(std::span<const Text> texts, Look look, const Wanted& wanted) {
  constexpr std::size_t kInPart = 256;
  LEITONG_ASSIGN(std::vector<CheckedText> checked, stamped(texts, look, wanted, false));
  std::vector<CheckedText*> asked;
  for (CheckedText& text : checked)
    if (text.verdict != Verdict::refused) asked.push_back(&text);
  std::vector<Answer> found;
  for (std::span<CheckedText* const> left = asked; !left.empty();) {
    const auto part = left.first(std::min(kInPart, left.size()));
    LEITONG_ASSIGN(std::vector<Answer> some, answers_of(part));
    for (const Answer& answer : some) checks_.count(answer.bounds);
    std::ranges::move(some, std::back_inserter(found));
    left = left.subspan(part.size());
  }
  std::vector<Answer> answers;
  for (auto next = found.begin(); const CheckedText& text : checked)
    answers.push_back(text.verdict == Verdict::refused ? answer_of(text) : std::move(*next++));
  if (wanted.passages) LEITONG_TRY(add_passages(texts, answers));
  return answers;
}

Result<std::vector<std::string>> HBaseHome::packed(std::span<const HBaseText> texts) {
  std::vector<std::string> all(texts.size());
  for (std::size_t first = 0; first < texts.size();) {
    std::vector<HBaseGet> gets;
    std::size_t end = first, bytes = 0;
    for (; end < texts.size() && bytes < kBytesAtOnce; ++end) {
      gets.push_back({text_key(texts[end].label.id), "t"});
      bytes += texts[end].packed_bytes;
    }
    LEITONG_ASSIGN(auto rows, link_->get(gets));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (HBaseCell& cell : rows[i]) all[first + i] = std::move(cell.value);
    first = end;
  }
  return all;
}

Result<std::vector<std::optional<Stored>>> HBaseHome::stored(std::span<const HBaseText> texts) {
  LEITONG_ASSIGN(const std::vector<HBaseName> names, family_representatives(texts));
  LEITONG_ASSIGN(std::vector<std::string> bytes, packed(texts));
  std::vector<std::optional<Stored>> all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const HBaseText& entry = texts[i];
    Row row = entry.row();
    row.stamp = entry.stamp;
    row.packed = std::move(bytes[i]);
    if (row.packed.size() != entry.packed_bytes) {
      // The text was removed meanwhile, or it is damaged.
      LEITONG_ASSIGN(const auto again, read(std::span(&row.id, 1)));
      if (is_named(again[0], entry.name())) return link_->not_understood("a text");
      all.emplace_back();
      continue;
    }
    const bool other = names[i].id != row.id;
    LEITONG_ASSIGN(all.emplace_back(), stored_of(std::move(row), other ? names[i].id : std::string()));
  }
  return all;
}

Result<std::vector<std::optional<Stored>>> HBaseHome::get_all(std::span<const std::string> ids) {
  LEITONG_ASSIGN(auto known, read(ids));
  std::vector<HBaseText> there;
  for (std::optional<HBaseText>& text : known)
    if (text) there.push_back(*std::move(text));
  LEITONG_ASSIGN(std::vector<std::optional<Stored>> found, stored(there));
  // The results in the order of the request.
  std::vector<std::optional<Stored>> all;
  for (auto next = found.begin(); const std::optional<HBaseText>& text : known)
    all.push_back(text ? std::move(*next++) : std::nullopt);
  return all;
}

Result<void> HBaseHome::each_of(std::string begin, const std::string& end, std::size_t behind,
                                const EachPage& each) {
  for (;;) {
    LEITONG_TRY(stop().check());
    LEITONG_ASSIGN(const auto pages, link_->scan({{begin, end, kPage}}));
    std::vector<std::string> listed;
    for (const HBaseRow& row : pages[0]) {
      if (row.key.size() <= behind) return link_->not_understood("a list");
      listed.push_back(row.key.substr(behind));
    }
    LEITONG_TRY(each(listed));
    if (pages[0].size() < kPage) return {};
    begin = pages[0].back().key + '\0';
  }
}

// Merges the parts, each of which is in order.
Result<void> HBaseHome::for_each_stored(const std::string* source, const EachStored& each) {
  struct Arrivals {
    std::string begin, end;
    std::vector<HBaseName> names;
    std::size_t at = 0;
    bool over = false;
  };
  std::array<Arrivals, kParts> parts;
  for (unsigned p = 0; p < kParts; ++p) {
    parts[p].begin = arrivals_part(p);
    parts[p].end = end_of(parts[p].begin);
  }
  const auto fill = [&](Arrivals& part) -> Result<void> {
    part.names.clear();
    part.at = 0;
    LEITONG_ASSIGN(const auto pages, link_->scan({{part.begin, part.end, kPage}}));
    for (const HBaseRow& row : pages[0])
      if (!read_name(std::string_view(row.key).substr(std::min(row.key.size(), kPartBytes)),
                     part.names.emplace_back()))
        return link_->not_understood("an arrival");
    part.over = pages[0].size() < kPage;
    if (!pages[0].empty()) part.begin = pages[0].back().key + '\0';
    return {};
  };
  for (bool any = true; any;) {
    std::vector<HBaseName> next;
    while (next.size() < kPage) {
      LEITONG_TRY(stop().check());
      Arrivals* first = nullptr;
      for (Arrivals& part : parts) {
        if (part.at == part.names.size() && !part.over) LEITONG_TRY(fill(part));
        if (part.at < part.names.size() &&
            (first == nullptr || part.names[part.at] < first->names[first->at]))
          first = &part;
      }
      if (first == nullptr) break;
      next.push_back(std::move(first->names[first->at++]));
    }
    any = !next.empty();
    LEITONG_ASSIGN(auto known, read(next));
    std::vector<HBaseText> wanted;
    for (std::size_t i = 0; i < known.size(); ++i)
      if (is_named(known[i], next[i]) && (source == nullptr || known[i]->label.source == *source))
        wanted.push_back(*std::move(known[i]));
    // As many texts at once as fit in memory.
    for (std::span<const HBaseText> left = wanted; !left.empty();) {
      std::size_t count = 0, bytes = 0;
      while (count < left.size() && bytes < 4 * kBytesAtOnce) bytes += left[count++].text_bytes;
      LEITONG_ASSIGN(const std::vector<std::optional<Stored>> texts, stored(left.first(count)));
      for (const std::optional<Stored>& text : texts)
        if (text) LEITONG_TRY(each(*text));
      left = left.subspan(count);
    }
  }
  return {};
}

// Texts that other clients add or remove meanwhile may be reported as damaged: then run it again.
Result<void> HBaseHome::verify() {
  std::vector<std::string> ids, texts;
  std::size_t bytes = 0;
  const auto check_some = [&]() -> Result<void> {
    LEITONG_TRY(verify_these(ids, texts));
    ids.clear();
    texts.clear();
    bytes = 0;
    return {};
  };
  LEITONG_TRY(for_each_stored(nullptr, [&](const Stored& text) -> Result<void> {
    ids.push_back(text.id);
    texts.push_back(text.text);
    bytes += text.text.size();
    if (ids.size() >= kPage || bytes >= kBytesAtOnce) return check_some();
    return {};
  }));
  return check_some();
}

Result<void> HBaseHome::verify_these(std::span<const std::string> ids, std::span<const std::string> texts) {
  LEITONG_ASSIGN(const auto known, read(ids));
  const auto damaged = [&](std::size_t i, std::string_view what) {
    return fail(ErrorCode::corrupt,
                fmt::format("{}: the text with the id \"{}\" {}", link_->address().shown(), ids[i], what));
  };
  // The cells that must exist, and the texts that they belong to.
  std::vector<HBaseGet> gets;
  std::vector<std::size_t> whose;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i]) continue;
    const HBaseText& entry = *known[i];
    LEITONG_ASSIGN(const std::string damage_of_text, damage(entry, texts[i]));
    if (!damage_of_text.empty()) return damaged(i, damage_of_text);
    if (entry.holds && entry.stamp.digest) gets.push_back({content_key(*entry.stamp.digest), "h"});
    if (entry.found())
      for (const HBaseRow& row : postings(entry)) gets.push_back({row.key, row.cells[0].column});
    whose.resize(gets.size(), i);
  }
  LEITONG_ASSIGN(const auto rows, link_->get(gets));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const bool by_content = gets[r].column == "h";
    HBaseName name;
    if (!rows[r].empty() && (!by_content || (read_name(rows[r][0].value, name) && name.id == ids[whose[r]])))
      continue;
    return damaged(whose[r], by_content   ? "isn't found by its content"
                             : bits_ == 0 ? "isn't found by a key of it"
                                          : "isn't found by its fingerprint");
  }
  return {};
}

Result<void> HBaseHome::snapshot(const std::filesystem::path&) {
  return not_here(
      "copies of an index on HBase are the server's affair (snapshot); its texts can be exported");
}

Result<std::unique_ptr<Home>> open_hbase_home(const Context& context, HBaseAddress address,
                                              HBaseConnect connect, const Settings& settings,
                                              const HBaseParts& parts) {
  auto link = std::make_unique<HBaseLink>(std::move(address), connect, settings.remote,
                                          StopToken(context.state().stop));
  LEITONG_ASSIGN(HBaseDescription index, describe(context, *link, settings, parts));
  if (index.scheme->spec().bits == 0)
    return std::make_unique<HBaseTexts>(context, std::move(link), std::move(index));
  return std::make_unique<HBaseFingerprints>(context, std::move(link), std::move(index));
}

}  // namespace leitong::online
