#include "gather.hpp"

#include <fmt/core.h>

#include <exception>
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

namespace {

/// Usually there was no memory: the index and the server continue.
Error failed(const std::exception& error) {
  return {ErrorCode::io, fmt::format("the request could not be worked on: {}; try again", error.what())};
}

}  // namespace

void Gather::give_up(Lane& lane, const Error& why) {
  std::vector<Waiting> refused;
  {
    const std::scoped_lock lock(mutex_);
    --lane.at_work;
    refused.swap(lane.waiting);
  }
  for (Waiting& request : refused) request.done(tl::unexpected<Error>(why));
}

void Gather::post(Task task, std::shared_ptr<const void> keep) {
  try {
    workers_.post([this, task, keep = std::move(keep)]() mutable { work(task, std::move(keep)); });
  } catch (const std::exception& error) {
    give_up(lanes_[static_cast<std::size_t>(task)], failed(error));
  }
}

std::vector<Gather::Waiting> Gather::take(Lane& lane) {
  std::size_t texts = 0, count = 0;
  const auto fits = [&](const Waiting& next) {
    const Waiting& first = lane.waiting.front();
    // A request with an expected version is a call of its own.
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
  try {
    std::vector<Waiting> requests;
    {
      const std::scoped_lock lock(mutex_);
      requests = take(lane);
    }
    if (!requests.empty()) call(task, std::move(requests));
  } catch (const std::exception& error) {
    return give_up(lane, failed(error));
  }
  {
    const std::scoped_lock lock(mutex_);
    if (lane.waiting.empty()) {
      --lane.at_work;
      return;
    }
  }
  post(task, std::move(keep));  // after the other waiting work
}

void Gather::call(Task task, std::vector<Waiting> requests) {
  const auto answers_of = [&]() -> Result<std::vector<online::Answer>> {
    try {
      std::vector<online::Text> texts;
      for (const Waiting& request : requests)
        texts.insert(texts.end(), request.texts.begin(), request.texts.end());
      ++calls_;
      texts_ += texts.size();
      const online::Wanted& wanted = requests.front().wanted;
      if (task == Task::check) return std::as_const(index_).check(texts, wanted);
      const online::ExpectedVersion expected = requests.front().expected;
      return task == Task::add ? index_.add(texts, expected) : index_.check_and_add(texts, wanted, expected);
    } catch (const std::exception& error) {
      return tl::unexpected<Error>(failed(error));
    }
  };
  Result<std::vector<online::Answer>> answers = answers_of();
  std::size_t at = 0;
  for (Waiting& request : requests) {
    const std::size_t n = request.texts.size();
    if (!answers) {
      request.done(tl::unexpected<Error>(answers.error()));
    } else {
      request.done(std::span(*answers).subspan(at, n));
    }
    at += n;
  }
}

}  // namespace leitong::server
