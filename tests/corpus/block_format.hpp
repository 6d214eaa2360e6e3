// A format for tests whose records are no stretches of a file's bytes: rows in numbered blocks, each block
// scrambled as a whole. A place is the number of a block and a row in it. It represents formats with row
// groups or compressed members.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "corpus/formats/formats.hpp"
#include "corpus/record_store.hpp"
#include "corpus/repeated_ids.hpp"
#include "corpus/source_list.hpp"

namespace leitong {

/// "BLOCKS\n", then for each block its size in bytes, a line feed, and the rows "id TAB text LF" with every
/// byte inverted.
class BlockFormat final : public RecordFormat {
 public:
  BlockFormat() : RecordFormat({"blocks", {".blocks"}, false}) {}

  static std::string scrambled(std::string rows) {
    for (char& c : rows) c = static_cast<char>(~c);
    return rows;
  }
  static std::string block(const std::string& rows) {
    return std::to_string(rows.size()) + "\n" + scrambled(rows);
  }
  static constexpr std::string_view kMagic = "BLOCKS\n";

  [[nodiscard]] bool claims(const Beginning& beginning) const override {
    return beginning.bytes.starts_with(kMagic);
  }

  [[nodiscard]] Result<std::unique_ptr<RecordStream>> open(const InputAccess& access,
                                                           OpenedSource source) const override {
    auto head = std::make_unique<Head>();
    auto stream = std::make_unique<Stream>(access, std::move(source), *head);
    LEITONG_ASSIGN(const std::string magic, stream->take(kMagic.size()));
    if (magic != kMagic) return fail(ErrorCode::corrupt, "no file of blocks");
    stream->set_head(std::move(head));
    return stream;
  }
  [[nodiscard]] std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const override {
    return std::make_unique<Parser>(access);
  }
  [[nodiscard]] std::unique_ptr<KeptWriter> new_writer(const InputAccess& access,
                                                       const WriteBytes& write) const override {
    return std::make_unique<Writer>(access, write);
  }

 private:
  /// The places of blocks; grows while the source is read.
  struct Head final : SourceHead {
    mutable std::mutex mutex;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> blocks;
  };
  struct Rows final : Batch {
    std::string rows;
  };

  class Stream final : public RecordStream {
   public:
    Stream(const InputAccess& access, OpenedSource source, Head& head)
        : access_(access), source_(std::move(source)), head_(head) {
      if (source_.spooled) access_.store.begin_spooled(source_.number);
    }
    void set_head(std::unique_ptr<Head> head) { access_.sources.set_head(source_.number, std::move(head)); }

    Result<std::string> take(std::size_t size) {
      std::string bytes(size, '\0');
      std::size_t done = 0;
      while (done < size) {
        LEITONG_ASSIGN(const std::size_t got, source_.bytes->read(bytes.data() + done, size - done));
        if (got == 0) break;
        done += got;
      }
      bytes.resize(done);
      offset_ += done;
      if (source_.spooled) LEITONG_TRY(access_.store.spool().append(bytes));
      return bytes;
    }

    Result<std::unique_ptr<Batch>> next() override {
      std::string number;
      while (!number.ends_with('\n')) {
        LEITONG_ASSIGN(const std::string digit, take(1));
        if (digit.empty()) return nullptr;
        number += digit;
      }
      auto batch = std::make_unique<Rows>();
      const std::uint64_t begin = offset_;
      LEITONG_ASSIGN(const std::string bytes, take(std::stoul(number)));
      batch->rows = scrambled(bytes);
      const std::lock_guard lock(head_.mutex);
      batch->position = head_.blocks.size();
      head_.blocks.emplace_back(begin, static_cast<std::uint32_t>(bytes.size()));
      return batch;
    }

   private:
    const InputAccess& access_;
    OpenedSource source_;
    Head& head_;
    std::uint64_t offset_ = 0;
  };

  class Parser final : public RecordParser {
   public:
    explicit Parser(const InputAccess& access) : access_(access) {}

    void parse(Batch& batch, const EachDocument& each) override {
      std::string_view rest = static_cast<Rows&>(batch).rows;
      for (std::uint32_t row = 0; !rest.empty(); ++row, ++batch.lines) {
        take_row(rest);
        if (!fields_.problem.empty()) {
          batch.rejected.push_back({batch.lines, 0, std::string(fields_.id), fields_.problem, false});
          continue;
        }
        each({fields_.id, fields_.text});
        batch.accepted.push_back({hash_id(fields_.id), 0, 0, row, row});
      }
    }
    Result<const RecordFields*> read(const Place& place) override {
      const auto& head = static_cast<const Head&>(*access_.sources[place.source].head);
      std::pair<std::uint64_t, std::uint32_t> block;
      {
        const std::lock_guard lock(head.mutex);
        block = head.blocks[place.position];
      }
      std::string bytes(block.second, '\0');
      LEITONG_TRY(access_.store.read(place.source, block.first, bytes.data(), bytes.size(), cursor_));
      rows_ = scrambled(bytes);
      std::string_view rest = rows_;
      for (std::uint32_t row = 0; row <= place.detail; ++row) take_row(rest);
      return &fields_;
    }

   private:
    void take_row(std::string_view& rest) {
      fields_.clear();
      const std::string_view row = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(row.size() + 1);
      const std::size_t tab = row.find('\t');
      fields_.id = row.substr(0, tab);
      fields_.text = row.substr(tab + 1);
      check_text(fields_.text, false, access_.names, fields_);
    }

    const InputAccess& access_;
    StoreCursor cursor_;
    RecordFields fields_;
    std::string rows_;
  };

  class Writer final : public KeptWriter {
   public:
    Writer(const InputAccess& access, const WriteBytes& write) : parser_(access), write_(write) {}
    Result<void> begin(std::uint32_t) override { return {}; }
    Result<void> add(const Place& place) override {
      LEITONG_ASSIGN(const RecordFields* fields, parser_.read(place));
      rows_.append(fields->id).append("\t").append(fields->text).append("\n");
      return ++count_ % 3 == 0 ? flush() : Result<void>{};
    }
    Result<void> finish() override { return flush(); }

   private:
    Result<void> flush() {
      if (!begun_) LEITONG_TRY(write_(kMagic));
      begun_ = true;
      if (rows_.empty()) return {};
      LEITONG_TRY(write_(block(rows_)));
      rows_.clear();
      return {};
    }
    Parser parser_;
    const WriteBytes& write_;
    std::string rows_;
    std::size_t count_ = 0;
    bool begun_ = false;
  };
};

/// This format and all that leitong reads.
inline const FormatRegistry& formats_with_blocks() {
  static const BlockFormat blocks;
  static const FormatRegistry registry = [] {
    std::vector<const RecordFormat*> formats = standard_formats().formats();
    formats.insert(formats.begin(), &blocks);
    return FormatRegistry(std::move(formats));
  }();
  return registry;
}

}  // namespace leitong
