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
/// tensor of the op call continues the display. With a second run, its histogram is an outline over that of the first,
/// and a list selects the run of the heat map.
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
  /// Selects the run of the heat map; hidden without a second run that has the tensor.
  QComboBox* heatRun() const { return heat_run_; }
  /// Shows another run beside this one, under its name; null: none. It must outlive the dock, or be taken away. Call
  /// again when it has more statistics.
  void setSecond(const RunModel* second, const QString& name);
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
  void show(const TensorTrack& track, const formats::TensorStats& stats, std::int64_t step, double scale);
  void showSecond(std::int64_t step);
  void updateSecond();
  bool showsSecondHeat() const;
  static double scaleLog2(const RunModel& run, const TensorTrack& track, double scale);
  /// The shown tensor before and after edits, oldest first.
  std::vector<const TensorTrack*> history() const;

  RunModel* run_;
  Selection* selection_;
  const RunModel* second_ = nullptr;
  QString second_name_;
  std::vector<const TensorTrack*> in_second_;  ///< the shown tensor there; empty: it has none
  TensorPicker* picker_;
  QComboBox* heat_run_;
  QLabel* note_;
  views::GradientView* view_;
  QPushButton* remedy_;
  QWidget* header_;
  EmptyState* empty_;
  wire::ObserveConfig remedied_;  ///< requested by the button
  std::int64_t fed_ = -1;         ///< newest step in the heat map
};

}  // namespace binade::app
