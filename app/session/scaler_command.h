// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <QUndoCommand>

#include <functional>

namespace binade::app {

/// Changing a scaler's parameters in a live run, as one undo step. Undo restores the parameters; it does not undo
/// training.
class ScalerCommand : public QUndoCommand {
 public:
  static constexpr int kId = 2;  ///< policy edits have none

  using Tune = std::function<void(const wire::ScalerConfig&)>;

  ScalerCommand(const wire::ScalerConfig& before, const wire::ScalerConfig& after, Tune tune, const QString& text)
      : QUndoCommand(text), before_(before), after_(after), tune_(std::move(tune)) {}

  void undo() override { tune_(before_); }
  void redo() override { tune_(after_); }
  int id() const override { return kId; }

 private:
  wire::ScalerConfig before_;
  wire::ScalerConfig after_;
  Tune tune_;
};

}  // namespace binade::app
