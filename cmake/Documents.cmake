# The component that reads PDF, Word and OpenDocument texts. Optional: what is missing is a library; without the component such files are
# refused by name, and the refusal says how to get it.
pkg_check_modules(POPPLER IMPORTED_TARGET poppler-cpp)
pkg_check_modules(ZIP IMPORTED_TARGET libzip)
if(POPPLER_FOUND AND ZIP_FOUND)
  set(LEITONG_HAVE_DOCUMENTS ON)
else()
  message(STATUS "poppler or libzip not found: PDF, DOCX and ODT will be refused (Debian: libpoppler-cpp-dev libzip-dev)")
endif()
