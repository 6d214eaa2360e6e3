#include "job/index_reference.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/try.hpp"
#include "corpus/record_format.hpp"
#include "corpus/repeated_ids.hpp"
#include "corpus/source_list.hpp"
#include "dedup/find_options.hpp"
#include "dedup/method.hpp"
#include "dedup/rule_in_force.hpp"
#include "io/run_context.hpp"
#include "leitong/job.hpp"
#include "online/durable_mark.hpp"
#include "online/index_scheme.hpp"
#include "online/server_address.hpp"
#include "online/store.hpp"
#include "online/text_codec.hpp"
#include "scheme/resources.hpp"

namespace leitong {
namespace {

using online::Row;
using online::Store;
using online::TextNumber;

// As for other formats: what the cache of one core holds.
constexpr std::size_t kBatchBytes = std::size_t{256} << 10;
constexpr std::size_t kBatchTexts = 4096;
// The most memory for blocks of the store; a sixteenth of the memory budget if there is one.
constexpr std::uint64_t kMostCache = std::uint64_t{64} << 20;

std::size_t cache_within(std::uint64_t memory) {
  return static_cast<std::size_t>(memory == 0 ? kMostCache : std::min(kMostCache, memory / 16));
}

/// An index that is being read.
struct ReadIndex {
  std::string name;
  std::unique_ptr<Store> store;
  TextNumber end;  // texts from this number on are not used
};

/// Rows of the store, packed as they are stored.
struct RowBatch final : Batch {
  std::vector<std::pair<TextNumber, Row>> rows;
};

class IndexStream final : public RecordStream {
 public:
  IndexStream(const InputAccess& access, const ReadIndex& index) : access_(access), index_(index) {}

  Result<std::unique_ptr<Batch>> next() override {
    LEITONG_TRY(access_.stop.check());
    auto batch = std::make_unique<RowBatch>();
    LEITONG_ASSIGN(online::Part part,
                   index_.store->texts_between(next_, index_.end, kBatchTexts, kBatchBytes, {}));
    if (part.texts.empty()) return nullptr;
    next_ = part.end;
    batch->rows = std::move(part.texts);
    batch->position = batch->rows.front().first;
    batch->lines = batch->rows.size();
    for (const auto& [number, row] : batch->rows) access_.bytes_read += row.packed.size();
    return batch;
  }

 private:
  const InputAccess& access_;
  const ReadIndex& index_;
  TextNumber next_ = 0;
};

/// Gives a run the fields of a text of an index as those of a record. The id and the text are used whatever
/// the fields of files are called; source, times and verdict have the names that an export gives them.
class IndexParser final : public RecordParser {
 public:
  IndexParser(const InputAccess& access, const ReadIndex& index) : access_(access), index_(index) {}

  void parse(Batch& record_batch, const EachDocument& each) override {
    auto& batch = static_cast<RowBatch&>(record_batch);
    for (std::uint32_t i = 0; i < batch.rows.size(); ++i) {
      const auto& [number, row] = batch.rows[i];
      if (const Result<void> read = fill(row); !read) {
        batch.failure = read.error();
        return;
      }
      if (!fields_.problem.empty()) {
        batch.rejected.push_back({i, 0, row.id, fields_.problem, false});
        continue;
      }
      each({fields_.id, fields_.text});
      batch.accepted.push_back(
          {hash_id(fields_.id), 0, number - static_cast<TextNumber>(batch.position), row.text_bytes, i});
    }
  }

  Result<const RecordFields*> read(const Place& place) override {
    LEITONG_TRY(access_.stop.check());
    const auto number = static_cast<TextNumber>(place.position);
    LEITONG_ASSIGN(const bool there, index_.store->read(number, row_));
    if (!there)
      return fail(ErrorCode::corrupt,
                  fmt::format("{}: the text {} isn't there any more", index_.name, number));
    LEITONG_TRY(fill(row_));
    return &fields_;
  }

