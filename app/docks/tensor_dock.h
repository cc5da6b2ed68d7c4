// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/model/run_model.h"
#include "app/session/selection.h"

class QPushButton;
class QStackedWidget;

namespace binade::views {
class LinePlot;
class ReasonCard;
class StepAxis;
}  // namespace binade::views

namespace binade::app {

class StepMarks;

/// Tensor-core use of the device over steps, on the step axis of the loss scale: a band from the lowest to the highest
/// slice in a step, their mean, and the source of the figures. Skipped steps and edits are marked. If nothing can be
/// measured, a card explains why and nothing is drawn. For a run on several ranks it draws the mean of the ranks, or
/// one of them.
class TensorDock : public Dock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  TensorDock(RunModel* run, views::StepAxis* axis, QWidget* parent = nullptr);

  /// Lets the user choose the rank whose use is drawn. `selection` must outlive the dock.
  void addRankChoice(Selection* selection);
  views::LinePlot* plot() const { return plot_; }
  /// Draws the curve of another run over this one's, under its name; null: none. It must outlive the dock, or be taken
  /// away.
  void setSecond(const RunModel* second, const QString& name);
  views::ReasonCard* card() const { return card_; }
  bool showsCard() const;

 Q_SIGNALS:
  /// The card's buttons were clicked.
  void connectRequested();
  void openRequested();
  void checkAgainRequested();

 private:
  void rebuild();
  void append();
  void updateCard();
  /// What is drawn for a run on several ranks; null: the curve of the device.
  const views::Series* ofRanks() const;

  class Now;

  RunModel* run_;
  const Selection* selection_ = nullptr;
  const views::Series* source_ = nullptr;  ///< the drawn ofRanks()
  const RunModel* second_ = nullptr;
  views::LinePlot* plot_;
  StepMarks* marks_;
  Now* now_;
  views::ReasonCard* card_;
  QStackedWidget* pages_;
  QPushButton* connect_;
  QPushButton* again_;
  std::size_t drawn_ = 0;
};

}  // namespace binade::app
