// Changes that the store writes together.
#include "online/state.hpp"
#include "online/store_layout.hpp"

namespace leitong::online {

using namespace layout;

namespace {

// RocksDB counts the deletion of an empty range as a write but gives it no number, so that the log of writes
// would look cut at the next opening.
template <class Number>
void erase_numbers(rocksdb::WriteBatch& batch, rocksdb::ColumnFamilyHandle* family, Number end) {
  if (end > 0) batch.DeleteRange(family, key_of(Number{0}), key_of(end));
}

}  // namespace

void Change::put_row(TextNumber text, const Row& row) {
  const std::string key = key_of(text), head = row_head(row);
  const rocksdb::Slice key_slice = key;
  const std::array<rocksdb::Slice, 2> value = {head, row.packed};
  batch_.Put(families_[kTexts], rocksdb::SliceParts(&key_slice, 1), rocksdb::SliceParts(value.data(), 2));
  put_finders(text, row);
}
void Change::put_finders(TextNumber text, const Row& row) {
  if (!row.source.empty()) batch_.Put(families_[kSources], source_key(row.source, text), {});
  if (row.expires) batch_.Put(families_[kExpiry], expiry_key({*row.expires, text}), {});
}
void Change::put_links(TextNumber text, const Row& row) {
  put_id(row.id, text);
  if (row.verdict == Verdict::near) put_member(row.family, text);
  if (row.verdict == Verdict::exact) put_copy(row.content, text);
}
void Change::erase_row(TextNumber text, const Row& row) {
  batch_.Delete(families_[kTexts], key_of(text));
  if (!row.source.empty()) batch_.Delete(families_[kSources], source_key(row.source, text));
  if (row.expires) batch_.Delete(families_[kExpiry], expiry_key({*row.expires, text}));
}
void Change::put_texts(const Delta& delta) {
  TextNumber number = delta.first;
  for (const NewText& text : delta.texts) {
    put_row(number, text.row);
    put_links(number++, text.row);
  }
  for (const LogEntry& entry : delta.log) put_log(entry);
  for (const Key key : delta.full) put_full(key);
  if (delta.templates.size() > 0) put_templates(delta.first, delta.templates);
  put_counts(delta.counts);
}
void Change::put_id(std::string_view id, TextNumber text) {
  batch_.Put(families_[kIds], slice(id), key_of(text));
}
void Change::erase_id(std::string_view id) { batch_.Delete(families_[kIds], slice(id)); }
void Change::put_member(TextNumber family, TextNumber text) {
  batch_.Put(families_[kMembers], link(family, text), {});
}
void Change::erase_member(TextNumber family, TextNumber text) {
  batch_.Delete(families_[kMembers], link(family, text));
}
void Change::put_copy(TextNumber content, TextNumber text) {
  batch_.Put(families_[kCopies], link(content, text), {});
}
void Change::erase_copy(TextNumber content, TextNumber text) {
  batch_.Delete(families_[kCopies], link(content, text));
}
void Change::put_representative(TextNumber slot, TextNumber text) {
  batch_.Put(families_[kRepresentatives], key_of(slot), key_of(text));
}
void Change::erase_representative(TextNumber slot) {
  batch_.Delete(families_[kRepresentatives], key_of(slot));
}
void Change::put_log(const LogEntry& entry) {
  batch_.Put(families_[kLog], key_of(entry.text), packed(entry));
}
void Change::put_removed(TextNumber text) { batch_.Put(families_[kRemoved], key_of(text), {}); }
void Change::put_full(Key key) { batch_.Put(families_[kFullLists], key_of(key), {}); }
void Change::erase_full(Key key) { batch_.Delete(families_[kFullLists], key_of(key)); }
void Change::put_templates(TextNumber first, const TemplateTable& learned) {
  batch_.Put(families_[kTemplates], key_of(first), learned.bytes_of_all());
}
void Change::put_all_templates(const TemplateTable& templates) {
  batch_.DeleteRange(families_[kTemplates], rocksdb::Slice(), std::string(16, '\xff'));
  put_templates(0, templates);
}
void Change::put_removal(std::uint64_t number, TextNumber texts, std::string_view id) {
  batch_.Put(families_[kRemovals], key_of(number), std::string(value_bytes(texts)).append(id));
}
void Change::erase_removals(std::uint64_t before) { erase_numbers(batch_, families_[kRemovals], before); }
void Change::put_history(std::uint64_t history) {
  batch_.Put(families_[kMeta], slice(kHistoryKey), slice(value_bytes(history)));
}
void Change::put_open(std::string_view source, std::uint32_t folder) {
  batch_.Put(families_[kMeta], std::string(kOpenPrefix).append(source), slice(value_bytes(folder)));
}
void Change::erase_open(std::string_view source) {
  batch_.Delete(families_[kMeta], std::string(kOpenPrefix).append(source));
}
void Change::put_committing(std::string_view source, TextNumber first) {
  batch_.Put(families_[kMeta], slice(kCommittingKey), std::string(value_bytes(first)).append(source));
}
void Change::erase_committing() { batch_.Delete(families_[kMeta], slice(kCommittingKey)); }
void Change::erase_removed() {
  batch_.DeleteRange(families_[kRemoved], rocksdb::Slice(), std::string(16, '\xff'));
}
void Change::erase_derived() {
  erase_removed();
  batch_.DeleteRange(families_[kFullLists], rocksdb::Slice(), std::string(16, '\xff'));
}
void Change::put_counts(const Counts& counts) {
  batch_.Put(families_[kMeta], slice(kCountsKey), slice(value_bytes(counts)));
}
void Change::put_segments(const std::vector<SegmentName>& segments, TextNumber next) {
  const std::string_view bytes(reinterpret_cast<const char*>(segments.data()),
                               segments.size() * sizeof(SegmentName));
  batch_.Put(families_[kMeta], slice(kSegmentsKey), slice(bytes));
  erase_numbers(batch_, families_[kLog], next);
}

}  // namespace leitong::online
