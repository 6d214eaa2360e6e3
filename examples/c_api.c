/* The same from C, and so from any language that calls C. */
#include <leitong/leitong.h>
#include <stdio.h>
#include <string.h>

static int stop(leitong_error* error) {
  fprintf(stderr, "%s\n", leitong_error_message(error));
  leitong_error_free(error);
  return 1;
}

static int print_pair(void* user, const leitong_pair* pair) {
  printf("%u and %u: jaccard %.2f\n", (unsigned)pair->a, (unsigned)pair->b, pair->jaccard);
  ++*(int*)user;
  return 0;
}

int main(void) {
  const char* const lines[] = {"渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。",
                               "渡船清晨六點開第一班，霧大的日子停航。乘客請在北岸的石階旁排隊等候。"};
  leitong_text texts[2];
  leitong_context* context = NULL;
  leitong_dedup* dedup = NULL;
  leitong_decisions* decisions = NULL;
  leitong_error* error = NULL;
  int i, pairs = 0;
  for (i = 0; i < 2; ++i) {
    texts[i].data = lines[i];
    texts[i].size = strlen(lines[i]);
  }
  if (leitong_context_new(NULL, &context, &error)) return stop(error);
  if (leitong_dedup_open(context, NULL, &dedup, &error)) return stop(error);
  if (leitong_dedup_add(dedup, texts, 2, &error)) return stop(error);
  if (leitong_dedup_finish(dedup, &decisions, &error)) return stop(error);
  if (leitong_decisions_pairs(decisions, print_pair, &pairs, &error)) return stop(error);
  printf("text 1 leaves for text %u\n", (unsigned)leitong_decisions_kept(decisions)[1]);
  leitong_decisions_free(decisions);
  leitong_dedup_free(dedup);
  leitong_context_free(context);
  return pairs == 1 ? 0 : 1;
}
