#include "job/sites.hpp"

#define XXH_INLINE_ALL
#include <fmt/core.h>
#include <libpsl.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "job/missing_value.hpp"

namespace leitong {
namespace {

bool is_host(std::string_view text) {
  const std::size_t dot = text.find('.');
  return dot != std::string_view::npos && dot > 0 && dot + 1 < text.size() &&
         text.find_first_of(" \t/\\@") == std::string_view::npos;
}

/// The part of a URL that names the host; the text itself if it is no URL with an authority.
std::string_view host_of(std::string_view url) {
  std::size_t begin = url.find("://");
  if (begin == std::string_view::npos) {
    if (!url.starts_with("//")) return url;
    begin = 2;
  } else {
    begin += 3;
  }
  url.remove_prefix(begin);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const std::size_t at = url.rfind('@'); at != std::string_view::npos) url.remove_prefix(at + 1);
  if (url.starts_with('[')) return url.substr(0, url.find(']') + 1);  // an IPv6 address
  return url.substr(0, url.find(':'));
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

}  // namespace

std::string site_of(std::string_view value) {
  const std::size_t begin = value.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  value = value.substr(begin, value.find_last_not_of(" \t\r\n") - begin + 1);
  const std::string_view host = host_of(value);
  if (host.size() == value.size() && !is_host(value)) return std::string(value);
  std::string name = lower(host);
  if (name.ends_with('.')) name.pop_back();
  if (name.find_first_not_of("0123456789.") == std::string::npos) return name;  // an IP address
  const char* domain = psl_registrable_domain(psl_builtin(), name.c_str());
  return domain == nullptr ? name : std::string(domain);
}

Result<ReadSites> read_sites(const Corpus& corpus, const std::string& field, const RunContext& run) {
  std::vector<std::uint64_t> names(corpus.size());
  LEITONG_TRY(parallel_for_each(
      run.stop, names.size(), [&] { return corpus.new_scratch(); },
      [&](std::size_t i, std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
        LEITONG_ASSIGN(const std::string value, corpus.field(static_cast<DocId>(i), field, *scratch));
        const std::string site = site_of(value);
        names[i] = site.empty() ? 0 : std::max<std::uint64_t>(XXH3_64bits(site.data(), site.size()), 1);
        return {};
      }));
  const auto without = static_cast<std::uint64_t>(std::ranges::count(names, 0U));
  // If each document had a site of its own, the run would remove more than requested, so this is an error.
  if (without == names.size() && without > 0) return missing_value(corpus, "site field", field);
  std::vector<std::uint64_t> distinct = names;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Sites sites(names.size());
  auto next = static_cast<std::uint32_t>(distinct.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    sites[i] = names[i] == 0
                   ? next++
                   : static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), names[i]) -
                                                distinct.begin());
  return ReadSites{std::move(sites), without};
}

}  // namespace leitong
