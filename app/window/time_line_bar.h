// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/session/selection.h"
#include "views/plot/step_slider.h"

#include <QToolBar>

#include <cstdint>
#include <optional>

class QSpinBox;
class QToolButton;

namespace binade::app {

/// The time line: a strip with the steps of the run, a field for a step, and the way back to the newest. All views show
/// the step that is chosen here; a live run goes on meanwhile. Empty runs have none.
class TimeLineBar : public QToolBar {
  Q_OBJECT

 public:
  /// Both must outlive the bar.
  TimeLineBar(const RunModel* run, Selection* selection, QWidget* parent = nullptr);

  /// The strip with the steps and marks.
  views::StepSlider* slider() const { return slider_; }
  /// The shown step, to be typed.
  QSpinBox* field() const { return field_; }
  /// The way back to the newest step; disabled while it is shown.
  QToolButton* newest() const { return newest_; }

 private:
  void update();
  void updateMarks();
  QString markText(const views::StepMark& mark) const;

  const RunModel* run_;
  Selection* selection_;
  views::StepSlider* slider_;
  QSpinBox* field_;
  QToolButton* newest_;
  bool marks_changed_ = true;
  std::optional<std::int64_t> field_shows_;
};

}  // namespace binade::app
