// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/heartbeat.h"

#include "engine/formats/error.h"

#include <sstream>
#include <utility>

namespace binade::ranks {

namespace {

std::string key_of(int rank) {
  return "beat/" + std::to_string(rank);
}

}  // namespace

Heartbeat::Heartbeat(Store store, int rank, std::chrono::milliseconds interval)
    : store_(std::move(store)), key_(key_of(rank)), interval_(interval) {
  store_.set(key_, text(0));
  thread_ = std::thread([this] { beat(); });
}

Heartbeat::~Heartbeat() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Heartbeat::set_work(std::string work) {
  const std::scoped_lock lock(mutex_);
  work_ = std::move(work);
}

std::string Heartbeat::work() const {
  const std::scoped_lock lock(mutex_);
  return work_;
}

std::string Heartbeat::text(std::uint64_t count) const {
  std::ostringstream text;
  text << count << ' ' << position_ << ' ' << work_;
  return text.str();
}

void Heartbeat::beat() {
  std::uint64_t count = 0;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const std::string now = text(++count);
    lock.unlock();
    try {
      store_.set(key_, now);
    } catch (const Error&) {
      return;  // the store's host has ended, which the training thread reports at its next collective operation
    }
    lock.lock();
    changed_.wait_for(lock, interval_, [this] { return stopping_; });
  }
}

BeatWatch::BeatWatch(Store& store, int ranks) : store_(store), seen_(static_cast<std::size_t>(ranks)) {
  for (int rank = 0; rank < ranks; ++rank) keys_.push_back(key_of(rank));
}

void BeatWatch::look() {
  const std::vector<std::string> texts = store_.get_all(keys_);
  for (std::size_t rank = 0; rank < seen_.size(); ++rank) {
    std::istringstream words(texts[rank]);
    Beat beat;
    words >> beat.count >> beat.position;
    words.get();
    std::getline(words, beat.work);
    Seen& seen = seen_[rank];
    if (beat.count != seen.beat.count) seen.changed = std::chrono::steady_clock::now();
    seen.beat = std::move(beat);
  }
}

std::chrono::milliseconds BeatWatch::silence(int rank) const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               seen_[static_cast<std::size_t>(rank)].changed);
}

}  // namespace binade::ranks
