// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
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
  /// Ends the frame early, for a change that the user waits for: at once, or as soon as the GUI thread has had as much
  /// time for other work as the last frame took, and at least 16 ms.
  void hurry();
  /// Applies all changes now.
  void flush();

 private:
  RunModel* run_;
  std::vector<std::function<void()>> changes_;
  QTimer timer_;
  QElapsedTimer since_frame_;
  qint64 rest_ms_ = 0;  ///< least time between the last frame and one that is ended early
};

}  // namespace binade::app
