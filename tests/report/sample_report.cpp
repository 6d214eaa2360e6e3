#include "report/sample_report.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace leitong {
namespace {

struct TwoTexts {
  const char *id_a, *place_a, *a;
  const char *id_b, *place_b, *b;
  VerifiedPair scores;
};

VerifiedPair scores(Measure measure, float jaccard, float containment) {
  return {0, 1, jaccard, containment, measure == Measure::jaccard ? jaccard : containment, measure};
}

const std::vector<TwoTexts>& removed_pairs() {
  static const std::vector<TwoTexts> pairs = {
      {"tea-0417", "teahouse/spring.jsonl:417",
       "清晨的雾还没有散，茶山上已经有人。老周把竹篓系在腰间，沿着湿滑的石阶往上走，每一步都踩得很稳。他说，"
       "采茶最怕心急，"
       "芽尖只有半寸，指甲一掐就坏，要用指腹轻轻一提。\n\n今年春天来得晚，头一批茶比往年迟了九天。山下的作坊"
       "把锅烧到二百度，"
       "鲜叶落下去噼啪作响，满屋都是青草的气味。老周的儿子在城里念书，放假回来也学着翻锅，手上起了两个水泡。",
       "tea-0032", "teahouse/spring.jsonl:32",
       "本报讯　清晨的雾还没有散，茶山上已经有人。老周把竹篓系在腰间，沿着湿滑的石阶往上走。他说，采茶最怕心"
       "急，"
       "芽尖只有半寸，指甲一掐就坏，要用指腹轻轻一提。\n\n受低温影响，今年头一批茶比往年迟了九天，产量预计减"
       "少两成。镇上的合作社为此准备了三套"
       "应对办法：推迟开园，分批采摘，并把一部分鲜叶改制红茶。山下的作坊把锅烧到二百度，鲜叶落下去噼啪作响，"
       "满屋都是青草的气味。",
       scores(Measure::jaccard, .3612F, .5147F)},
      {"lighthouse-b", "harbour/notes.jsonl:1290",
       "The lamp at Grey Point was first lit on a Tuesday, in weather that kept every boat ashore. Its "
       "keeper, a woman named Orla Finch, "
       "wrote down the hour, the wind and the height of the oil, as she would do each night for thirty-one "
       "years.\n\nVisitors may climb the "
       "tower from May to September. Tickets are sold at the kiosk beside the slipway.",
       "lighthouse-a", "harbour/notes.jsonl:77",
       "The lamp at Grey Point was first lit on a Tuesday, in weather that kept every boat ashore. Its "
       "keeper, Orla Finch, "
       "wrote down the hour, the wind and the height of the oil, as she would do each night for thirty-one "
       "years. Her ledgers fill a shelf and a half; "
       "the last of them ends in the middle of a line, and nobody has wanted to finish it.\n\nThe tower is "
       "closed while its stair is repaired.",
       scores(Measure::jaccard, .3744F, .6021F)},
      {"recipe-88-reprint", "kitchen/recipes.csv:88",
       "番茄炒蛋的要紧处在火候。蛋要打散到起泡，油温七成下锅，边缘一鼓就盛出；番茄去皮切块，小火熬出汁水，再"
       "把蛋倒回去，翻两下即可。"
       "喜甜的加半勺糖，喜咸的最后撒盐。\n\nServes two. Ready in ten minutes.",
       "recipe-12", "kitchen/recipes.csv:12",
       "家常菜里，番茄炒蛋的要紧处在火候。蛋要打散到起泡，油温七成下锅，边缘一鼓就盛出；番茄去皮切块，小火熬"
       "出汁水，再把蛋倒回去，翻两下即可。"
       "出锅前尝一尝，喜甜的加半勺糖。剩下的汤汁拌面最好。\n\nServes two. Ready in ten minutes, or fifteen "
       "with noodles.",
       scores(Measure::containment, .3391F, .7058F)},
  };
  return pairs;
}

const std::vector<TwoTexts>& kept_pairs() {
  static const std::vector<TwoTexts> pairs = {
      {"ferry-east", "harbour/notes.jsonl:2001",
       "The east ferry leaves at ten past every hour and takes twenty minutes. Bicycles travel free, dogs on "
       "a lead. In fog the crossing is "
       "replaced by a bus from the church square.\n\nThe east shore has a bakery, a bird hide and the "
       "remains of a rope works.",
       "ferry-west", "harbour/notes.jsonl:2002",
       "The west ferry leaves at twenty to every hour and takes thirty-five minutes. Bicycles travel free, "
       "dogs on a lead. In fog the crossing is "
       "cancelled without replacement.\n\nOn the west shore there is little but heather, and that is why "
       "people go.",
       scores(Measure::jaccard, .3391F, .4410F)},
      {"poem-moon-2", "poems/late.jsonl:58",
       "月亮落进井里，\n井水没有变高。\n我把桶放下去，\n提上来的是半桶晚风。", "poem-moon-1",
       "poems/early.jsonl:9",
       "月亮落进井里，\n井水没有变高。\n孩子趴在石沿上，\n数自己的影子，数到第三个就睡着了。",
       scores(Measure::jaccard, .3125F, .5263F)},
  };
  return pairs;
}

/// What b lacks of a, if this text is part of it: its first place in a.
std::vector<LostRange> lost_ranges(std::string_view a, std::initializer_list<std::string_view> lost,
                                   std::string_view reworded) {
  std::vector<LostRange> ranges;
  for (const std::string_view text : lost)
    if (const std::size_t at = a.find(text); at != std::string_view::npos)
      ranges.push_back({at, at + text.size(), false});
  if (const std::size_t at = a.find(reworded); !reworded.empty() && at != std::string_view::npos)
    ranges.push_back({at, at + reworded.size(), true});
  std::sort(ranges.begin(), ranges.end(),
            [](const LostRange& x, const LostRange& y) { return x.begin < y.begin; });
  return ranges;
}

ReportRow row_of(const TwoTexts& texts, RowOutcome outcome, std::uint32_t from, std::uint32_t to) {
  ReportRow row;
  const std::vector<LostRange> lost =
      outcome == RowOutcome::stay
          ? std::vector<LostRange>()
          : lost_ranges(texts.a,
                        {"每一步都踩得很稳", "老周的儿子在城里念书", "a woman named", "Visitors may climb",
                         "喜咸的最后撒盐", "The east shore has a bakery", "我把桶放下去"},
                        "头一批茶比往年迟了九天");
  Evidence evidence = evidence_of(texts.a, texts.b, ReportLimits::pair_bytes, ReportLimits::pair_bytes, lost);
  mark_lost(lost, evidence.a);
  if (!lost.empty())
    row.loss =
        Loss{.own = 120, .lost = outcome == RowOutcome::relative ? 30U : 5U, .reworded = 2, .longest = 5};
  row.a = {texts.id_a, texts.place_a, from, std::string_view(texts.a).size(), std::move(evidence.a)};
  row.b = {texts.id_b, texts.place_b, to, std::string_view(texts.b).size(), std::move(evidence.b)};
  row.outcome = outcome;
  row.scores = texts.scores;
  row.margin = margin_of(Rule{}, texts.scores, 120, 150);
  row.borderline = true;
  return row;
}

ReportHistogram histogram(Measure measure, std::array<std::uint64_t, 21> bins,
                          std::vector<double> thresholds) {
  return {measure, bins, std::move(thresholds)};
}

void add_clusters(ReportData& data) {
  const std::vector<std::pair<const char*, std::uint64_t>> openings = {
      {"本站转载文章，版权归原作者所有。春天的第一场雨落在石板路上，巷口的早点铺刚刚掀开蒸笼", 214},
      {"Minutes of the harbour committee: the dredging of the north channel is put off until autumn", 61},
      {"每周菜单：周一番茄炒蛋，周二青椒土豆丝，周三豆腐煲", 38},
      {"Release notes. This version mends a fault in the tide table that showed high water an hour early",
       12},
      {"寻物启事：昨天下午在渡口遗失一把黑色长柄雨伞，伞柄上系着红绳", 5},
  };
  for (std::size_t c = 0; const auto& [opening, size] : openings) {
    ReportCluster cluster{
        {fmt::format("c{}-000", c), fmt::format("mixed/part-{}.jsonl:3", c), opening}, size, {}};
    for (std::uint64_t m = 1; m < std::min<std::uint64_t>(size, 120); ++m) {
      cluster.members.push_back(
          {{fmt::format("c{}-{:03}", c, m), fmt::format("mixed/part-{}.jsonl:{}", c, 3 + 17 * m), opening},
           m % 3 == 0 ? Measure::identical : Measure::jaccard,
           m % 3 == 0 ? 1.F : .99F - .004F * static_cast<float>(m)});
    }
    data.largest_clusters.push_back(std::move(cluster));
    ++c;
  }
}

void add_hostility(ReportData& data) {
  const auto& attacks = hostile_texts();
  data.title += " " + attacks[0];
  for (std::size_t i = 0; i < attacks.size(); ++i) {
    const std::string& attack = attacks[i];
    data.sources.names.push_back(attack);
    const auto source = static_cast<std::uint32_t>(data.sources.names.size() - 1);
    data.sources.flows.push_back({source, source, 7, 9});
    ReportRow row;
    row.a = {attack, "hostile.jsonl:" + attack, source, attack.size(), {{attack, 0, 0}, {attack, 1, 0}}};
    row.b = {"other " + attack, attack, source, attack.size(), {{attack + "!", 0, 0}, {attack, 1, 0}}};
    row.scores = scores(Measure::jaccard, .1F, .1F);
    row.margin = Margin{Measure::jaccard, .1, .35};
    row.borderline = true;
    data.rows.insert(data.rows.begin(), row);
    data.largest_clusters.push_back(
        {{attack, attack, attack}, 2, {{{attack, attack, attack}, Measure::jaccard, .5F}}});
    data.warnings.push_back({attack, {{attack, attack}}, {attack}});
    data.settings.emplace_back(attack, attack);
    data.quarantine_reasons.emplace_back(attack, 1);
  }
}

}  // namespace

