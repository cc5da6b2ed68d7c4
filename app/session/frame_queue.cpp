// SPDX-License-Identifier: Apache-2.0
#include "app/session/frame_queue.h"

#include "app/model/run_model.h"

#include <algorithm>
#include <utility>

namespace binade::app {

namespace {

// Hundreds of steps arrive per second. They are shown together, a few times a second.
constexpr int kFrameMs = 200;
// A run can overflow in every step: frames that end early leave the GUI thread at least half of its time.
constexpr qint64 kLeastRestMs = 16;

}  // namespace

FrameQueue::FrameQueue(RunModel* run) : run_(run) {
  timer_.setSingleShot(true);
  QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { flush(); });
}

void FrameQueue::add(std::function<void()> change) {
  changes_.push_back(std::move(change));
  if (!timer_.isActive()) timer_.start(kFrameMs);
}

void FrameQueue::hurry() {
  if (changes_.empty()) return;
  const qint64 rested = since_frame_.isValid() ? since_frame_.elapsed() : rest_ms_;
  const int wait = static_cast<int>(std::max<qint64>(rest_ms_ - rested, 0));
  if (!timer_.isActive() || timer_.remainingTime() > wait) timer_.start(wait);
}

void FrameQueue::flush() {
  timer_.stop();
  QElapsedTimer took;
  took.start();
  run_->beginFrame();
  // Changes that arrive while these are applied belong to the next frame.
  for (const auto& change : std::exchange(changes_, {})) change();
  run_->endFrame();
  rest_ms_ = std::max(took.elapsed(), kLeastRestMs);
  since_frame_.start();
}

}  // namespace binade::app
