// One short text in many scripts, written for this project.
#pragma once

#include <string_view>

namespace leitong {

inline constexpr std::string_view kSampleText =
    "雷同：两篇文章的词句，一字不差地相同。雷同：兩篇文章的詞句，一字不差地相同。\n"
    "The SAME words, echoed twice: once in THUNDER, once in x86-64 assembly (2026)!\n"
    "ｆｕｌｌ　ｗｉｄｔｈ　１２３　ﬁne ①②③ ㎏ ㍿ ™ \n"
    "同じ文章を二度書くと、カミナリが鳴る。ｶﾞｷﾞｸﾞ か\u3099き\u3099 人々\n"
    "같은 글을 두 번 쓰면 천둥이 친다. ㅋㅋ \u1112\u1161\u11AB글\n"
    "ข้อความเดียวกันสองครั้ง เหมือนเสียงฟ้าร้อง\n"
    "نصّان متطابقان كالصدى ﷺ والرعد ﻻ يصمت\n"
    "एक ही पाठ दो बार लिखा गया, जैसे गरज की गूँज\n"
    "Один и тот же текст дважды, как эхо ГРОМА.\n"
    "Déjà vu: ÉTÉ e\u0301te\u0301 Straße STRASSE Việt Nam Vie\u0323\u0302t İstanbul Σίσυφος\n"
    "שני טקסטים זהים · ίδιο κείμενο · იგივე ტექსტი · նույն տեքստը\n"
    "thun\u200Bder\u00ADbolt\uFEFF don´t 🙂🌩️👩‍💻 \uE000\U000F0001\U00050000 𝒷ℴ𝓁𝒹 "
    "𠮷野家 "
    "\U0002F800\n";

}  // namespace leitong
