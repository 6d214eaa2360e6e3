# cmake --install: the command, the static library with its public headers, and a package that find_package(leitong) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/leitong")
set(generated_dir "${CMAKE_BINARY_DIR}/generated/install")

install(TARGETS leitong_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT command)
install(TARGETS leitong EXPORT leitongTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/leitong" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT library
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(EXPORT leitongTargets NAMESPACE leitong:: DESTINATION "${package_dir}" COMPONENT library)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/leitongConfig.cmake.in" "${generated_dir}/leitongConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${generated_dir}/leitongConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${generated_dir}/leitongConfig.cmake" "${generated_dir}/leitongConfigVersion.cmake"
  DESTINATION "${package_dir}" COMPONENT library)

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT command)

# What apps/cli makes with the command.
install(FILES "${generated_dir}/leitong.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT command)
install(FILES "${generated_dir}/leitong.bash" RENAME leitong COMPONENT command
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${generated_dir}/leitong.zsh" RENAME _leitong COMPONENT command
  DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${generated_dir}/leitong.fish" COMPONENT command
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