 private:
  Result<void> fill(const Row& row) {
    fields_.clear();
    if (!codec_.unpack(row.packed, row.text_bytes, text_))
      return fail(
          ErrorCode::corrupt,
          fmt::format(
              "{}: the text with the id \"{}\" is damaged; repair the index by `leitong index repair`",
              index_.name, row.id));
    fields_.id = row.id;
    fields_.text = text_;
    const FieldNames& names = access_.names;
    check_text(fields_.text, false, names, fields_);
    time_ = row.time ? std::to_string(*row.time) : std::string();
    expires_ = row.expires ? std::to_string(*row.expires) : std::string();
    for (std::size_t slot = names.texts_end; slot < names.names.size(); ++slot)
      fields_.extra.push_back(value_of(names.names[slot], row));
    return {};
  }

  std::string_view value_of(std::string_view name, const Row& row) const {
    return name == "source"    ? std::string_view(row.source)
           : name == "time"    ? std::string_view(time_)
           : name == "expires" ? std::string_view(expires_)
           : name == "verdict" ? online::verdict_name(row.verdict)
                               : std::string_view();
  }

  const InputAccess& access_;
  const ReadIndex& index_;
  online::TextCodec codec_;
  RecordFields fields_;
  Row row_;
  std::string text_, time_, expires_;
};

class IndexFormat final : public RecordFormat {
 public:
  explicit IndexFormat(ReadIndex index) : RecordFormat({.name = "index"}), index_(std::move(index)) {}

  [[nodiscard]] Result<std::unique_ptr<RecordStream>> open(const InputAccess& access,
                                                           OpenedSource) const override {
    return std::make_unique<IndexStream>(access, index_);
  }
  [[nodiscard]] std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const override {
    return std::make_unique<IndexParser>(access, index_);
  }
  /// References are never written.
  [[nodiscard]] std::unique_ptr<KeptWriter> new_writer(const InputAccess&, const WriteBytes&) const override {
    return nullptr;
  }

 private:
  ReadIndex index_;
};

std::string named(const online::IndexSpec& spec) {
  return spec.scheme.name == "default" ? std::string("the default rule")
                                       : fmt::format("{}, distance {}", spec.scheme.name, spec.distance);
}

/// Checks that the run compares texts as the index does.
Result<void> check_same_comparison(const std::string& place, const online::IndexSpec& spec,
                                   const FindOptions& find, const Context& context) {
  const auto refuse = [&](std::string_view run) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: is an index by {}, and this run compares by {}; choose the method of the index, or "
                    "give the output of leitong index export in its place",
                    place, named(spec), run));
  };
  const MethodInfo* const method = find_method(find.method);
  if (method == nullptr) return {};  // the run reports an unknown method
  if (spec.scheme.name == "default") {
    if (!method->by_rule || !find.verify) return refuse(find.method);
    return folding_of(spec.scheme) == find.folding ? Result<void>{} : refuse("other marks or numbers");
  }
  if (find.method != spec.scheme.name) return refuse(method->by_rule ? "the default rule" : find.method);
  LEITONG_ASSIGN(const Params params, Params::parse(method->name, method->params, find.params));
  const auto resources = resources_of(context, find.dictionaries);
  LEITONG_ASSIGN(const auto scheme, make_scheme_of(find.method, find.params, *resources, find.folding));
  if (params.whole("distance") != spec.distance)
    return refuse(fmt::format("{}, distance {}", find.method, params.whole("distance")));
  if (const std::string difference = explain_difference(spec.scheme, scheme->id()); !difference.empty())
    return refuse(fmt::format("{} with other parameters ({})", find.method, difference));
  return {};
}

