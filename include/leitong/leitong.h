/** @file
 * The C interface of leitong, for bindings of other languages. It stays compatible within a minor version.
 *
 * Handles are opaque. The caller frees a handle with the function of its type; NULL may be freed. A function
 * that can fail returns its status and, if `error` is not NULL, puts a leitong_error there, which the caller
 * frees; on success it puts NULL there. Pointers into a handle are valid until it is freed. A struct of
 * settings begins with its own size, so that a later version may add members: initialise it by its macro.
 * Texts are UTF-8 and need no final NUL.
 *
 * Threads: a context may be used by any number of threads at once, any other handle by one at a time, except
 * where a function says more. A context is freed after everything that was made with it.
 */
#ifndef LEITONG_LEITONG_H
#define LEITONG_LEITONG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of failure, those of leitong::ErrorCode; their numbers do not change. */
typedef enum leitong_status {
  LEITONG_OK = 0,               /**< no failure */
  LEITONG_INVALID_ARGUMENT = 1, /**< an impossible name or value */
  LEITONG_NOT_FOUND = 2,        /**< a file, field or method that does not exist */
  LEITONG_IO = 3,               /**< the system refused a read or a write */
  LEITONG_CORRUPT = 4,          /**< bytes that break their own format, UTF-8 included */
  LEITONG_LIMIT = 5,            /**< a stated bound was exceeded */
  LEITONG_CANCELLED = 6,        /**< leitong_context_stop() was called */
  LEITONG_UNSUPPORTED = 7,      /**< not built in, or not possible with these settings */
  LEITONG_OUT_OF_MEMORY = 8,    /**< the system had no memory left */
  LEITONG_CONFLICT = 9          /**< the state is not what the caller expects */
} leitong_status;

/** A failure with its message. */
typedef struct leitong_error leitong_error;
/** Its kind. */
leitong_status leitong_error_status(const leitong_error* error);
/** Names the thing, the place and, where there is one, the fix. */
const char* leitong_error_message(const leitong_error* error);
/** Frees it. */
void leitong_error_free(leitong_error* error);

/** The version of the library, as "0.1.0". */
const char* leitong_version(void);

/** A text of the caller. */
typedef struct leitong_text {
  const char* data; /**< its first byte */
  size_t size; /**< bytes */
} leitong_text;

/* ---- Context: threads, memory, folders, progress, and a request to stop (leitong/context.hpp). */

/** What runs share. */
typedef struct leitong_context leitong_context;

/** The settings of a context; see leitong::ContextSettings. */
typedef struct leitong_context_settings {
  size_t struct_size;       /**< of this struct */
  unsigned threads;         /**< 0: all cores */
  uint64_t memory;          /**< bytes that a run may hold; 0: grows with the input */
  const char* work_folder;  /**< NULL: the system's folder for temporary files */
  const char* data_folder;  /**< dictionaries; NULL: the default */
  /** Called with `user` from any thread of a run, one at a time; may be NULL. `total` is 0 if unknown. */
  void (*progress)(void* user, const char* stage, uint64_t done, uint64_t total, const char* unit);
  void* user;               /**< given to `progress` */
} leitong_context_settings;
/** Initialises leitong_context_settings to the defaults. */
#define LEITONG_CONTEXT_SETTINGS {sizeof(leitong_context_settings), 0, 0, NULL, NULL, NULL, NULL}

/** `settings` may be NULL for the defaults. */
leitong_status leitong_context_new(const leitong_context_settings* settings, leitong_context** context,
                                   leitong_error** error);
/** Ends all runs of the context, later ones included, with LEITONG_CANCELLED. From any thread or signal handler. */
void leitong_context_stop(leitong_context* context);
/** Frees it. Call it after everything that was made with it is freed. */
void leitong_context_free(leitong_context* context);

/* ---- Which of these texts are the same (leitong/dedup.hpp)? */

/** Takes texts and decides which of them stay. */
typedef struct leitong_dedup leitong_dedup;
/** The decisions of a run. */
typedef struct leitong_decisions leitong_decisions;

/** How texts are compared; see leitong::DedupSettings. */
typedef struct leitong_dedup_settings {
  size_t struct_size;  /**< of this struct */
  const char* method;  /**< NULL: "default" */
  const char* measure; /**< "jaccard", "containment" or "edit"; NULL: the default rule */
  double threshold;    /**< of the measure, 0 to 1 */
  int strict_match;    /**< fewer sentences that differ in one decisive word */
  int keep_first;      /**< the earliest text of a cluster stays, not the longest */
  int count_templates; /**< text that many unrelated texts hold counts like any other */
} leitong_dedup_settings;
/** Initialises leitong_dedup_settings to the defaults. */
#define LEITONG_DEDUP_SETTINGS {sizeof(leitong_dedup_settings), NULL, NULL, 0, 0, 0, 0}

/** `settings` may be NULL. */
leitong_status leitong_dedup_open(leitong_context* context, const leitong_dedup_settings* settings,
                                  leitong_dedup** dedup, leitong_error** error);
/** Takes texts that others are compared with and that never leave. Before all others; they are copied. */
leitong_status leitong_dedup_add_references(leitong_dedup* dedup, const leitong_text* texts, size_t count,
                                            leitong_error** error);
/** Takes the next texts; they are copied. */
leitong_status leitong_dedup_add(leitong_dedup* dedup, const leitong_text* texts, size_t count,
                                 leitong_error** error);
/** Compares all texts and decides. Call it once. `dedup` must be freed after `decisions`. */
leitong_status leitong_dedup_finish(leitong_dedup* dedup, leitong_decisions** decisions, leitong_error** error);
/** Frees it; after its decisions. */
void leitong_dedup_free(leitong_dedup* dedup);

