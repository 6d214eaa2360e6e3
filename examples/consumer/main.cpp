// What a program of yours looks like: link leitong::leitong, include leitong/..., look at every Result.
#include <cstdio>

#include "leitong/result.hpp"

static leitong::Result<int> half(int number) {
  if (number % 2 != 0) return leitong::fail(leitong::ErrorCode::invalid_argument, "the number is odd");
  return number / 2;
}

int main() {
  auto result = half(42);
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    return 1;
  }
  std::printf("%d\n", *result);
}