/// `find` are the options of a run that compares texts as the index does; null if only the texts are needed.
Result<ReadIndex> open_to_read(const std::string& place, const FindOptions* find, const Context& context) {
  if (online::is_on_server(place))
    return fail(
        ErrorCode::unsupported,
        fmt::format(
            "{}: the index of a run is a folder; give the output of leitong index export in its place",
            place));
  LEITONG_ASSIGN(auto store, Store::open_to_read(place, cache_within(context.settings().memory)));
  LEITONG_ASSIGN(const std::optional<online::IndexSpec> spec, store->spec());
  if (!spec) return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place));
  if (!spec->keeps_texts)
    return fail(
        ErrorCode::unsupported,
        fmt::format("{}: keeps fingerprints alone, and the run compares texts; give the texts that it was "
                    "made of in its place",
                    place));
  if (find != nullptr) LEITONG_TRY(check_same_comparison(place, *spec, *find, context));
  LEITONG_ASSIGN(const TextNumber end, store->shown_end());
  return ReadIndex{place, std::move(store), end};
}

Result<InputOptions::Given> open_one(const std::string& place, const FindOptions* find,
                                     const Context& context) {
  LEITONG_ASSIGN(ReadIndex index, open_to_read(place, find, context));
  LEITONG_ASSIGN(const std::uint64_t stamp, index.store->stamp());
  const FileStamp as_it_is{index.store->bytes(), static_cast<std::int64_t>(stamp)};
  const std::uint64_t memory = cache_within(context.settings().memory) + index.store->unsorted_bytes();
  return InputOptions::Given{place, std::make_shared<IndexFormat>(std::move(index)), as_it_is, memory};
}

/// True if the path is the folder of an index, even of a damaged one.
bool is_index(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(std::filesystem::path(path) / "texts", error) &&
         online::holds_index(path).value_or(true);
}

}  // namespace

Result<std::vector<InputOptions::Given>> open_reference_indexes(const std::vector<std::string>& places,
                                                                const FindOptions& asked,
                                                                const Context& context) {
  std::vector<InputOptions::Given> given;
  if (places.empty()) return given;
  LEITONG_ASSIGN(const FindOptions find, in_force(asked));
  for (const std::string& place : places) {
    LEITONG_ASSIGN(InputOptions::Given one, open_one(place, &find, context));
    given.push_back(std::move(one));
  }
  return given;
}

Result<void> read_indexes_of_corpus(InputOptions& corpus, const Context& context) {
  std::vector<std::string> files;
  for (std::string& path : corpus.paths) {
    if (!online::is_on_server(path) && !is_index(path)) {
      files.push_back(std::move(path));
      continue;
    }
    LEITONG_ASSIGN(InputOptions::Given one, open_one(path, nullptr, context));
    corpus.given_references.push_back(std::move(one));
  }
  corpus.paths = std::move(files);
  return {};
}

Result<void> check_no_index(const std::vector<std::string>& paths) {
  const auto index = std::ranges::find_if(paths, is_index);
  if (index == paths.end()) return {};
  return fail(ErrorCode::invalid_argument,
              fmt::format("{}: is an index, and its files are no documents; name it as a reference index, or "
                          "give the output of leitong index export",
                          *index),
              "reference_indexes");
}

Result<void> read_reference_index(const Context& context, const std::string& place,
                                  const DedupSettings& settings, const ReferencesFn& each) {
  LEITONG_ASSIGN(const FindOptions asked, find_options(settings));
  LEITONG_ASSIGN(const FindOptions find, in_force(asked));
  LEITONG_ASSIGN(const ReadIndex index, open_to_read(place, &find, context));
  const StopToken stop(context.state().stop);
  online::TextCodec codec;
  std::vector<std::string> ids, texts;
  for (TextNumber next = 0;;) {
    LEITONG_TRY(stop.check());
    LEITONG_ASSIGN(online::Part part,
                   index.store->texts_between(next, index.end, kBatchTexts, kBatchBytes, {}));
    if (part.texts.empty()) return {};
    next = part.end;
    ids.resize(part.texts.size());
    texts.resize(part.texts.size());
    for (std::size_t i = 0; i < part.texts.size(); ++i) {
      const Row& row = part.texts[i].second;
      ids[i] = row.id;
      LEITONG_TRY(codec.unpack(row.packed, row.text_bytes, texts[i]));
    }
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    LEITONG_TRY(each(ids, views));
  }
}

}  // namespace leitong