/** The number of texts, references included. */
size_t leitong_decisions_size(const leitong_decisions* decisions);
/** For every text the one that is kept in its place: its own position if it stays. */
const uint32_t* leitong_decisions_kept(const leitong_decisions* decisions);
/** The measure that removed a text ("identical", "jaccard", ..) and its value; NULL for a text that stays. */
const char* leitong_decisions_reason(const leitong_decisions* decisions, uint32_t text, double* score);

/** Two similar texts. */
typedef struct leitong_pair {
  uint32_t a;         /**< position of the earlier one */
  uint32_t b;         /**< position of the later one */
  double jaccard;     /**< shared shingles / shingles of either */
  double containment; /**< shared shingles / shingles of the smaller text */
} leitong_pair;
/** Calls `each` with every verified pair, by (a, b), until it returns another value than 0. */
leitong_status leitong_decisions_pairs(const leitong_decisions* decisions,
                                       int (*each)(void* user, const leitong_pair* pair), void* user,
                                       leitong_error** error);
/** Frees them. */
void leitong_decisions_free(leitong_decisions* decisions);

/* ---- Lists of values, one for each text: those of text i are [offsets[i], offsets[i + 1]). */

/** 64-bit words of signatures. */
typedef struct leitong_words leitong_words;
/** The number of texts. */
size_t leitong_words_size(const leitong_words* words);
/** The values of all texts, one text after the other. */
const uint64_t* leitong_words_values(const leitong_words* words);
/** Where each text's values begin, and where the last ones end: size + 1 offsets. */
const int64_t* leitong_words_offsets(const leitong_words* words);
/** Frees them. */
void leitong_words_free(leitong_words* words);

/** A word by its position. */
typedef struct leitong_range {
  uint32_t begin; /**< its first byte */
  uint32_t end;   /**< the byte after its last one */
} leitong_range;
/** Words of texts by their positions. */
typedef struct leitong_ranges leitong_ranges;
/** The number of texts. */
size_t leitong_ranges_size(const leitong_ranges* ranges);
/** The values of all texts, one text after the other. */
const leitong_range* leitong_ranges_values(const leitong_ranges* ranges);
/** As leitong_words_offsets(). */
const int64_t* leitong_ranges_offsets(const leitong_ranges* ranges);
/** Frees them. */
void leitong_ranges_free(leitong_ranges* ranges);

/** Texts in UTF-8. */
typedef struct leitong_strings leitong_strings;
/** The number of texts. */
size_t leitong_strings_size(const leitong_strings* strings);
/** The values of all texts, one text after the other, without separators. */
const char* leitong_strings_bytes(const leitong_strings* strings);
/** As leitong_words_offsets(). */
const int64_t* leitong_strings_offsets(const leitong_strings* strings);
/** Frees them. */
void leitong_strings_free(leitong_strings* strings);

/* ---- Signatures (leitong/sign.hpp). A signer may be used by any number of threads at once. */

/** A method that is ready to sign; see leitong::Signer. */
typedef struct leitong_signer leitong_signer;
/** `method`: NULL for "simhash". `params`: `count` strings "name=value". */
leitong_status leitong_signer_open(leitong_context* context, const char* method, const char* const* params,
                                   size_t count, leitong_signer** signer, leitong_error** error);
/** The scheme of the signatures, as one line of text: keep it with the signatures (leitong/scheme.hpp). */
const char* leitong_signer_id(const leitong_signer* signer);
/** Signs each text. Fails with LEITONG_CORRUPT for one that is not UTF-8, and with LEITONG_CANCELLED. */
leitong_status leitong_sign(leitong_context* context, const leitong_signer* signer, const leitong_text* texts,
                            size_t count, leitong_words** signatures, leitong_error** error);
/** Frees it. */
void leitong_signer_free(leitong_signer* signer);

/* ---- Normal forms, and words (leitong/normalise.hpp, leitong/segment.hpp) */

/** Each text in its normal form; see leitong::normalise(), whose default settings are used. */
leitong_status leitong_normalise(leitong_context* context, const leitong_text* texts, size_t count,
                                 leitong_strings** normal, leitong_error** error);

/** Dictionaries, ready for use by any number of threads at once; see leitong::Segmenter. */
typedef struct leitong_segmenter leitong_segmenter;
/** `user_dictionary` may be NULL. */
leitong_status leitong_segmenter_open(leitong_context* context, const char* user_dictionary,
                                      leitong_segmenter** segmenter, leitong_error** error);
/** The words of each text, as leitong::Segmenter::segment() has them by its default settings. */
leitong_status leitong_segment(leitong_context* context, const leitong_segmenter* segmenter,
                               const leitong_text* texts, size_t count, leitong_ranges** words,
                               leitong_error** error);
/** Frees it. */
void leitong_segmenter_free(leitong_segmenter* segmenter);

/* ---- How similar are two texts (leitong/compare.hpp)? */

/** How similar two texts are. */
typedef struct leitong_comparison {
  double jaccard;       /**< 0 to 1 */
  double containment_a; /**< share of the first text's shingles that the second one holds */
  double containment_b; /**< share of the second text's shingles that the first one holds */
  int similar;   /**< by the default rule */
  int identical; /**< the same text */
} leitong_comparison;
/** Compares two texts; see leitong::compare(). */
leitong_status leitong_compare(leitong_text a, leitong_text b, leitong_comparison* comparison,
                               leitong_error** error);

#ifdef __cplusplus
}
#endif

#endif
