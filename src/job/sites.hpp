// Finds the site of a document.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "corpus/corpus.hpp"
#include "dedup/template/census.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The site that the value of a field names. For a URL ("https://news.example.com.cn/1.html") or a host it is
/// the registrable domain ("example.com.cn") by the list of public suffixes (publicsuffix.org, through
/// libpsl); if there is none (an address, a public suffix) it is the host. Any other value is its own site.
/// Empty if the value is.
[[nodiscard]] std::string site_of(std::string_view value);

struct ReadSites {
  Sites sites;
  std::uint64_t without = 0;  ///< documents without a value, each of which is a site of its own
};

/// The site of every document by the value of `field`. Reads all records again. Fails with invalid_argument
/// if no document has a value, or if the corpus was opened without the field.
Result<ReadSites> read_sites(const Corpus& corpus, const std::string& field, const RunContext& run);

}  // namespace leitong