const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts = {
      "attack-1:<script>window.attacked = 1</script>",
      "attack-2:</script><script>window.attacked = 2</script>",
      "attack-3:<img src=x onerror=\"window.attacked = 3\">",
      "attack-4:<!--<script>",
      "attack-5:]]><svg/onload=window.attacked=5>",
      "attack-6:\u202Egnp.exe\u202C after the override",
      "attack-7:line\u2028separator\u2029paragraph",
      "attack-8:\"}];window.attacked = 8;//",
      "attack-9:<a href=\"javascript:window.attacked = 9\">click</a>",
      "attack-10:${window.attacked = 10} {{data}} &lt;b&gt;",
      "attack-11:<style>body{display:none}</style>",
      std::string("attack-12:nul\0escape\x1b[31mred", 28),
      "attack-13:broken \xFF\xC3 utf-8 \xED\xA0\x80 surrogate",
      "attack-14:<base href=//example.invalid/><form action=//example.invalid/><input autofocus "
      "onfocus=window.attacked=14>",
      "attack-15:__proto__",
  };
  return texts;
}

ReportData sample_report(bool hostile) {
  ReportData data;
  data.title = "harbour, kitchen, poems and teahouse";
  data.settings = {{"input", "harbour/ kitchen/ poems/ teahouse/"},
                   {"method", "default"},
                   {"keep", "longest"},
                   {"threads", "*"},
                   {"kept", "kept.jsonl.zst"}};
  data.records = 48'210;
  data.kept = 36'871;
  data.removed = 11'302;
  data.quarantined = 37;
  data.clusters = 7'415;
  data.pairs = 24'908;
  data.copies = 3'120;
  data.bytes = 91'400'000;
  data.kept_bytes = 68'920'000;
  data.command = "leitong dedup harbour/ kitchen/ --report 'my report.html'";
  data.date = "2026-11-27 06:45 UTC";
  data.peak_memory = 148'000'000;
  data.seconds = .812;
  data.stage_seconds = {{"read and sketch", .431}, {"find candidates", .102}, {"verify", .164},
                        {"cluster", .011},         {"audit", .038},           {"write", .066}};
  data.recall = ReportRecall{2'000, 1'031, 1'030, 0};
  data.warnings = {
      {"repeated_ids",
       {{"count", "3"}},
       {"ferry-east: harbour/notes.jsonl:2001 = harbour/notes.jsonl:2077",
        "poem-moon-2: poems/late.jsonl:58 = poems/early.jsonl:301"}},
      {"chained", {{"count", "18"}, {"largest", "61"}}, {}},
      {"hot_unmatched", {{"count", "4"}}, {}},
  };
  data.quarantine_reasons = {{"broken JSON", 21}, {"field \"text\" is missing", 12}, {"invalid UTF-8", 4}};
  data.histograms = {
      histogram(Measure::jaccard, {0,   0,    0,    0,    2,    9,    31,   160,  402,  611, 702,
                                   845, 1090, 1340, 1722, 2205, 2961, 3508, 3902, 2298, 3120},
                {.35}),
      histogram(Measure::containment, {0,   0,   0,   0,    0,    0,    0,    2,    21,   90,  160,
                                       241, 402, 530, 1201, 1960, 2540, 3611, 4870, 5080, 4200},
                {.70}),
  };
  data.cluster_sizes = {{2, 5'871}, {3, 902}, {4, 311}, {5, 120}, {6, 71}, {9, 62},
                        {12, 40},   {31, 20}, {38, 9},  {61, 7},  {70, 1}, {214, 1}};
  data.documents = data.kept + data.removed;
  data.sources.names = {"teahouse", "harbour", "kitchen", "poems", "mixed"};
  data.sources.by = ReportSources::By::folder;
  data.sources.flows = {{4, 4, 6'120, 20'400}, {4, 1, 2'873, 20'400}, {2, 2, 1'204, 9'310},
                        {0, 2, 640, 7'002},    {1, 1, 310, 8'120},    {0, 0, 118, 7'002},
                        {3, 3, 31, 3'341},     {3, 0, 4, 3'341},      {1, 3, 2, 8'120}};
  data.sources.all_flows = 11;
  add_clusters(data);
  // The rows that make the page long: each has a text of its own, edited in one place.
  for (int i = 0; i < static_cast<int>(ReportLimits::rows); ++i) {
    const float score = .352F + .000064F * static_cast<float>((i * 7919) % 10'000);
    const bool identical = score > .985F;
    ReportRow row;
    const std::string text = fmt::format(
        "第{}号渡船的航海日志。清晨六点离岸，风力三级，船上有乘客{}人，货物{}箱。雾在七点散去，河口的灯塔"
        "一直亮到八点。",
        i, 20 + i % 70, 3 + i % 11);
    const std::string edited =
        identical ? text
                  : fmt::format(
                        "第{}号渡船的航海日志。清晨六点半离岸，风力四级，船上有乘客{}人，货物{}箱。"
                        "雾到九点才散，河口的灯塔一直亮到八点。",
                        i, 20 + i % 70, 4 + i % 11);
    Evidence evidence = evidence_of(text, edited, 1'000, 1'000);
    row.a = {fmt::format("doc-{:05}", i), fmt::format("mixed/part-{}.jsonl:{}", i % 5, 2 + i * 4), 4,
             text.size(), std::move(evidence.a)};
    row.b = {fmt::format("doc-{:05}", (i * 31) % 40'000 + 11'302),
             fmt::format("harbour/notes.jsonl:{}", i + 3'000), i % 3 == 0 ? 1U : 4U, edited.size(),
             std::move(evidence.b)};
    row.scores = scores(identical    ? Measure::identical
                        : i % 4 == 0 ? Measure::containment
                                     : Measure::jaccard,
                        score, std::max(.70F, score));
    row.margin = margin_of(Rule{}, row.scores, 60, 60);
    row.loss = Loss{.own = 60};
    if (!identical) row.loss->lost = row.loss->longest = static_cast<std::uint32_t>(i % 4);
    data.rows.push_back(std::move(row));
  }
  for (const TwoTexts& texts : removed_pairs()) {
    const auto source = static_cast<std::uint32_t>(&texts - removed_pairs().data());
    data.rows.push_back(row_of(texts, RowOutcome::removed, source, source));
  }
  data.rows.back().a.title = "The second title";
  for (EvidencePart& part : data.rows.back().a.parts)
    if (part.passage == 0) part.families = 12;  // a template of its site that the other text lacks
  for (const TwoTexts& texts : kept_pairs()) data.rows.push_back(row_of(texts, RowOutcome::stay, 1, 1));
  for (const TwoTexts& texts : kept_pairs()) {
    data.rows.push_back(row_of(texts, RowOutcome::relative, 1, 1));
    data.rows.back().borderline = false;
  }
  data.by_losses = true;
  data.relatives = 1'204;
  data.removed_units = 4'310'000;
  data.lost_units = 21'550;
  data.all_rows = data.removed;
  data.rows_file = "removed.jsonl";
  if (hostile) add_hostility(data);
  if (hostile) data.cosine = 0.9;  // of a run with vectors
  return data;
}

}  // namespace leitong
