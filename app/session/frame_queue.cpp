// SPDX-License-Identifier: Apache-2.0
#include "app/session/frame_queue.h"

#include "app/model/run_model.h"

#include <utility>

namespace binade::app {

namespace {

// Hundreds of steps arrive per second. They are shown together, a few times a second.
constexpr int kFrameMs = 200;

}  // namespace

FrameQueue::FrameQueue(RunModel* run) : run_(run) {
  timer_.setSingleShot(true);
  timer_.setInterval(kFrameMs);
  QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { flush(); });
}

void FrameQueue::add(std::function<void()> change) {
  changes_.push_back(std::move(change));
  if (!timer_.isActive()) timer_.start();
}

void FrameQueue::flush() {
  timer_.stop();
  run_->beginFrame();
  // Changes that arrive while these are applied belong to the next frame.
  for (const auto& change : std::exchange(changes_, {})) change();
  run_->endFrame();
}

}  // namespace binade::app
