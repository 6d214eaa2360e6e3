#include "config.hpp"

#include <arpa/inet.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0  // nothing is written
#include <toml++/toml.h>

#include "leitong/settings.hpp"
#include "problem.hpp"
#include "regular_file.hpp"

namespace leitong::server {
namespace {

/// A value, with what is needed to read it and for messages.
struct Value {
  const toml::node& node;
  const std::filesystem::path& folder;
  std::string name;  // "leitong.toml:3: limits.body"
};

tl::unexpected<Error> wrong(const Value& value, std::string_view expected) {
  return fail(ErrorCode::invalid_argument, fmt::format("{} has to be {}", value.name, expected));
}

template <class Number>
Result<void> set_whole(Number& to, const Value& value, std::int64_t low, std::int64_t high) {
  const auto number = value.node.value_exact<std::int64_t>();
  if (!number || *number < low || *number > high)
    return wrong(value, fmt::format("a whole number from {} to {}", low, high));
  to = static_cast<Number>(*number);
  return {};
}

/// Bytes, or "16 MB".
Result<void> set_bytes(std::uint64_t& to, const Value& value) {
  constexpr std::string_view kExpected = "a size such as \"16 MB\", at least 1 KB";
  if (const auto number = value.node.value_exact<std::int64_t>()) {
    if (*number < 1024) return wrong(value, kExpected);
    to = static_cast<std::uint64_t>(*number);
    return {};
  }
  const auto text = value.node.value_exact<std::string_view>();
  if (!text) return wrong(value, kExpected);
  std::uint64_t count = 0;
  const char* const end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data(), end, count);
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  const unsigned shift = unit == "KB" ? 10 : unit == "MB" ? 20 : unit == "GB" ? 30 : 0;
  if (error != std::errc() || shift == 0 || count == 0 || count > (std::uint64_t{1} << 40 >> shift))
    return wrong(value, kExpected);
  to = count << shift;
  return {};
}

Result<void> set_bool(bool& to, const Value& value) {
  const auto yes = value.node.value_exact<bool>();
  if (!yes) return wrong(value, "true or false");
  to = *yes;
  return {};
}

Result<void> set_path(std::filesystem::path& to, const Value& value) {
  const auto text = value.node.value_exact<std::string>();
  if (!text) return wrong(value, "a path");
  to = text->empty() ? std::filesystem::path() : value.folder / *text;
  return {};
}

/// A setting of the library.
Result<void> set_of_index(Config& config, std::string_view name, const Value& value) {
  const auto text = value.node.value_exact<std::string>();
  const auto number = value.node.value_exact<std::int64_t>();
  const std::string given = number ? std::to_string(*number) : text.value_or("");
  if (const auto done = set(config.index, name, std::span(&given, 1)); !done)
    return fail(ErrorCode::invalid_argument, fmt::format("{}: {}", value.name, done.error().message));
  return {};
}

/// Calls each(element) for every element of an array.
template <class Each>
Result<void> for_each_of(const Value& value, std::string_view expected, Each each) {
  const toml::array* const array = value.node.as_array();
  if (array == nullptr) return wrong(value, expected);
  for (const toml::node& node : *array) SERVER_TRY(each(Value{node, value.folder, value.name}));
  return {};
}

struct Key {
  std::string_view section, name;
  std::string_view shown;  // its default as TOML
  std::string_view about;  // lines of the sample
  Result<void> (*set)(Config&, const Value&);
};

// Sections whose keys the user chooses.
constexpr std::string_view kIdf = "idf", kHomes = "homes";

constexpr Key kKeys[] = {
    {"server", "listen", "\"127.0.0.1:8380\"",
     "Address and port. 127.0.0.1 and [::1] are reached from this machine alone. Any other address needs\n"
     "tokens; \":8380\" stands for all addresses. Port 0: one that is free.",
     [](Config& config, const Value& value) -> Result<void> {
       const auto text = value.node.value_exact<std::string_view>();
       if (!text) return wrong(value, "an address and a port");
       auto address = parse_address(*text);
       if (!address) return wrong(value, "an address and a port, such as \"127.0.0.1:8380\"");
       config.listen = *std::move(address);
       return {};
     }},
    {"server", "data", "\"\"",
     "The folder of the indexes. Empty: $STATE_DIRECTORY, or else leitong in $XDG_DATA_HOME or\n"
     "~/.local/share. Relative paths in this file begin at its own folder.",
     [](Config& config, const Value& value) { return set_path(config.data, value); }},
    {"server", "tokens", "\"\"",
     "A file of tokens, readable by its owner only: \"ROLE TOKEN NAME [REQUESTS-A-SECOND]\" a line, where\n"
     "ROLE is read, write or admin, and TOKEN has 16 characters or more. Empty: everybody who reaches the "
     "server\n"
     "may do everything, which is refused for addresses that other machines reach.",
     [](Config& config, const Value& value) { return set_path(config.tokens, value); }},
    {"server", "hosts", "[]",
     "Names that requests may call this server by (the Host field), beside localhost and its addresses.\n"
     "On an address that other machines reach, an empty list allows every name.",
     [](Config& config, const Value& value) {
       config.hosts.clear();
       return for_each_of(value, "a list of names", [&](const Value& each) -> Result<void> {
         const auto name = each.node.value_exact<std::string>();
         if (!name || name->empty()) return wrong(each, "a list of names");
         config.hosts.push_back(*name);
         return {};
       });
     }},
    {"server", "threads", "0", "Threads that work on requests. 0: as many as there are cores.",
     [](Config& config, const Value& value) { return set_whole(config.threads, value, 0, 1024); }},

    {"limits", "body", "\"16 MB\"",
     "Largest body of a request, as it is sent and after it is decompressed. Larger ones are answered 413.",
     [](Config& config, const Value& value) { return set_bytes(config.limits.body, value); }},
    {"limits", "memory", "\"256 MB\"",
     "Bytes of all requests at work, together. What comes beyond is answered 503 with Retry-After.",
     [](Config& config, const Value& value) { return set_bytes(config.limits.memory, value); }},
    {"limits", "records", "10000", "Most records of one request. More are answered 413.",
     [](Config& config, const Value& value) {
       return set_whole(config.limits.records, value, 1, 1'000'000);
     }},
    {"limits", "connections", "10000",
     "Connections at once. If one more comes, the one that has waited for a request longest is closed.",
     [](Config& config, const Value& value) {
       return set_whole(config.limits.connections, value, 1, 1'000'000);
     }},
    {"limits", "indexes", "256",
     "Indexes and open sources of them, together: each takes descriptors, memory and disk. One more is\n"
     "answered 503.",
     [](Config& config, const Value& value) { return set_whole(config.limits.indexes, value, 1, 100'000); }},
    {"limits", "head_seconds", "10", "Time for the head of a request, from its first byte.",
     [](Config& config, const Value& value) {
       return set_whole(config.limits.head_seconds, value, 1, 3600);
     }},
    {"limits", "body_seconds", "30", "Time for the body of a request; one second more for each 256 KB.",
     [](Config& config, const Value& value) {
       return set_whole(config.limits.body_seconds, value, 1, 3600);
     }},
    {"limits", "idle_seconds", "60", "Time that a connection may wait between two requests.",
     [](Config& config, const Value& value) {
       return set_whole(config.limits.idle_seconds, value, 1, 86400);
     }},
    {"limits", "drain_seconds", "30", "Time for requests at work when the server is told to stop.",
     [](Config& config, const Value& value) {
       return set_whole(config.limits.drain_seconds, value, 0, 3600);
     }},

    {"index", "durability", "\"sync\"",
     "When additions are acknowledged: \"sync\": when they are on the disk; \"everysec\": a power failure\n"
     "may take up to the last second and a half; \"none\": up to half a minute. An index may be made with\n"
     "another level.",
     [](Config& config, const Value& value) { return set_of_index(config, "durability", value); }},
    {"index", "postings_in_memory", "1000000",
     "Postings that each index keeps in memory before they become a file: 40 bytes each.",
     [](Config& config, const Value& value) { return set_of_index(config, "postings_in_memory", value); }},

    {"index", "expire_seconds", "60",
     "Seconds between two looks for texts that have expired, which are then taken out. 0: only requests do\n"
     "that.",
     [](Config& config, const Value& value) { return set_whole(config.expire_seconds, value, 0, 86400); }},

    {"log", "requests", "false",
     "Log a line for each request. Otherwise only slow requests and failures of the server are logged.\n"
     "Texts, ids and tokens are never logged.",
     [](Config& config, const Value& value) { return set_bool(config.log_requests, value); }},
    {"log", "slow_ms", "1000", "Milliseconds from which a request is slow.",
     [](Config& config, const Value& value) { return set_whole(config.slow_ms, value, 1, 3'600'000); }},

    {"words", "model", "\"\"",
     "What texts are cut by: a model of `leitong dict build`. Empty: jieba's dictionaries.",
     [](Config& config, const Value& value) { return set_path(config.words.model, value); }},
    {"words", "user", "[]", "Dictionaries of your own: \"word [frequency] [tag]\" a line.",
     [](Config& config, const Value& value) {
       config.words.user.clear();
       return for_each_of(value, "a list of paths", [&](const Value& each) -> Result<void> {
         SERVER_TRY(set_path(config.words.user.emplace_back(), each));
         return {};
       });
     }},
    {"words", "idf", "\"\"", "Rarity of words for /v1/keywords: \"word idf\" a line. Empty: jieba's.",
     [](Config& config, const Value& value) { return set_path(config.words.idf, value); }},
    {"words", "stop_words", "\"\"", "Words that are no keywords, one a line. Empty: jieba's.",
     [](Config& config, const Value& value) { return set_path(config.words.stop_words, value); }},
};

std::string place_of(const std::string& file, const toml::node& node) {
  return fmt::format("{}:{}", file, node.source().begin.line);
}

std::string nearest(std::string_view wanted, const std::vector<std::string>& words) {
  const auto alike = [&](const std::string& word) {
    std::size_t n = 0;
    while (n < word.size() && n < wanted.size() && word[n] == wanted[n]) ++n;
    return n;
  };
  const auto best = std::max_element(words.begin(), words.end(),
                                     [&](const auto& a, const auto& b) { return alike(a) < alike(b); });
  return best == words.end() ? std::string() : *best;
}

tl::unexpected<Error> unknown(const std::string& place, std::string_view kind, std::string_view name,
                              const std::vector<std::string>& words) {
  return fail(ErrorCode::invalid_argument, fmt::format("{}: there is no {} \"{}\"; did you mean \"{}\"?",
                                                       place, kind, name, nearest(name, words)));
}

Result<void> read_section(Config& config, const std::string& file, const std::filesystem::path& folder,
                          std::string_view section, const toml::table& table) {
  for (const auto& [name, node] : table) {
    const std::string place = place_of(file, node);
    Value value{node, folder, fmt::format("{}: {}.{}", place, section, name.str())};
    if (section == kIdf) {
      SERVER_TRY(set_path(config.idf[std::string(name.str())], value));
      continue;
    }
    if (section == kHomes) {
      if (!is_index_name(name.str()))
        return wrong(value, "behind the name of an index: letters a-z, digits, - and _");
      const auto home = node.value_exact<std::string>();
      if (!home ||
          !(home->starts_with("redis://") || home->starts_with("rediss://") || home->starts_with("hbase://")))
        return wrong(value, "the place of an index on a server, such as \"redis://127.0.0.1:6379/seen\"");
      config.homes[std::string(name.str())] = *home;
      continue;
    }
    const auto key = std::find_if(std::begin(kKeys), std::end(kKeys), [&, &name = name](const Key& each) {
      return each.section == section && each.name == name.str();
    });
    if (key == std::end(kKeys)) {
      std::vector<std::string> words;
      for (const Key& each : kKeys)
        if (each.section == section) words.emplace_back(each.name);
      return unknown(place, fmt::format("key in [{}] called", section), name.str(), words);
    }
    SERVER_TRY(key->set(config, value));
  }
  return {};
}

}  // namespace

bool is_index_name(std::string_view name) noexcept {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 64 && plain(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return plain(c) || c == '-' || c == '_'; });
}

Result<Address> parse_address(std::string_view text) {
  Address address;
  const std::size_t colon = text.rfind(':');
  std::string_view port = text;
  if (colon != std::string_view::npos) {
    address.host = text.substr(0, colon);
    port = text.substr(colon + 1);
    if (address.host.empty()) address.host = "::";
    if (address.host.size() > 2 && address.host.front() == '[' && address.host.back() == ']')
      address.host = address.host.substr(1, address.host.size() - 2);
  }
  if (address.host == "localhost") address.host = "127.0.0.1";
  unsigned char parsed[sizeof(in6_addr)];
  if (::inet_pton(AF_INET, address.host.c_str(), parsed) != 1 &&
      ::inet_pton(AF_INET6, address.host.c_str(), parsed) != 1)
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("\"{}\" is no address to listen at: \"{}\" is not an address of IPv4 or IPv6; try "
                    "127.0.0.1:8380",
                    text, address.host));
  const auto [rest, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (port.empty() || error != std::errc() || rest != port.data() + port.size())
    return fail(ErrorCode::invalid_argument,
                fmt::format("\"{}\" is no address to listen at; try 127.0.0.1:8380", text));
  return address;
}

std::string to_string(const Address& address) {
  return address.host.find(':') == std::string::npos ? fmt::format("{}:{}", address.host, address.port)
                                                     : fmt::format("[{}]:{}", address.host, address.port);
}

bool is_loopback(const Address& address) { return address.host.starts_with("127.") || address.host == "::1"; }

Result<Config> parse_config(std::string_view toml, const std::string& place,
                            const std::filesystem::path& folder) {
  const toml::parse_result parsed = toml::parse(toml);
  if (!parsed)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}:{}: {}", place, parsed.error().source().begin.line,
                            std::string(parsed.error().description())));
  std::vector<std::string> sections{std::string(kIdf), std::string(kHomes)};
  for (const Key& key : kKeys)
    if (std::find(sections.begin(), sections.end(), key.section) == sections.end())
      sections.emplace_back(key.section);
  Config config;
  for (const auto& [name, node] : parsed.table()) {
    const toml::table* const table = node.as_table();
    if (table == nullptr || std::find(sections.begin(), sections.end(), name.str()) == sections.end())
      return unknown(place_of(place, node), "section", name.str(), sections);
    SERVER_TRY(read_section(config, place, folder, name.str(), *table));
  }
  if (config.limits.memory < config.limits.body)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: limits.memory has to be as large as limits.body at least", place));
  return config;
}

