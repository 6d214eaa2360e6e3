# CPack: the Debian packages that scripts/package builds, one for each group of components.
#
# jieba's dictionaries are a package of their own. Their licence (MIT) doesn't ask for that, only for its notice, which travels with them.
# The reasons: they are 12 MB for every architecture alike, which only what cuts text into words needs; and they come from another
# project, which doesn't document the texts that its frequencies were counted in, so a distribution may want to leave them out.
#
# Arrow and Parquet (leitong-arrow) are one, too: their libraries have six times the bytes of the command, and only Parquet and Arrow
# files need them. Apache-2.0, and the notices of what is built into them travel with them.
#
# The online index's home on HBase (leitong-hbase) is one as well: few need it, and Debian's package of Thrift brings Qt with it.
# So is what reads PDF, Word and OpenDocument texts (leitong-documents): poppler is large, and what it reads comes from anybody.
#
# Another package (the library, a service) is a component with its install() lines, a group, and its name in CPACK_COMPONENTS_ALL.
set(CPACK_PACKAGE_NAME leitong)
set(CPACK_PACKAGE_VENDOR leitong)
set(CPACK_PACKAGE_CONTACT "the leitong authors <leitong@localhost>")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL command debian dictionary service)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENT_COMMAND_GROUP command)
set(CPACK_COMPONENT_DEBIAN_GROUP command)
set(CPACK_COMPONENT_DICTIONARY_GROUP dictionary)
set(CPACK_COMPONENT_SERVICE_GROUP service)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION text)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME leitong)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "leitong-dict-jieba, leitong-arrow")
set(CPACK_DEBIAN_DICTIONARY_PACKAGE_NAME leitong-dict-jieba)
set(CPACK_DEBIAN_DICTIONARY_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DICTIONARY_PACKAGE_ENHANCES leitong)
set(CPACK_DEBIAN_SERVICE_PACKAGE_NAME leitong-server)
set(CPACK_DEBIAN_SERVICE_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_SERVICE_PACKAGE_SECTION web)
set(CPACK_DEBIAN_SERVICE_PACKAGE_DEPENDS "leitong (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_SERVICE_PACKAGE_RECOMMENDS leitong-dict-jieba)
set(CPACK_DEBIAN_SERVICE_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/packaging/service/conffiles;${PROJECT_SOURCE_DIR}/packaging/service/postinst;${PROJECT_SOURCE_DIR}/packaging/service/prerm")
if(TARGET leitong_arrow)
  list(APPEND CPACK_COMPONENTS_ALL arrow)
  set(CPACK_COMPONENT_ARROW_GROUP arrow)
  set(CPACK_DEBIAN_ARROW_PACKAGE_NAME leitong-arrow)
  set(CPACK_DEBIAN_ARROW_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${LEITONG_ARROW_DIR}/lib")
  set(CPACK_DEBIAN_ARROW_PACKAGE_DEPENDS "leitong (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
  set(CPACK_COMPONENT_GROUP_ARROW_DESCRIPTION "Parquet and Arrow files, for leitong
 With this package leitong reads and writes tables of Parquet and Arrow IPC
 (Feather): the component that does so, and the libraries of Apache Arrow that
 it stands on, which no package of Debian 12 has.")
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/copyright" DESTINATION share/doc/leitong-arrow COMPONENT arrow)
endif()
if(TARGET leitong_hbase)
  list(APPEND CPACK_COMPONENTS_ALL hbase)
  set(CPACK_COMPONENT_HBASE_GROUP hbase)
  set(CPACK_DEBIAN_HBASE_PACKAGE_NAME leitong-hbase)
  set(CPACK_DEBIAN_HBASE_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_HBASE_PACKAGE_DEPENDS "leitong (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
  set(CPACK_COMPONENT_GROUP_HBASE_DESCRIPTION "online indexes on HBase, for leitong
 With this package leitong has online indexes on an HBase of version 2.6 or
 later, by its Thrift2 servers: --index hbase://host:port/name.")
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/copyright" DESTINATION share/doc/leitong-hbase COMPONENT hbase)
endif()
if(TARGET leitong_documents)
  list(APPEND CPACK_COMPONENTS_ALL documents)
  set(CPACK_COMPONENT_DOCUMENTS_GROUP documents)
  set(CPACK_DEBIAN_DOCUMENTS_PACKAGE_NAME leitong-documents)
  set(CPACK_DEBIAN_DOCUMENTS_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_DOCUMENTS_PACKAGE_DEPENDS "leitong (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
  set(CPACK_COMPONENT_GROUP_DOCUMENTS_DESCRIPTION "PDF, Word and OpenDocument texts, for leitong
 With this package leitong reads the texts of PDF, DOCX and ODT files, in its
 command and in its service, by a program of its own for each of them.")
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/copyright" DESTINATION share/doc/leitong-documents COMPONENT documents)
endif()
set(CPACK_COMPONENT_GROUP_SERVICE_DESCRIPTION "leitong as a service of the system
 Answers over HTTP whether a text has been seen, or one nearly like it: a unit
 of systemd, the configuration /etc/leitong/leitong.toml, rules and a dashboard
 for Prometheus and Grafana. It listens on this machine only until tokens are
 set up; systemctl enable --now leitong starts it.")
set(CPACK_COMPONENT_GROUP_COMMAND_DESCRIPTION "near-duplicate texts, found, proved and removed
 leitong finds texts that are nearly the same, shows why, and removes them:
 revised articles, reposts, traditional and simplified copies, excerpts. Every
 removal is proved from the texts, and the kept records stay as they were.
 .
 Chinese first; works for all languages. segment, keywords and the methods on
 words need the package leitong-dict-jieba.")
set(CPACK_COMPONENT_GROUP_DICTIONARY_DESCRIPTION "jieba's dictionaries, for leitong
 The words, frequencies and hidden Markov model by which leitong cuts Chinese
 text into words, exactly as cppjieba does.")

# What only a Debian package has: the copyright file, and the place where Debian's zsh looks.
install(FILES "${PROJECT_SOURCE_DIR}/packaging/copyright" DESTINATION share/doc/leitong COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/copyright" DESTINATION share/doc/leitong-dict-jieba COMPONENT dictionary)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/copyright" DESTINATION share/doc/leitong-server COMPONENT service)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/service/alerts.yml" "${PROJECT_SOURCE_DIR}/packaging/service/dashboard.json"
  DESTINATION share/doc/leitong-server COMPONENT service)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/service/leitong.service" DESTINATION lib/systemd/system COMPONENT service)
# As the command itself explains it.
install(FILES "${CMAKE_BINARY_DIR}/generated/install/leitong.toml" DESTINATION /etc/leitong COMPONENT service)
install(FILES "${CMAKE_BINARY_DIR}/generated/install/leitong.zsh" RENAME _leitong COMPONENT debian EXCLUDE_FROM_ALL
  DESTINATION share/zsh/vendor-completions)
include(CPack)
