// Which texts of the index hold a part of a text? Finds them by keys of their own (part_keys.hpp), and
// decides as the batch command does with its preset "reuse".
#pragma once

#include <vector>

#include "leitong/result.hpp"
#include "online/check_text.hpp"
#include "online/row.hpp"
#include "online/shingle_counts.hpp"
#include "online/state.hpp"

namespace leitong::online {

/// Looks the keys of a checked text up (CheckedText::part_lists). For texts that are new or near and for
/// which near texts are looked for, finds the texts that hold parts of it (CheckedText::parts), its match
/// left out. REQUIRES CheckedText::part_keys, and that check_text() was the last call with this text.
Result<void> find_parts(const View& view, const Rows& rows, const ShingleCounts& counts,
                        CheckScratch& scratch, CheckedText& text);

/// Adds the keys that a text posts: those that are not common. In a family whose texts share much only the
/// first few post a key: a text that does not represent itself leaves out the keys that CheckedText::match
/// and three others have posted. REQUIRES find_parts().
void add_part_keys(const CheckedText& text, bool stands, std::vector<Key>& keys);

}  // namespace leitong::online
