// SPDX-License-Identifier: Apache-2.0
// The window's arrangements: the places of the docks, which are stored from one start to the next.
#include "app/present/diagnose_answers.h"
#include "app/session/session.h"
#include "app/window/actions.h"
#include "app/window/main_window.h"

#include <QActionGroup>
#include <QCloseEvent>
#include <QScreen>
#include <QSettings>
#include <QTimer>

namespace binade::app {

namespace {

constexpr auto kGeometryKey = "window/geometry";
constexpr auto kLayoutKey = "window/layouts/%1";
constexpr auto kArrangementKey = "window/arrangement";
constexpr Arrangement kArrangements[] = {Arrangement::kExplore, Arrangement::kTune, Arrangement::kDiagnose,
                                         Arrangement::kProfile};

QString layoutKey(Arrangement which) {
  return QString::fromLatin1(kLayoutKey).arg(arrangementName(which));
}

}  // namespace

void MainWindow::setArrangement(Arrangement which) {
  for (QAction* action : actions_->arrangements->actions()) {
    if (action->data().toInt() == static_cast<int>(which)) action->setChecked(true);
  }
  if (which != arrangement_) {
    if (shows_run_) layouts_[arrangement_] = saveState(kLayoutVersion);
    arrangement_ = which;
    if (shows_run_) restoreArrangement();
  }
  if (!shows_run_ && !session_->run().isEmpty()) showRun();
  // Diagnose opens with the last non-finite event, unless an event is selected.
  if (which == Arrangement::kDiagnose && session_->selection().event() < 0)
    session_->selectEvent(nonFiniteAnswer(session_->run()).event);
  // Profile needs measurements: it starts profiling, which can be switched off.
  const RunModel& run = session_->run();
  if (which == Arrangement::kProfile && run.isActive() && run.config().profile.level == "off")
    session_->setProfiling(true);
}

void MainWindow::restoreArrangement() {
  const QByteArray kept = layouts_.value(arrangement_);
  if (kept.isEmpty() || !restoreState(kept, kLayoutVersion)) restoreDefaultLayout();
  QTimer::singleShot(0, this, &MainWindow::updateTabs);
}

void MainWindow::restoreDefaultLayout() {
  arrange(this, docks_, arrangement_);
  QTimer::singleShot(0, this, &MainWindow::updateTabs);
}

void MainWindow::restoreWindow() {
  if (!restoreGeometry(settings_->value(QLatin1String(kGeometryKey)).toByteArray())) {
    resize(QSize(1600, 1000).boundedTo(screen()->availableSize()));
  }
  const QString wanted = settings_->value(QLatin1String(kArrangementKey)).toString();
  for (const Arrangement each : kArrangements) {
    layouts_[each] = settings_->value(layoutKey(each)).toByteArray();
    if (arrangementName(each) == wanted) setArrangement(each);
  }
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!mayLeavePolicy()) return event->ignore();
  settings_->setValue(QLatin1String(kGeometryKey), saveGeometry());
  if (shows_run_) layouts_[arrangement_] = saveState(kLayoutVersion);
  for (const Arrangement each : kArrangements) {
    if (!layouts_.value(each).isEmpty()) settings_->setValue(layoutKey(each), layouts_.value(each));
  }
  settings_->setValue(QLatin1String(kArrangementKey), arrangementName(arrangement_));
  event->accept();
}

}  // namespace binade::app
