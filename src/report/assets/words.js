// Every word of the page, in English and in Chinese. {name} stands for a value; of "one|many" the first is taken where
// {n} is 1.
const WORDS = {
  // the bar
  skip: ["Skip to the report", "跳到报告正文"],
  sections: ["Sections", "章节"],
  language: ["中文", "English"],
  language_hint: ["以中文显示", "Show in English"],
  dark: ["Dark", "深色"],
  light: ["Light", "浅色"],
  theme_hint: ["Switch to the other theme", "切换主题"],
  keys: ["Keys", "按键"],
  keys_hint: ["Show the keys (?)", "显示按键（?）"],
  page_title: ["{title} – leitong report", "{title} – 雷同报告"],
  made_by: ["Made by {generator}. This file holds texts of the documents themselves; share it as you would share them.",
    "由 {generator} 生成。本文件含有文档原文，请像对待原文一样对待它。"],
  // overview
  lede_none: ["No near-duplicates among {documents}.", "{documents}中没有发现雷同。"],
  lede_dedup: ["Of {documents}, {count} was a near-duplicate of another.|Of {documents}, {count} were near-duplicates of others.",
    "{documents}中，有 {count} 篇与其他文档雷同。"],
  lede_pairs: ["Among {documents}, {count} pair is similar.|Among {documents}, {count} pairs are similar.", "{documents}中，有 {count} 对相似。"],
  lede_cluster: ["Of {documents} in the pairs, {count} leaves.|Of {documents} in the pairs, {count} leave.", "文档对涉及{documents}，其中 {count} 篇被去除。"],
  lede_eval: ["{count} result held against the truth.|{count} results held against the truth.", "{count} 个结果与标注对照。"],
  documents: ["{n} document|{n} documents", "{n} 篇文档"],
  kept: ["kept", "保留"],
  removed: ["removed", "去除"],
  quarantined: ["quarantined", "隔离"],
  clusters: ["Clusters", "簇"],
  clusters_note: ["a kept document and those that left for it", "一篇保留的文档和因它去除的文档"],
  pairs: ["Verified pairs", "核实的文档对"],
  pairs_estimated: ["Estimated pairs", "估计的文档对"],
  copies_note: ["{n} copy besides|{n} copies besides", "另有 {n} 篇副本"],
  recall: ["Recall, measured", "召回率（实测）"],
  recall_of: ["{direct} of {n} pair of {documents} in the sample|{direct} of {n} pairs of {documents} in the sample", "抽样{documents}，{n} 对中找到 {direct} 对"],
  recall_stay: ["; of the missed, both texts stay in {n}", "；漏掉的对中，{n} 对的两篇都保留着"],
  not_measured: ["not measured", "未测量"],
  no_pair_sampled: ["the sample held no similar pair", "样本中没有相似的文档对"],
  no_sample: ["no sample was taken", "未抽样"],
  kept_bytes: ["Kept", "保留"],
  of_read: ["of {bytes} read", "共读入 {bytes}"],
  read_bytes: ["Read", "读入"],
  time: ["Time", "用时"],
  memory: ["Peak memory", "内存峰值"],
  under: ["under 0.1 %", "不到 0.1 %"],
  bytes: ["bytes", "字节"],
  minutes: ["min", "分钟"],
  hours: ["h", "小时"],
  // sources
  sources: ["Sources", "来源"],
  sources_title: ["Who copies whom", "谁与谁雷同"],
  sources_about: ["How many documents of one source were removed for a document of another one, and which share of the source's documents this is. The arrow says which document stays, not who wrote first: the keep policy decides that.",
    "某一来源有多少篇文档因另一来源的文档而去除，占该来源文档的几成。箭头只说明哪一篇保留下来，不说明谁写在先：那由保留策略决定。"],
  sources_about_pairs: ["How many similar pairs there are between two sources, or within one.", "两个来源之间（或同一来源之内）有多少对相似的文档。"],
  sources_by_0: ["A source is a file.", "来源即文件。"],
  sources_by_1: ["A source is a folder.", "来源即文件夹。"],
  sources_by_2: ["A source is the value of the field {field}.", "来源即字段 {field} 的值。"],
  source_from: ["From", "来源"],
  source_to: ["To", "去向"],
  source_a: ["Source", "来源"],
  source_b: ["Source", "来源"],
  source_same: ["the same source", "同一来源"],
  source_documents: ["Documents", "篇数"],
  source_pairs: ["Pairs", "对数"],
  source_share: ["Share", "占比"],
  source_show: ["Show these rows", "查看这些行"],
  source_none: ["(no value)", "（无值）"],
  sources_all: ["Show all {n}", "全部显示（{n}）"],
  sources_more: ["{n} smaller row isn't in this page.|{n} smaller rows aren't in this page.", "另有 {n} 行较小的不在本页。"],
  // attention
  attention: ["Attention", "注意"],
  attention_title: ["Worth your attention", "值得注意"],
  attention_none: ["Nothing: every record was read, and no number of this run asks for a second look.", "没有：所有记录都已读入，本次运行没有需要复查的数字。"],
  unreadable: ["{n} record could not be read as a document|{n} records could not be read as documents", "{n} 条记录无法读作文档"],
  unreadable_note: ["They are in no output; the rest of the run is not affected.", "它们不在任何输出中，其余结果不受影响。"],
  other_reasons: ["other reasons", "其他原因"],
  warn_no_records: ["No records were found in the input", "输入中没有记录"],
  warn_all_quarantined: ["Every record was quarantined", "所有记录都被隔离"],
  warn_without_signature: ["{n} document could not be compared|{n} documents could not be compared", "{n} 篇文档无法比较"],
  warn_without_signature_note: ["What they lack: {needs}. Only copies of them were looked for.", "缺少：{needs}。只查找了它们的副本。"],
  warn_without_keep_value: ["{n} of {all} similar documents had no value for the keep policy {keep}", "{all} 篇相似文档中有 {n} 篇没有保留策略 {keep} 所需的值"],
  warn_without_keep_value_note: ["They rank last: each left where another one of its cluster had a value.", "它们排在最后：同簇中有值的文档优先保留。"],
  warn_repeated_ids: ["{n} record repeats an earlier id|{n} records repeat an earlier id", "{n} 条记录的编号与前面的重复"],
  warn_repeated_ids_note: ["Here they are told apart by their places. Outputs that go by id alone can't tell them apart.", "本页按位置区分它们；只按编号的输出无法区分。"],
  warn_chained: ["{n} component is chained|{n} components are chained", "{n} 个连通分量首尾相连"],
  warn_chained_note: ["Their documents are linked through others without all being similar to one, so more than one of each stays. The largest component has {largest} documents.",
    "组内文档经由其他文档相连，但并非都与同一篇相似，因此每组保留不止一篇。最大的一组有 {largest} 篇。"],
  warn_missed_pairs: ["Some similar pairs were missed", "漏掉了一些相似的文档对"],
  warn_missed_pairs_note: ["Of {pairs} similar pairs in the sample the run found {direct}; {linked} lie within one component, and of {stay} both texts stay. --all-pairs compares all.",
    "样本中有 {pairs} 对相似，本次找到 {direct} 对；{linked} 对在同一连通分量内，{stay} 对的两篇都保留着。--all-pairs 会全部比较。"],
  warn_few_sampled: ["The recall was measured on a handful of documents", "召回率只在少数几篇文档上测得"],
  warn_few_sampled_note: ["The sample holds {pairs} similar pairs of {documents} documents. With {confidence} % confidence the run found between {low} and {high} of all (Wilson's interval).",
    "样本只有 {documents} 篇文档、{pairs} 对相似。置信度 {confidence}% 时，本次找到的比例在 {low} 与 {high} 之间（Wilson 区间）。"],
  warn_hash_collisions: ["{n} document had the hash of a different text|{n} documents had the hash of a different text", "{n} 篇文档与另一篇不同的文档哈希相同"],
  warn_hash_collisions_note: ["They were compared in full.", "已逐字比较。"],
  warn_hot_unmatched: ["{n} document shares only common passages, and found no partner|{n} documents share only common passages, and found no partner", "{n} 篇文档只有常见段落，没有找到相似者"],
  warn_hot_unmatched_note: ["One template may make them alike. --all-pairs compares them all.", "它们可能同属一个模板。--all-pairs 会全部比较。"],
  warn_unverified: ["Nothing was verified", "没有核实"],
  warn_unverified_note: ["The scores are the method's estimates alone.", "分数只是方法的估计。"],
  warn_no_texts: ["This page holds no texts", "本页不含原文"],
  warn_no_texts_note: ["The command read ids and scores, not the documents. leitong compare shows two texts side by side.", "该命令只读编号和分数，不读文档。leitong compare 可并排显示两篇原文。"],
  warn_judged_only: ["Only judged pairs count", "只计已标注的文档对"],
  warn_judged_only_note: ["The truth is a list of judged pairs. What it doesn't name is neither right nor wrong.", "标注是文档对的列表；其中没有的既不算对也不算错。"],
  warn_outside_gold: ["{n} row of the truth names a document that isn't there|{n} rows of the truth name documents that aren't there", "标注中有 {n} 行指向不存在的文档"],
  // evidence
  borderline: ["Borderline", "边界"],
  borderline_title: ["Borderline pairs", "边界上的文档对"],
  borderline_about: ["Where the rule was least sure. If these look right, the rest is. Shared passages have the same number and colour on both sides; characters that differ between two of them are underlined. Long texts are shown in part, with a note wherever something is left out.",
    "规则最没有把握的地方。如果这些看起来对，其余的也对。两侧相同的段落编号和颜色相同；段落之间不同的字加下划线。长文只显示一部分，省略处有说明。"],
  least_removed: ["The least similar that were removed", "去除的文档中最不相似的"],
  least_similar: ["The least similar pairs", "最不相似的文档对"],
  most_kept: ["The most similar that both stay", "都保留的文档中最相似的"],
  and: ["and", "与"],
  label_removed: ["Removed", "去除"],
  label_kept: ["Kept", "保留"],
  label_stays: ["Stays", "保留"],
  label_document: ["Document", "文档"],
  text_of: ["{label}: text", "{label}：正文"],
  left_out: ["{bytes} left out", "略去 {bytes}"],
  show_passage: ["Shared passage {n}: show it in the other text", "相同段落 {n}：在另一篇中显示"],
  passages: ["{n} shared passage|{n} shared passages", "{n} 处相同段落"],
  no_texts: ["The texts are not in this page. leitong compare shows two texts side by side.", "本页不含原文。leitong compare 可并排显示两篇原文。"],
  invisible: ["the invisible character {code}", "不可见字符 {code}"],
  above: ["{measure} {value}, {margin} above the rule", "{measure} {value}，比规则高 {margin}"],
  below: ["{measure} {value}, {margin} below the rule", "{measure} {value}，比规则低 {margin}"],
  at: ["{measure} {value}, exactly at the rule", "{measure} {value}，恰好达到规则"],
  refused: ["{measure} {value}; only common passages led to the pair, and of such a pair the rule asks more", "{measure} {value}；两篇只因常见段落相遇，对此规则要求更高"],
  identical_words: ["identical after folding", "归一化后完全相同"],
  estimate_words: ["estimate {value}, not verified", "估计 {value}，未核实"],
  no_rule_words: ["{measure} {value}", "{measure} {value}"],
  measure_0: ["Jaccard", "Jaccard 相似度"],
  measure_1: ["containment", "包含度"],
  measure_2: ["edit similarity", "编辑相似度"],
  measure_3: ["identical", "完全相同"],
  measure_4: ["estimate", "估计"],
  outcome_0: ["removed", "去除"],
  outcome_1: ["both stay", "都保留"],
  outcome_2: ["similar", "相似"],
  outcome_3: ["false positive", "误报"],
  outcome_4: ["false negative", "漏报"],
  left_for: ["left for {id}", "因 {id} 去除"],
  stays_beside: ["stays beside {id}", "与 {id} 都保留"],
  similar_to: ["similar to {id}", "与 {id} 相似"],
  false_positive_of: ["claimed the same as {id}; the truth says different", "判为与 {id} 相同，标注为不同"],
  false_negative_of: ["the same as {id} by the truth; not claimed", "标注为与 {id} 相同，未判出"],
  // marks
  mark: ["Judgement", "判断"],
  right: ["Right", "对"],
  wrong: ["Wrong", "错"],
  same: ["The same", "相同"],
  different: ["Different", "不同"],
  mark_same: ["Mark: the two are the same", "标记：两篇相同"],
  mark_different: ["Mark: the two are different", "标记：两篇不同"],
  marks: ["{n} pair marked: {same} the same, {different} different.|{n} pairs marked: {same} the same, {different} different.", "已标记 {n} 对：{same} 对相同，{different} 对不同。"],
  marks_none: ["Mark rows as right or wrong; the marks become labels for leitong eval and leitong tune.", "把各行标为对或错；标记可导出，供 leitong eval 和 leitong tune 使用。"],
  marks_skipped: ["{n} of them can't be exported: both documents have one id, or an id is too long to be in this page.", "其中 {n} 对无法导出：两篇编号相同，或编号过长，未全部写入本页。"],
  marks_use: ["Use: {command}", "用法：{command}"],
  export: ["Export labels", "导出标注"],
  clear: ["Clear all marks", "清除全部标记"],
  clear_sure: ["Press again to clear", "再按一次清除"],
  // charts
  scores: ["Scores", "分数"],
  scores_title: ["Scores and sizes", "分数与大小"],
  scores_about: ["Heights are logarithmic; the last bar is exactly 1. Dashed: where the rule begins to call two documents similar. A pair may lie left of one line because the other measure decided.",
    "高度为对数；最后一条恰好为 1。虚线：规则从此处起认为两篇相似。一对文档可能在某条线的左边，因为由另一指标判定。"],
  chart_of: ["of {n} verified pair|of {n} verified pairs", "共 {n} 对"],
  chart_label: ["{measure} of {n} pair|{measure} of {n} pairs", "{n} 对文档的{measure}"],
  exactly_one: ["exactly 1", "恰好为 1"],
  range: ["{from} to {to}", "{from} 至 {to}"],
  cluster_sizes: ["Cluster sizes", "簇的大小"],
  cluster_sizes_of: ["of {n} cluster|of {n} clusters", "共 {n} 簇"],
  cluster_sizes_label: ["How many clusters have how many documents", "各种大小的簇的数目"],
  from: ["From", "起"],
  size: ["Size", "大小"],
  // clusters
  clusters_largest: ["The {n} largest clusters", "最大的 {n} 个簇"],
  clusters_all: ["The clusters", "全部簇"],
  clusters_about: ["A cluster is a kept document and those that left for it, each directly similar to it. There is {n}.|A cluster is a kept document and those that left for it, each directly similar to it. There are {n}.",
    "一个簇是一篇保留的文档和因它去除的文档，每一篇都与它直接相似。共 {n} 个。"],
  kept_at: ["Kept: {place}.", "保留：{place}。"],
  left_some: ["{shown} of the {n} that left for it are shown, the least similar ones.", "因它去除的 {n} 篇中，显示最不相似的 {shown} 篇。"],
  left_all: ["{n} document left for it.|{n} documents left for it.", "因它去除 {n} 篇。"],
  place: ["Place", "位置"],
  measure: ["Measure", "指标"],
  score: ["Score", "分数"],
  first_words: ["First words", "开头"],
  document: ["Document", "文档"],
  // the list
  rows_removed: ["Removed", "去除"],
  rows_removed_title: ["Removed documents", "去除的文档"],
  rows_pairs: ["Pairs", "文档对"],
  rows_pairs_title: ["Similar pairs", "相似的文档对"],
  rows_errors: ["Errors", "错误"],
  rows_errors_title: ["False positives and false negatives", "误报与漏报"],
  rows_all: ["The row is in this page.|All {n} rows are in this page.", "全部 {n} 行都在本页。"],
  rows_some: ["{shown} of {n} rows are in this page: the {least} with the least margin to the rule, and an even sample of the others.", "{n} 行中有 {shown} 行在本页：离规则最近的 {least} 行，其余为均匀抽样。"],
  rows_errors_some: ["{shown} of {n} errors are in this page, chosen from all clusters.", "{n} 个错误中有 {shown} 个在本页，取自各个簇。"],
  rows_file: ["The full list is in {file}.", "完整列表在 {file}。"],
  rows_texts: ["Each row opens with at most {bytes} of either text.", "每行可展开，每篇最多显示 {bytes}。"],
  decision: ["Decision", "判定"],
  margin: ["Margin to the rule", "与规则的距离"],
  sort_by: ["Sort by: {column}", "排序：{column}"],
  open_row: ["Show the texts", "显示原文"],
  search: ["Search in ids, places and texts", "在编号、位置和正文中查找"],
  filter_outcome: ["Decision", "判定"],
  filter_measure: ["Measure", "指标"],
  filter_source: ["Source", "来源"],
  filter_score: ["Score from", "分数从"],
  filter_score_to: ["to", "到"],
  filter_marked: ["Marks", "标记"],
  filter_method: ["Result", "结果"],
  any: ["all", "全部"],
  marked_no: ["unmarked", "未标记"],
  marked_yes: ["marked", "已标记"],
  flow_filter: ["from {from} to {to}", "从 {from} 到 {to}"],
  reset: ["Clear filters", "清除筛选"],
  found: ["{n} row found.|{n} rows found.", "找到 {n} 行。"],
  missing: ["Nothing in this page matches.", "本页没有匹配的行。"],
  missing_more: ["Nothing in this page matches. Not every row is in this page; all are in {file}.", "本页没有匹配的行。本页不含所有行；完整列表在 {file}。"],
  previous: ["Previous", "上一页"],
  next: ["Next", "下一页"],
  page_of: ["page {page} of {pages}", "第 {page} 页，共 {pages} 页"],
  // figures against the truth
  figures: ["Figures", "指标"],
  figures_title: ["Against the truth", "与标注对照"],
  result: ["Result", "结果"],
  // how it ran
  run: ["Run", "运行"],
  run_title: ["How it ran", "运行情况"],
  settings: ["Settings", "设置"],
  stages: ["Time by stage", "各阶段用时"],
  setting_input: ["input", "输入"], setting_reference: ["reference", "参照"], setting_text: ["text", "正文字段"], setting_id: ["id", "编号字段"],
  setting_method: ["method", "方法"], setting_similar: ["similar", "相似"], setting_keep: ["keep", "保留策略"], setting_threads: ["threads", "线程"],
  setting_memory: ["memory", "内存"], setting_strict: ["strict", "严格"], setting_kept: ["kept", "保留"], setting_removed: ["removed", "去除"],
  setting_clusters: ["clusters", "簇"], setting_components: ["components", "连通分量"], setting_pairs: ["pairs", "文档对"], setting_quarantine: ["quarantine", "隔离"],
  setting_gold: ["truth", "标注"], setting_threshold: ["threshold", "阈值"], setting_measure: ["measure", "指标"],
  "value_threads_*": ["all", "全部"], "value_strict_*": ["yes", "是"],
  "stage_read and sketch": ["read and sketch", "读入与取样"], stage_join: ["find candidates", "查找候选"], "stage_find candidates": ["find candidates", "查找候选"],
  stage_verify: ["verify", "核实"], stage_cluster: ["cluster", "聚簇"], stage_audit: ["audit", "核查召回"], stage_write: ["write", "写出"],
  rule_default: ["Jaccard from {short} in short texts to {long} in long ones, or containment from {containment} where the shorter has {min} shingles",
    "Jaccard 相似度：短文从 {short} 起，长文从 {long} 起；或包含度从 {containment} 起（较短一篇至少 {min} 个片段）"],
  rule_one: ["{measure} from {threshold}", "{measure}从 {threshold} 起"],
  rule_estimate: ["as the method estimates; nothing was verified", "按方法的估计，未核实"],
  // keys
  help_title: ["Keys", "按键"],
  help_next: ["next row; an open row closes and the next one opens", "下一行；已展开则收起并展开下一行"],
  help_previous: ["previous row", "上一行"],
  help_open: ["open or close the row", "展开或收起"],
  help_right: ["mark: right", "标记：对"],
  help_wrong: ["mark: wrong", "标记：错"],
  help_unmark: ["take the mark back", "取消标记"],
  help_search: ["search", "查找"],
  help_pages: ["next page, previous page", "下一页，上一页"],
  help_ends: ["first row, last row of the page", "本页首行，末行"],
  help_export: ["export the marks", "导出标记"],
  help_help: ["this list", "本列表"],
  help_close: ["close this list; leave the search", "关闭本列表；离开查找"],
  help_off: ["Single keys are on", "启用单键"],
  close: ["Close", "关闭"],
  // paper
  paper: ["On paper: the overview, the sources, up to {pairs} borderline pairs of each kind and {rows} rows of the list as it is filtered and sorted, with the rows that are open. Long texts are cut. The page on the screen has more.",
    "打印内容：概览、来源、每类至多 {pairs} 对边界文档，以及列表按当前筛选和排序的 {rows} 行和已展开的行。长文会截断。屏幕上的页面内容更多。"],
};

