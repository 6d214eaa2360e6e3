#include "gather.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace leitong::server {

void Gather::submit(Task task, std::vector<online::Text> texts, const online::Wanted& wanted,
                    online::ExpectedVersion expected, Done done, std::shared_ptr<const void> keep) {
  {
    const std::scoped_lock lock(mutex_);
    Lane& lane = lanes_[static_cast<std::size_t>(task)];
    lane.waiting.push_back({std::move(texts), wanted, expected, std::move(done)});
    if (lane.at_work == kMostAtWork) return;
    ++lane.at_work;
  }
  post(task, std::move(keep));
}

void Gather::post(Task task, std::shared_ptr<const void> keep) {
  workers_.post([this, task, keep = std::move(keep)]() mutable { work(task, std::move(keep)); });
}

std::vector<Gather::Waiting> Gather::take(Lane& lane) {
  std::size_t texts = 0, count = 0;
  const auto fits = [&](const Waiting& next) {
    const Waiting& first = lane.waiting.front();
    // Who expects a version is a call alone.
    return !first.expected && !next.expected && first.wanted.passages == next.wanted.passages &&
           first.wanted.matches == next.wanted.matches && texts + next.texts.size() <= kMostTexts;
  };
  while (count < lane.waiting.size() && (count == 0 || fits(lane.waiting[count])))
    texts += lane.waiting[count++].texts.size();
  const auto end = lane.waiting.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<Waiting> taken(std::move_iterator(lane.waiting.begin()), std::move_iterator(end));
  lane.waiting.erase(lane.waiting.begin(), end);
  return taken;
}

void Gather::work(Task task, std::shared_ptr<const void> keep) {
  Lane& lane = lanes_[static_cast<std::size_t>(task)];
  std::vector<Waiting> requests;
  {
    const std::scoped_lock lock(mutex_);
    requests = take(lane);
  }
  if (!requests.empty()) call(task, std::move(requests));
  {
    const std::scoped_lock lock(mutex_);
    if (lane.waiting.empty()) {
      --lane.at_work;
      return;
    }
  }
  post(task, std::move(keep));  // behind the other work that waits
}

void Gather::call(Task task, std::vector<Waiting> requests) {
  std::vector<online::Text> texts;
  for (const Waiting& request : requests)
    texts.insert(texts.end(), request.texts.begin(), request.texts.end());
  ++calls_;
  texts_ += texts.size();
  const online::Wanted& wanted = requests.front().wanted;
  const auto answers_of = [&] {
    if (task == Task::check) return std::as_const(index_).check(texts, wanted);
    const online::ExpectedVersion expected = requests.front().expected;
    return task == Task::add ? index_.add(texts, expected) : index_.check_and_add(texts, wanted, expected);
  };
  Result<std::vector<online::Answer>> answers = answers_of();
  std::size_t at = 0;
  for (Waiting& request : requests) {
    const std::size_t n = request.texts.size();
    if (!answers) {
      request.done(tl::unexpected<Error>(answers.error()));
    } else {
      const auto begin = answers->begin() + static_cast<std::ptrdiff_t>(at);
      request.done(std::vector<online::Answer>(std::move_iterator(begin),
                                               std::move_iterator(begin + static_cast<std::ptrdiff_t>(n))));
    }
    at += n;
  }
}

}  // namespace leitong::server
