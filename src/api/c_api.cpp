// The C interface: every function calls one of the C++ interface and throws no exception.
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/try.hpp"
#include "leitong/compare.hpp"
#include "leitong/dedup.hpp"
#include "leitong/leitong.h"
#include "leitong/normalise.hpp"
#include "leitong/segment.hpp"
#include "leitong/sign.hpp"
#include "leitong/version.hpp"

using leitong::Result;

struct leitong_error {
  leitong_status status;
  std::string message;
};
struct leitong_context {
  leitong::Context context;
};
struct leitong_dedup {
  leitong::Deduplicator deduplicator;
};
struct leitong_decisions {
  leitong::Decisions decisions;
};
struct leitong_signer {
  leitong::Signer signer;
  std::string id;
};
struct leitong_segmenter {
  leitong::Segmenter segmenter;
};
struct leitong_words {
  leitong::Signatures lists;
};
struct leitong_ranges {
  leitong::Lists<leitong::Word> lists;
};
struct leitong_strings {
  leitong::Strings strings;
};

static_assert(sizeof(leitong_range) == sizeof(leitong::Word));

namespace {

leitong_status status_of(leitong::ErrorCode code) {
  using leitong::ErrorCode;
  switch (code) {
    case ErrorCode::invalid_argument:
      return LEITONG_INVALID_ARGUMENT;
    case ErrorCode::not_found:
      return LEITONG_NOT_FOUND;
    case ErrorCode::io:
      return LEITONG_IO;
    case ErrorCode::corrupt:
      return LEITONG_CORRUPT;
    case ErrorCode::limit:
      return LEITONG_LIMIT;
    case ErrorCode::cancelled:
      return LEITONG_CANCELLED;
    case ErrorCode::unsupported:
      return LEITONG_UNSUPPORTED;
    case ErrorCode::conflict:
      return LEITONG_CONFLICT;
  }
  return LEITONG_INVALID_ARGUMENT;
}

leitong_status refuse(leitong_status status, std::string_view message, leitong_error** error) {
  if (error != nullptr) *error = new (std::nothrow) leitong_error{status, std::string(message)};
  return status;
}

/// Runs `work`, which returns Result<void>, and turns failures and exceptions of other libraries into a
/// status.
template <class Work>
leitong_status guarded(leitong_error** error, Work work) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    const Result<void> result = work();
    return result ? LEITONG_OK : refuse(status_of(result.error().code), result.error().message, error);
  } catch (const std::bad_alloc&) {
    if (error != nullptr) *error = nullptr;  // there may be no memory for a message
    return LEITONG_OUT_OF_MEMORY;
  } catch (const std::exception& exception) {
    try {
      return refuse(LEITONG_IO, exception.what(), error);
    } catch (...) {
      return LEITONG_OUT_OF_MEMORY;
    }
  }
}

std::vector<std::string_view> views(const leitong_text* texts, size_t count) {
  std::vector<std::string_view> all(count);
  for (size_t i = 0; i < count; ++i) all[i] = {texts[i].data, texts[i].size};
  return all;
}

std::string_view or_empty(const char* text) { return text == nullptr ? std::string_view() : text; }

/// The caller's `settings` in the form of this version: a caller that was compiled for an older one gives
/// fewer members.
template <class Settings>
Result<Settings> known(const Settings* settings, Settings defaults) {
  if (settings == nullptr) return defaults;
  if (settings->struct_size < sizeof settings->struct_size || settings->struct_size > sizeof defaults)
    return leitong::fail(leitong::ErrorCode::invalid_argument,
                         "struct_size is not set, or the caller was compiled for a later version; initialise "
                         "the struct by its macro");
  std::memcpy(&defaults, settings, settings->struct_size);
  return defaults;
}

}  // namespace

