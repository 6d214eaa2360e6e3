# Debian 12's versions are the tested ones; scripts/install-packages names the packages.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(LibXml2 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc i18n)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(ROCKSDB REQUIRED IMPORTED_TARGET rocksdb)
pkg_check_modules(UCHARDET REQUIRED IMPORTED_TARGET uchardet)
pkg_check_modules(PSL REQUIRED IMPORTED_TARGET libpsl)
find_package(Boost 1.81 REQUIRED)  # headers alone: Beast and Asio
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)  # used header-only
find_package(OpenSSL REQUIRED COMPONENTS SSL Crypto)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)  # used header-only
