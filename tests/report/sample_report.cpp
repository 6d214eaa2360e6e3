#include "report/sample_report.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace leitong {
namespace {

struct TwoTexts {
  const char *id_a, *place_a, *a;
  const char *id_b, *place_b, *b;
  VerifiedPair scores;
  const char* outcome;
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
       scores(Measure::jaccard, .3612F, .5147F), "left for tea-0032"},
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
       scores(Measure::jaccard, .3744F, .6021F), "left for lighthouse-a"},
      {"recipe-88-reprint", "kitchen/recipes.csv:88",
       "番茄炒蛋的要紧处在火候。蛋要打散到起泡，油温七成下锅，边缘一鼓就盛出；番茄去皮切块，小火熬出汁水，再"
       "把蛋倒回去，翻两下即可。"
       "喜甜的加半勺糖，喜咸的最后撒盐。\n\nServes two. Ready in ten minutes.",
       "recipe-12", "kitchen/recipes.csv:12",
       "家常菜里，番茄炒蛋的要紧处在火候。蛋要打散到起泡，油温七成下锅，边缘一鼓就盛出；番茄去皮切块，小火熬"
       "出汁水，再把蛋倒回去，翻两下即可。"
       "出锅前尝一尝，喜甜的加半勺糖。剩下的汤汁拌面最好。\n\nServes two. Ready in ten minutes, or fifteen "
       "with noodles.",
       scores(Measure::containment, .3391F, .7058F), "left for recipe-12"},
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
       scores(Measure::jaccard, .3391F, .4410F), "both stay: Jaccard .339 is below the threshold .364"},
      {"poem-moon-2", "poems/late.jsonl:58",
       "月亮落进井里，\n井水没有变高。\n我把桶放下去，\n提上来的是半桶晚风。", "poem-moon-1",
       "poems/early.jsonl:9",
       "月亮落进井里，\n井水没有变高。\n孩子趴在石沿上，\n数自己的影子，数到第三个就睡着了。",
       scores(Measure::jaccard, .3125F, .5263F), "both stay: Jaccard .313 is below the threshold .350"},
  };
  return pairs;
}

ReportPair side_by_side(const TwoTexts& texts) {
  return {{texts.id_a, texts.place_a, texts.a},
          {texts.id_b, texts.place_b, texts.b},
          texts.scores,
          shared_passages(texts.a, texts.b).passages,
          texts.outcome};
}

ReportHistogram histogram(std::string name, std::array<std::uint64_t, 21> bins,
                          std::vector<double> thresholds) {
  return {std::move(name), bins, std::move(thresholds)};
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
    data.removals.insert(data.removals.begin(),
                         {attack, "hostile.jsonl:" + attack, attack, Measure::jaccard, .1F});
    data.least_similar_removed.push_back({{attack, attack, attack},
                                          {attack, attack, attack},
                                          scores(Measure::jaccard, .5F, .5F),
                                          {{{0, attack.size()}, {0, attack.size()}}},
                                          attack});
    data.largest_clusters.push_back(
        {{attack, attack, attack}, 2, {{{attack, attack, attack}, Measure::jaccard, .5F}}});
    data.warnings.push_back({attack, attack, {attack}});
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
                   {"rule", "Jaccard ≥ .35 to .40, or containment ≥ .70 from 64 shingles"},
                   {"keep", "longest"},
                   {"threads", "2"},
                   {"output", "kept.jsonl.zst"}};
  data.records = 48'210;
  data.kept = 36'871;
  data.removed = 11'302;
  data.quarantined = 37;
  data.clusters = 7'415;
  data.pairs = 24'908;
  data.exact_copies = 3'120;
  data.bytes = 91'400'000;
  data.kept_bytes = 68'920'000;
  data.peak_memory = 148'000'000;
  data.seconds = .812;
  data.stage_seconds = {{"read and sketch", .431}, {"find candidates", .102}, {"verify", .164},
                        {"cluster", .011},         {"audit", .038},           {"write", .066}};
  data.recall = ReportRecall{2'000, 1'031, 1'030, 0};
  data.warnings = {
      {"3 ids occur more than once",
       "The records are told apart by their places. Outputs that go by id alone can't tell them apart; "
       "--strict stops at the first.",
       {"ferry-east: harbour/notes.jsonl:2001 and harbour/notes.jsonl:2077",
        "poem-moon-2: poems/late.jsonl:58 and poems/early.jsonl:301"}},
      {"18 groups are chained",
       "Their documents are linked through others without all being similar to one; more than one of each "
       "group stays. Nothing was merged through a chain.",
       {}},
      {"4 documents share only common passages and found no partner",
       "They may belong to a family of templates. --exact compares them all.",
       {}},
  };
  data.quarantine_reasons = {{"broken JSON", 21}, {"field \"text\" is missing", 12}, {"invalid UTF-8", 4}};
  data.histograms = {
      histogram("Jaccard", {0,   0,    0,    0,    2,    9,    31,   160,  402,  611, 702,
                            845, 1090, 1340, 1722, 2205, 2961, 3508, 3902, 2298, 3120},
                {.35}),
      histogram("Containment", {0,   0,   0,   0,    0,    0,    0,    2,    21,   90,  160,
                                241, 402, 530, 1201, 1960, 2540, 3611, 4870, 5080, 4200},
                {.70}),
  };
  data.cluster_sizes = {{2, 5'871}, {3, 902}, {4, 311}, {5, 120}, {6, 71}, {9, 62},
                        {12, 40},   {31, 20}, {38, 9},  {61, 7},  {70, 1}, {214, 1}};
  for (const TwoTexts& texts : removed_pairs()) data.least_similar_removed.push_back(side_by_side(texts));
  for (const TwoTexts& texts : kept_pairs()) data.most_similar_kept.push_back(side_by_side(texts));
  add_clusters(data);
  for (int i = 0; i < 11'302; ++i) {
    const float score = .352F + .000057F * static_cast<float>((i * 7919) % 11'302);
    data.removals.push_back({fmt::format("doc-{:05}", i),
                             fmt::format("mixed/part-{}.jsonl:{}", i % 5, 2 + i * 4),
                             fmt::format("doc-{:05}", (i * 31) % 40'000 + 11'302),
                             score > .99F ? Measure::identical : Measure::jaccard, score});
  }
  data.removed_file = "removed.jsonl";
  if (hostile) add_hostility(data);
  return data;
}

}  // namespace leitong
