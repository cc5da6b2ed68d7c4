// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/present/event_story.h"
#include "app/session/session.h"
#include "app/session/tries.h"

#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace binade::app {

class EmptyState;
class TryChoices;
class TryPage;

/// *Try*: two policies compared by training. Shows the choices, the progress, the newest result or one that was
/// chosen elsewhere, and what to do about it: keep the edit, undo it, or apply a policy that was only tried.
class TryDock : public Dock {
  Q_OBJECT

 public:
  /// `session` must outlive the dock.
  explicit TryDock(Session* session, QWidget* parent = nullptr);

  TryChoices* choices() const { return choices_; }
  TryPage* page() const { return page_; }
  EmptyState* empty() const { return empty_; }
  QPushButton* cancelButton() const { return cancel_; }
  QPushButton* keepButton() const { return keep_; }
  QPushButton* undoButton() const { return undo_; }
  QPushButton* rewindButton() const { return rewind_; }
  QLabel* message() const { return message_; }
  /// Returns why the newest edit cannot be tried; empty: it can.
  QString whyNoNewestEdit() const;
  QLabel* progressText() const { return progress_text_; }
  QLabel* progressNames() const { return progress_names_; }

 public Q_SLOTS:
  /// Tries the newest edit of the policy against what it replaced.
  void tryNewestEdit();
  /// Tries a policy, without applying it, against the edited one. `name`: of the change.
  void tryPolicy(const binade::policy::Policy& after, const QString& name);
  /// Tries the rules of a fix; its loss scale is not part of a policy.
  void tryFix(const binade::app::FixChoice& fix);
  /// Starts a Try with the dock's steps and repetitions.
  void start(const binade::app::TryWish& wish);
  /// Shows one of the run's Tries, an index of RunModel::trials().
  void showTrial(int index);

 Q_SIGNALS:
  void problem(const binade::app::Problem& problem);
  /// A Try starts, and the dock shows it.
  void startRequested();
  /// A Try ended, while the dock may be out of sight.
  void ended(const QString& sentence, const QString& hint);

 private:
  QWidget* makeProgress();
  QWidget* makeButtons();
  void connectSession();
  void begin();
  void showProgress(qint64 done, qint64 of);
  void showSoFar(const wire::Trial& trial);
  void end(const TryResult& result, int trial);
  void update();
  void updateChoices();
  void updateAnswer();
  void showEmpty();
  void showMessage(const std::optional<Problem>& problem);
  void answer();
  void scrollToTop();
  QString nameOf(const policy::Policy& policy) const;

  Session* session_;
  std::optional<wire::Trial> shown_;
  bool answered_ = false;  ///< the person has decided about what is shown
  bool refused_ = false;   ///< the message says why a Try was not started
  QToolButton* other_;
  TryChoices* choices_;
  QWidget* progress_box_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QLabel* progress_text_ = nullptr;
  QLabel* progress_names_ = nullptr;  ///< of both policies
  QPushButton* cancel_;
  QLabel* message_;
  TryPage* page_;
  QScrollArea* scroll_;
  EmptyState* empty_ = nullptr;
  QWidget* buttons_ = nullptr;
  QPushButton* keep_;
  QPushButton* undo_;
  QPushButton* rewind_;
};

}  // namespace binade::app
