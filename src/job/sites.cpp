#include "job/sites.hpp"

#include <libpsl.h>

#include <utility>

#include "base/try.hpp"
#include "job/field_values.hpp"

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
  value = trimmed(value);
  if (value.empty()) return {};
  const std::string_view host = host_of(value);
  if (host.size() == value.size() && !is_host(value)) return std::string(value);
  std::string name = lower(host);
  if (name.ends_with('.')) name.pop_back();
  if (name.find_first_not_of("0123456789.") == std::string::npos) return name;  // an IP address
  const char* domain = psl_registrable_domain(psl_builtin(), name.c_str());
  return domain == nullptr ? name : std::string(domain);
}

Result<ReadSites> read_sites(const Corpus& corpus, const std::string& field, const RunContext& run) {
  LEITONG_ASSIGN(FieldValues read, read_field_values(
                                       corpus, "site field", field, WithoutValue::own_values,
                                       [](const std::string& value) { return site_of(value); }, run));
  return ReadSites{std::move(read.numbers), read.without};
}

}  // namespace leitong
