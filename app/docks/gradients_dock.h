// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/docks/tensor_picker.h"
#include "app/model/run_model.h"
#include "app/session/selection.h"
#include "views/gradient_view.h"

#include <vector>

class QComboBox;
class QLabel;
class QPushButton;

namespace binade::app {

class EmptyState;

/// The exponents of one tensor: heat map over steps, histogram of the current step, effect of other loss scales. One
/// list selects the op call, the other its tensor: gradients, output, arguments, parameters. Unobserved tensors are
/// listed too, with what would observe them. Initially shows the earliest layer's gradient. After an edit, the same
/// tensor of the op call continues the display.
class GradientsDock : public Dock {
  Q_OBJECT

 public:
  /// All three must outlive the dock.
  GradientsDock(RunModel* run, Selection* selection, views::StepAxis* axis, QWidget* parent = nullptr);

  views::GradientView* view() const { return view_; }
  QComboBox* callCombo() const;
  /// The tensors of that op call; data is the WatchedTensor::id, or -1 if there is nothing to show.
  QComboBox* tensorCombo() const;
  EmptyState* empty() const { return empty_; }
  /// Starts observing the selected tensor; hidden if no setting would.
  QPushButton* remedy() const { return remedy_; }

 Q_SIGNALS:
  void scaleRequested(double scale);
  void observeRequested(const binade::wire::ObserveConfig& observe);

 private:
  void rebuild();
  void refresh();
  void showMissing(const TensorChoice& choice);
  void showNothing();
  void showTensor();
  void showNote(const TensorTrack& shown);
  void appendNew();
  void markPolicy(int index);
  void showStats();
  double scaleLog2(const TensorTrack& track, double scale) const;
  /// All watched tensors that are this one under other ids (before and after edits), oldest first.
  std::vector<const TensorTrack*> history() const;

  RunModel* run_;
  Selection* selection_;
  TensorPicker* picker_;
  QLabel* note_;
  views::GradientView* view_;
  QPushButton* remedy_;
  QWidget* header_;
  EmptyState* empty_;
  wire::ObserveConfig remedied_;  ///< requested by the button
  std::int64_t fed_ = -1;         ///< newest step in the heat map
};

}  // namespace binade::app
