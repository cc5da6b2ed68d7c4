// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/dock.h"
#include "app/run_model.h"
#include "app/selection.h"
#include "views/gradient_view.h"

class QComboBox;
class QLabel;

namespace binade::app {

class EmptyState;

/// One tensor's exponents: heat map over steps, the histogram of the present step, what another loss scale would do.
/// Opens on the earliest layer's gradient. After an edit the tensor of the same call goes on where the old one ended.
class GradientsDock : public Dock {
  Q_OBJECT

 public:
  /// All three must outlive the dock.
  GradientsDock(RunModel* run, Selection* selection, views::StepAxis* axis, QWidget* parent = nullptr);

  views::GradientView* view() const { return view_; }
  QComboBox* tensorCombo() const { return combo_; }

 Q_SIGNALS:
  void scaleRequested(double scale);

 private:
  void rebuild();
  void fillCombo();
  void chooseFirst();
  void showTensor();
  void showNote(const TensorTrack& shown);
  void appendNew();
  void markPolicy(int index);
  void showStats();
  /// All watched tensors that are this one under other ids (before and after edits), oldest first.
  std::vector<const TensorTrack*> history() const;

  RunModel* run_;
  Selection* selection_;
  QComboBox* combo_;
  QLabel* note_;
  views::GradientView* view_;
  EmptyState* empty_;
  std::int64_t fed_ = -1;  ///< newest step in the heat map
  bool filling_ = false;
};

/// The gradient of the earliest call in execution order, -1 where no gradient is watched.
int earliestGradient(const RunModel& run);

}  // namespace binade::app
