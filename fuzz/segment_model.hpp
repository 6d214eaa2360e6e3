// A model for fuzz targets, of a small dictionary with entries of every kind.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "text/segment/model.hpp"
#include "text/segment/model_builder.hpp"

namespace leitong::fuzz {

/// Names in the folder for temporary files are this process's own.
inline std::filesystem::path temporary(std::string_view name) {
  return std::filesystem::temp_directory_path() /
         ("leitong_fuzz_" + std::to_string(getpid()) + "_" + std::string(name));
}

/// The bytes of the compiled model.
inline std::string model_bytes() {
  const auto file = [](std::string_view name, std::string_view content) {
    std::ofstream(temporary(name), std::ios::binary) << content;
    return temporary(name);
  };
  const JiebaFiles files{
      file("words",
           "雷同 9 v\n同一 5 m\n打雷 9 v\n回声 9 n\n雷 3 n\n声 1 n\n回声定位 4 n\n定位 8 "
           "v\n一二三四五六七八九十 3 m\n"
           "一二三四五 2 m\n的 90 u\nC++ 3 nz\nT恤 4 n\nAT&T 3 nt\na的 2 n\n"),
      file("model",
           "-0.2 -3.14e+100 -3.14e+100 -1.4\n-3.14e+100 -0.5 -0.9 -3.14e+100\n"
           "-0.5 -3.14e+100 -3.14e+100 -0.8\n-3.14e+100 -0.3 -1.2 -3.14e+100\n"
           "-0.7 -3.14e+100 -3.14e+100 -0.6\n甲:-1,丁:-2,雷:-3,一:-4,é:-2\n乙:-1,声:-2,丁:-2,二:-4\n"
           "丙:-9,甲:-3,三:-4\n丁:-1,甲:-2,的:-1\n"),
      file("idf", "雷同 5\n回声 7\necho 3\n词外 2\n"),
      file("stop", "同一\nthe\n"),
      {file("user", "甲 9 n\n\xF0\xA0\x80\x80雷 4 n\n🙂 3 x\n1.5 2 m\n")}};
  std::string bytes;
  const auto written = write_segment_model(files, [&](std::string_view part) -> Result<void> {
    bytes += part;
    return {};
  });
  if (!written) std::abort();
  for (const char* name : {"words", "model", "idf", "stop", "user"}) std::filesystem::remove(temporary(name));
  return bytes;
}

/// Opens a model of these bytes, if they are one.
inline Result<std::shared_ptr<const SegmentModel>> open_model(std::string_view bytes) {
  const auto path = temporary("mapped");
  std::ofstream(path, std::ios::binary) << bytes;
  auto model = SegmentModel::open(path);
  std::filesystem::remove(path);
  return model;
}

}  // namespace leitong::fuzz