extern "C" {

leitong_status leitong_error_status(const leitong_error* error) { return error->status; }
const char* leitong_error_message(const leitong_error* error) { return error->message.c_str(); }
void leitong_error_free(leitong_error* error) { delete error; }

const char* leitong_version(void) { return leitong::library_info().version.data(); }

leitong_status leitong_context_new(const leitong_context_settings* settings, leitong_context** context,
                                   leitong_error** error) {
  return guarded(error, [&]() -> Result<void> {
    LEITONG_ASSIGN(const leitong_context_settings given,
                   known<leitong_context_settings>(settings, LEITONG_CONTEXT_SETTINGS));
    leitong::ContextSettings made{.threads = given.threads,
                                  .memory = given.memory,
                                  .work_folder = or_empty(given.work_folder),
                                  .data_folder = or_empty(given.data_folder)};
    if (given.progress != nullptr) {
      made.progress = [call = given.progress, user = given.user](const leitong::Progress& progress) {
        call(user, std::string(progress.stage).c_str(), progress.done, progress.total,
             std::string(progress.unit).c_str());
      };
    }
    *context = new leitong_context{leitong::Context(std::move(made))};
    return {};
  });
}
void leitong_context_stop(leitong_context* context) { context->context.request_stop(); }
void leitong_context_free(leitong_context* context) { delete context; }

leitong_status leitong_dedup_open(leitong_context* context, const leitong_dedup_settings* settings,
                                  leitong_dedup** dedup, leitong_error** error) {
  return guarded(error, [&]() -> Result<void> {
    LEITONG_ASSIGN(const leitong_dedup_settings given,
                   known<leitong_dedup_settings>(settings, LEITONG_DEDUP_SETTINGS));
    leitong::DedupSettings made;
    if (given.method != nullptr) made.method = given.method;
    if (given.measure != nullptr) {
      made.measure = given.measure;
      made.threshold = given.threshold;
    }
    made.strict_match = given.strict_match != 0;
    if (given.count_templates != 0) made.template_text = leitong::TemplateText::counted;
    if (given.keep_first != 0) made.keep = leitong::Keep::first;
    LEITONG_ASSIGN(auto opened, leitong::Deduplicator::open(context->context, made));
    *dedup = new leitong_dedup{std::move(opened)};
    return {};
  });
}
leitong_status leitong_dedup_add_references(leitong_dedup* dedup, const leitong_text* texts, size_t count,
                                            leitong_error** error) {
  return guarded(error, [&] { return dedup->deduplicator.add_references(views(texts, count)); });
}
leitong_status leitong_dedup_add(leitong_dedup* dedup, const leitong_text* texts, size_t count,
                                 leitong_error** error) {
  return guarded(error, [&] { return dedup->deduplicator.add(views(texts, count)); });
}
leitong_status leitong_dedup_finish(leitong_dedup* dedup, leitong_decisions** decisions,
                                    leitong_error** error) {
  return guarded(error, [&]() -> Result<void> {
    LEITONG_ASSIGN(auto decided, dedup->deduplicator.finish());
    *decisions = new leitong_decisions{std::move(decided)};
    return {};
  });
}
void leitong_dedup_free(leitong_dedup* dedup) { delete dedup; }

size_t leitong_decisions_size(const leitong_decisions* decisions) { return decisions->decisions.size(); }
const uint32_t* leitong_decisions_kept(const leitong_decisions* decisions) {
  return decisions->decisions.kept().data();
}
const char* leitong_decisions_reason(const leitong_decisions* decisions, uint32_t text, double* score) {
  const auto reason = decisions->decisions.reason(text);
  if (!reason) return nullptr;
  if (score != nullptr) *score = reason->score;
  return reason->measure.data();  // the measure is one of a few literals
}
leitong_status leitong_decisions_pairs(const leitong_decisions* decisions,
                                       int (*each)(void* user, const leitong_pair* pair), void* user,
                                       leitong_error** error) {
  bool ended = false;
  return guarded(error, [&]() -> Result<void> {
    Result<void> done =
        decisions->decisions.for_each_pair([&](const leitong::SimilarTexts& pair) -> Result<void> {
          const leitong_pair plain{pair.a, pair.b, pair.jaccard, pair.containment};
          ended = each(user, &plain) != 0;
          return ended ? leitong::fail(leitong::ErrorCode::cancelled, "ended by the caller") : Result<void>{};
        });
    return ended ? Result<void>{} : done;
  });
}
void leitong_decisions_free(leitong_decisions* decisions) { delete decisions; }

size_t leitong_words_size(const leitong_words* words) { return words->lists.size(); }
const uint64_t* leitong_words_values(const leitong_words* words) { return words->lists.values.data(); }
const int64_t* leitong_words_offsets(const leitong_words* words) { return words->lists.offsets.data(); }
void leitong_words_free(leitong_words* words) { delete words; }

size_t leitong_ranges_size(const leitong_ranges* ranges) { return ranges->lists.size(); }
const leitong_range* leitong_ranges_values(const leitong_ranges* ranges) {
  return reinterpret_cast<const leitong_range*>(ranges->lists.values.data());  // a struct of the same members
}
const int64_t* leitong_ranges_offsets(const leitong_ranges* ranges) { return ranges->lists.offsets.data(); }
void leitong_ranges_free(leitong_ranges* ranges) { delete ranges; }

size_t leitong_strings_size(const leitong_strings* strings) { return strings->strings.size(); }
const char* leitong_strings_bytes(const leitong_strings* strings) { return strings->strings.bytes.data(); }
const int64_t* leitong_strings_offsets(const leitong_strings* strings) {
  return strings->strings.offsets.data();
}
void leitong_strings_free(leitong_strings* strings) { delete strings; }

leitong_status leitong_signer_open(leitong_context* context, const char* method, const char* const* params,
                                   size_t count, leitong_signer** signer, leitong_error** error) {
  return guarded(error, [&]() -> Result<void> {
    leitong::SignSettings settings{.params = {params, params + count}};
    if (method != nullptr) settings.method = method;
    LEITONG_ASSIGN(auto opened, leitong::Signer::open(context->context, settings));
    std::string id = leitong::scheme_text(opened.id());
    *signer = new leitong_signer{std::move(opened), std::move(id)};
    return {};
  });
}
const char* leitong_signer_id(const leitong_signer* signer) { return signer->id.c_str(); }
leitong_status leitong_sign(leitong_context* context, const leitong_signer* signer, const leitong_text* texts,
                            size_t count, leitong_words** signatures, leitong_error** error) {
  return guarded(error, [&]() -> Result<void> {
    LEITONG_ASSIGN(auto lists, signer->signer.sign(context->context, views(texts, count)));
    *signatures = new leitong_words{std::move(lists)};
    return {};
  });
}
void leitong_signer_free(leitong_signer* signer) { delete signer; }

leitong_status leitong_normalise(leitong_context* context, const leitong_text* texts, size_t count,
                                 leitong_strings** normal, leitong_error** error) {
  return guarded(error, [&]() -> Result<void> {
    LEITONG_ASSIGN(auto normalised, leitong::normalise(context->context, views(texts, count)));
    *normal = new leitong_strings{std::move(normalised.texts)};
    return {};
  });
}

leitong_status leitong_segmenter_open(leitong_context* context, const char* user_dictionary,
                                      leitong_segmenter** segmenter, leitong_error** error) {
  return guarded(error, [&]() -> Result<void> {
    leitong::Dictionaries dictionaries;
    if (user_dictionary != nullptr) dictionaries.user = {user_dictionary};
    LEITONG_ASSIGN(auto opened, leitong::Segmenter::open(context->context, dictionaries));
    *segmenter = new leitong_segmenter{std::move(opened)};
    return {};
  });
}
leitong_status leitong_segment(leitong_context* context, const leitong_segmenter* segmenter,
                               const leitong_text* texts, size_t count, leitong_ranges** words,
                               leitong_error** error) {
  return guarded(error, [&]() -> Result<void> {
    LEITONG_ASSIGN(auto lists, segmenter->segmenter.segment(context->context, views(texts, count)));
    *words = new leitong_ranges{std::move(lists)};
    return {};
  });
}
void leitong_segmenter_free(leitong_segmenter* segmenter) { delete segmenter; }

leitong_status leitong_compare(leitong_text a, leitong_text b, leitong_comparison* comparison,
                               leitong_error** error) {
  return guarded(error, [&]() -> Result<void> {
    LEITONG_ASSIGN(const auto result, leitong::compare({a.data, a.size}, {b.data, b.size}));
    *comparison = {result.jaccard, result.a.containment, result.b.containment, !result.similar_by.empty(),
                   result.identical};
    return {};
  });
}

}  // extern "C"