const LANGUAGES = ["en", "zh-CN"];
let language = 0;

// The words for `key`; unknown ones come back as the part behind the first "_", so that a name that another version of leitong
// writes is shown as it is.
function t(key, values = {}) {
  return pattern(key, values).replace(/\{(\w+)\}/g, (all, name) => (name in values ? (typeof values[name] === "number" ? number(values[name]) : values[name]) : all));
}
// The same with nodes as values: a list of strings and nodes.
function say(key, values) {
  return pattern(key, values).split(/(\{\w+\})/).filter((part) => part !== "").map((part) => {
    const name = part.startsWith("{") ? part.slice(1, -1) : "";
    return name in values ? (typeof values[name] === "number" ? number(values[name]) : values[name]) : part;
  });
}
function pattern(key, values) {
  const entry = Object.hasOwn(WORDS, key) ? WORDS[key][language] : key.slice(key.indexOf("_") + 1);
  const [one, many] = entry.split("|");
  return many === undefined || values.n === 1 ? one : many;
}

const number = (value) => value.toLocaleString(LANGUAGES[language]);
const decimals = (value) => value.toFixed(3);
const percent = (part, whole) => {
  if (whole === 0) return "0 %";
  const value = (100 * part) / whole;
  if (part > 0 && value < 0.1) return t("under");
  return value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, "") + " %";
};
// Rounded down, so that only all is 100 %.
const share = (part, whole) => (part === whole ? "100 %" : (Math.floor((10000 * part) / whole) / 100).toFixed(2) + " %");
function bytes(value) {
  const units = [t("bytes"), "KB", "MB", "GB", "TB"];
  let unit = 0;
  for (; value >= 1000 && unit < 4; ++unit) value /= 1000;
  return (unit === 0 ? value : value.toPrecision(3)) + " " + units[unit];
}
function duration(seconds) {
  if (seconds < 0.1) return Math.round(seconds * 1000) + " ms";
  if (seconds < 120) return seconds.toPrecision(3) + " s";
  if (seconds < 7200) return (seconds / 60).toFixed(1) + " " + t("minutes");
  return (seconds / 3600).toFixed(1) + " " + t("hours");
}
