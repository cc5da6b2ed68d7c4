// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/worker.h"
#include "views/graph/graph_layout.h"

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>

#include <cstddef>
#include <functional>
#include <limits>

namespace binade::app {

/// Lays graphs out beside the GUI thread: with Graphviz's `dot` where it is installed, otherwise, or if it fails, by
/// views::layOut() on a thread of its own. A `dot` that prints anything else is not started again; one that takes too
/// long is not started again for as many boxes. Used on the GUI thread.
class GraphLayouter : public QObject {
  Q_OBJECT

 public:
  using Done = std::function<void(views::LayoutPlaces)>;

  /// Graphs up to this many boxes take less than a millisecond and are laid out at once if there is no `dot`.
  static constexpr std::size_t kAtOnce = 60;

  /// `dot`: the program; empty: none.
  explicit GraphLayouter(const QString& dot = findDot(), QObject* parent = nullptr);
  /// Ends a `dot` that runs.
  ~GraphLayouter() override;

  /// The program named by the environment variable BINADE_DOT, which may be empty, or `dot` on the search path. None
  /// by default without a display, so that pictures are the same on every machine.
  static QString findDot();

  /// Calls `done` on this thread. Drops a graph that is still being laid out.
  void layOut(views::LayoutInput input, Done done);
  /// Milliseconds that `dot` may take. Default: 3,000.
  void setTimeout(int timeout) { timer_.setInterval(timeout); }
  /// Whether the newest layout is by `dot`.
  bool usedDot() const { return used_dot_; }

 private:
  void startDot();
  void dotEnded(bool good);
  void endDot();
  void layOutHere();
  void deliver(views::LayoutPlaces places);

  QString dot_;
  std::size_t fewer_than_ = std::numeric_limits<std::size_t>::max();  ///< boxes for which `dot` is fast enough
  views::LayoutInput input_;
  Done done_;
  QProcess* process_ = nullptr;  ///< null: no `dot` runs
  QByteArray output_;
  QTimer timer_;
  Worker worker_;
  bool used_dot_ = false;
};

}  // namespace binade::app
