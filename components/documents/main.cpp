// usage: leitong-read-document VERSION pdf|docx|odt MOST < DOCUMENT
//
// Prints "=" and the text of a document, or "!" and why it has none. A process of its own: a document comes
// from anybody, its reader is large, and what it breaks is this process alone. It may use a minute of a core
// and 2 GB. MOST bounds the text in bytes.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <iterator>

#include "leitong/version.hpp"
#include "reading.hpp"

namespace {

using namespace leitong::documents;

constexpr rlim_t kSeconds = 60, kBytes = rlim_t{2} << 30;

ReadText read(std::string_view kind, std::string_view bytes, std::size_t most) {
  if (kind == "pdf") return read_pdf(bytes, most);
  if (kind == "docx") return read_docx(bytes, most);
  if (kind == "odt") return read_odt(bytes, most);
  return {{}, "of no kind that is known here"};
}

void limit(int resource, rlim_t most) {
  const rlimit both{most, most};
  static_cast<void>(::setrlimit(resource, &both));  // a lower limit of the system stays
}

}  // namespace

int main(int count, char** words) {
  const std::string version = std::to_string(LEITONG_VERSION_MAJOR) + '.' +
                              std::to_string(LEITONG_VERSION_MINOR) + '.' +
                              std::to_string(LEITONG_VERSION_PATCH);
  if (count != 4 || words[1] != version) {
    std::cout << "?" << version;
    return 0;
  }
  limit(RLIMIT_CPU, kSeconds);
  limit(RLIMIT_AS, kBytes);
  limit(RLIMIT_CORE, 0);
  ReadText result;
  try {
    std::ios::sync_with_stdio(false);
    const std::string bytes{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    result = read(words[2], bytes, std::strtoull(words[3], nullptr, 10));
  } catch (const std::exception& error) {
    result = {{}, std::string("it takes too much memory to read (") + error.what() + ")"};
  }
  std::cout << (result.problem.empty() ? '=' : '!') << (result.problem.empty() ? result.text : result.problem);
  std::cout.flush();
  return std::cout.good() ? 0 : 1;
}