Result<Config> read_config(const std::filesystem::path& file) {
  constexpr std::uint64_t kMostBytes = 1 << 20;
  SERVER_ASSIGN(const RegularFile read, read_regular_file(file, "the configuration", kMostBytes));
  return parse_config(read.bytes, file.string(), std::filesystem::absolute(file).parent_path());
}

std::string sample_config() {
  std::string sample =
      "# The configuration of `leitong serve`: every key with its default. What is left out has its "
      "default;\n"
      "# an unknown key is an error. SIGHUP reads the file again; listen, data, threads, [index] and "
      "[homes]\n"
      "# take effect at the next start.\n";
  std::string_view section;
  for (const Key& key : kKeys) {
    if (key.section != section) sample += fmt::format("\n[{}]\n", section = key.section);
    std::string about(key.about);
    for (std::size_t at = 0; (at = about.find('\n', at)) != std::string::npos; at += 3)
      about.replace(at, 1, "\n# ");
    sample += fmt::format("# {}\n{} = {}\n", about, key.name, key.shown);
  }
  sample +=
      "\n[idf]\n"
      "# Dictionaries of /v1/weights: a name that requests use, and a file of \"word idf\" a line.\n"
      "# news = \"news.idf\"\n"
      "\n[homes]\n"
      "# Indexes on Redis servers or HBase, which other programs may share: a name that requests use, and "
      "the place.\n"
      "# They are made if they are missing. Who may read this file knows their passwords.\n"
      "# seen = \"redis://user:password@127.0.0.1:6379/seen\"\n";
  return sample;
}

std::vector<std::string> config_keys() {
  std::vector<std::string> keys;
  keys.reserve(std::size(kKeys));
  for (const Key& key : kKeys) keys.push_back(fmt::format("{}.{}", key.section, key.name));
  return keys;
}

}  // namespace leitong::server
