// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/present/event_story.h"
#include "app/session/selection.h"

class QLabel;
class QPushButton;
class QTableView;
class QToolButton;

namespace binade::views {
class ChainView;
}

namespace binade::app {

class CellModel;
class EmptyState;
class InspectorPage;

/// One event: summary, verdict, folded chain, what was tried, what happened, the op's inputs, and an explanation.
/// *Apply fix* requests one undoable change. Without events it shows a notice, and offers the comparison with float32.
class InspectorDock : public Dock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  InspectorDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  const EventStory& story() const { return story_; }
  InspectorPage* page() const { return page_; }
  EmptyState* empty() const { return empty_; }
  QPushButton* compareButton() const { return compare_; }

 Q_SIGNALS:
  void fixRequested(const binade::app::FixChoice& fix);
  /// The fix should be tried before it is applied.
  void tryRequested(const binade::app::FixChoice& fix);
  /// A policy that does not fail should be searched for.
  void repairRequested();
  /// An op call in the chain was clicked.
  void siteRequested(int site);
  void comparisonRequested();

 private:
  void showStory(int index);
  void updateEmpty();
  void updateAdvice();

  RunModel* run_;
  Selection* selection_;
  EventStory story_;
  int shown_ = -1;
  InspectorPage* page_;
  EmptyState* empty_;
  QPushButton* compare_;
};

}  // namespace binade::app
