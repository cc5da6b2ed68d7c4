// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTimer>

#include <functional>
#include <vector>

namespace binade::app {

class RunModel;

/// Collects the changes that an engine reports of a run, and applies them together a few times per second, as one frame
/// of the model.
class FrameQueue {
 public:
  /// `run` must outlive the queue.
  explicit FrameQueue(RunModel* run);

  /// Adds a change. Changes are applied in their order.
  void add(std::function<void()> change);
  /// Applies all changes now.
  void flush();

 private:
  RunModel* run_;
  std::vector<std::function<void()>> changes_;
  QTimer timer_;
};

}  // namespace binade::app
