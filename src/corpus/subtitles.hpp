// Subtitles of films: SubRip (.srt) and WebVTT (.vtt).
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Is it the beginning of subtitles: "WEBVTT", or a number and a line of times?
[[nodiscard]] bool is_subtitles(std::string_view first_bytes) noexcept;

/// What is spoken, a line for each line of the subtitles: without numbers, times, names and positions of
/// cues, notes, styles and tags. Overwrites `out`. O(n).
void subtitles_to_text(std::string_view utf8, std::string& out);

}  // namespace leitong
