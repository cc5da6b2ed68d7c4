// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QUndoCommand>

#include <functional>

namespace binade::app {

/// Setting the loss scale of a live run, as one undo step. Undo sets the old scale; it does not undo training.
class ScaleCommand : public QUndoCommand {
 public:
  static constexpr int kId = 3;  ///< policy edits have none

  using Set = std::function<void(double)>;

  ScaleCommand(double before, double after, Set set, const QString& text)
      : QUndoCommand(text), before_(before), after_(after), set_(std::move(set)) {}

  void undo() override { set_(before_); }
  void redo() override { set_(after_); }
  int id() const override { return kId; }

 private:
  double before_;
  double after_;
  Set set_;
};

}  // namespace binade::app
