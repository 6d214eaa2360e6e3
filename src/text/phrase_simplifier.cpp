#include "text/phrase_simplifier.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <array>
#include <cstdint>

namespace leitong {

// The C interface of OpenCC 1.1, which is kept stable. The name of the library differs between distributions.
struct PhraseSimplifier::Library {
  static constexpr std::array<const char*, 3> kNames{"libopencc.so.1.1", "libopencc.so.1.2", "libopencc.so"};

  void* handle = nullptr;
  void* converter = nullptr;
  char* (*convert)(void*, const char*, std::size_t) = nullptr;
  void (*release)(char*) = nullptr;
  int (*close)(void*) = nullptr;

  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (converter != nullptr) close(converter);
    if (handle != nullptr) ::dlclose(handle);
  }

  template <class Function>
  bool find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(::dlsym(handle, name));
    return function != nullptr;
  }
};

Result<PhraseSimplifier> PhraseSimplifier::open() {
  auto library = std::make_shared<Library>();
  for (const char* name : Library::kNames)
    if (library->handle == nullptr) library->handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library->handle == nullptr)
    return fail(ErrorCode::unsupported,
                "OpenCC is not installed, and phrases are simplified by it (Debian: libopencc1.1); single "
                "characters need nothing");
  void* (*open_converter)(const char*) = nullptr;
  if (!library->find("opencc_open", open_converter) ||
      !library->find("opencc_convert_utf8", library->convert) ||
      !library->find("opencc_convert_utf8_free", library->release) ||
      !library->find("opencc_close", library->close))
    return fail(ErrorCode::unsupported,
                "the OpenCC library that is installed is none that leitong knows (1.1)");
  void* const converter = open_converter("t2s.json");
  if (reinterpret_cast<std::intptr_t>(converter) == -1)
    return fail(ErrorCode::unsupported,
                "OpenCC doesn't find its conversion t2s.json (Debian: libopencc-data)");
  library->converter = converter;
  return PhraseSimplifier(std::move(library));
}

Result<std::string> PhraseSimplifier::operator()(std::string_view utf8) const {
  if (utf8.empty()) return std::string();
  char* const converted = library_->convert(library_->converter, utf8.data(), utf8.size());
  if (converted == nullptr) return fail(ErrorCode::limit, "OpenCC had not enough memory for a text");
  std::string text(converted);
  library_->release(converted);
  return text;
}

}  // namespace leitong
