// SPDX-License-Identifier: Apache-2.0
#include "app/window/run_shots.h"

#include "app/docks/dock.h"
#include "app/docks/ranks_dock.h"
#include "app/present/tensor_choices.h"
#include "app/session/attachment.h"
#include "app/session/session.h"
#include "app/window/arrangement.h"
#include "app/window/dock_set.h"
#include "app/window/main_window.h"
#include "app/window/start_page.h"
#include "app/window/theme_setting.h"

#include <QAction>
#include <QApplication>
#include <QEventLoop>
#include <QPixmap>
#include <QStyleHints>
#include <QTimer>

#include <chrono>
#include <cstdio>

namespace binade::app {

namespace {

constexpr QSize kRunWindow(1600, 1000);
constexpr QSize kSmallWindow(1280, 800);
constexpr std::chrono::milliseconds kRest(150);
constexpr int kMostRests = 20;                 // 3 s
constexpr int kLiveRests = 4;                  // what a training shows never rests
constexpr std::chrono::seconds kLastFrame(1);  // what was received is shown by then
constexpr std::chrono::seconds kPatience(120);

// As on a screen with `scale` pixels for each of the window's.
QPixmap pictureOf(QWidget* widget, int scale) {
  if (scale == 1) return widget->grab();
  QPixmap picture(widget->size() * scale);
  picture.setDevicePixelRatio(scale);
  picture.fill(Qt::transparent);
  widget->render(&picture);
  return picture;
}

// Charts, tables and docks finish their layout by timers. Waits until the widget no longer changes.
QPixmap settledPicture(QWidget* widget, int most_rests, int scale) {
  QPixmap picture;
  QImage before;
  for (int i = 0; i < most_rests; ++i) {
    QEventLoop loop;
    QTimer::singleShot(kRest, &loop, &QEventLoop::quit);
    loop.exec();
    PictureFolder::clearFocus();
    picture = pictureOf(widget, scale);
    const QImage now = picture.toImage();
    if (now == before) break;
    before = now;
  }
  return picture;
}

// The newest event with a diagnosis, or else the newest; -1: the run has none.
int eventToShow(const RunModel& run) {
  const auto& events = run.events();
  for (std::size_t i = events.size(); i > 0; --i)
    if (events[i - 1].diagnosis) return static_cast<int>(i - 1);
  return static_cast<int>(events.size()) - 1;
}

// Selects an op call whose gradient the heat map can show.
void selectEarliestGradient(Session* session) {
  const int tensor = earliestGradient(session->run());
  if (tensor < 0) return;
  session->selection().setSites({session->run().tensor(tensor)->tensor.site});
  session->selection().setTensor(tensor);
}

}  // namespace

RunShots::RunShots(MainWindow* window, Session* session, const QString& folder, const QString& file)
    : QObject(window), window_(window), session_(session), folder_(folder), file_(file) {
  connect(session_, &Session::problem, this, [this](const Problem& problem) {
    // One of an attached training, and not of the connection, is shown by the window.
    if (!session_->attachment().isOn()) fail(problem.text(u'\n'));
  });
  if (file_.isEmpty()) {
    awaitTraining();
    return;
  }
  // After the slots of the window, which show the run.
  connect(session_, &Session::opened, this, &RunShots::take, Qt::QueuedConnection);
}

void RunShots::start() {
  if (const QString why = folder_.create(); !why.isEmpty()) return fail(why);
  QGuiApplication::styleHints()->setCursorFlashTime(0);
  window_->resize(kRunWindow);
  if (file_.isEmpty()) return;
  if (window_->startPage()->hasLessons()) return takeStart();
  connect(window_->startPage(), &StartPage::lessonsShown, this, &RunShots::takeStart,
          static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

void RunShots::takeStart() {
  save(QStringLiteral("start"), window_);
  session_->openFile(file_);
}

void RunShots::awaitTraining() {
  connect(&session_->attachment(), &Attachment::changed, this, [this] {
    if (taking_ || failed_ || !session_->attachment().caughtUp()) return;
    taking_ = true;
    session_->disconnect(this);  // its later problems do not spoil the pictures
    QTimer::singleShot(kLastFrame, this, &RunShots::take);
  });
  QTimer::singleShot(kPatience, this, [this] {
    if (taking_) return;
    fail(QStringLiteral("The training did not send its history within %1 s.").arg(kPatience.count()));
  });
}

void RunShots::take() {
  if (session_->statisticsFollow()) {
    connect(&session_->run(), &RunModel::statisticsRead, this, &RunShots::take,
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    return;
  }
  takeArrangements();
  takeStep();
  takeRanks();
  takeDocks();
  if (!file_.isEmpty()) takeSmall();
  std::fflush(stdout);
  if (!failed_) Q_EMIT finished(0);
}

void RunShots::takeArrangements() {
  for (const Arrangement each : kArrangements) {
    show(each);
    saveBoth(arrangementName(each));
    if (each == Arrangement::kExplore && !file_.isEmpty()) save(QStringLiteral("explore-double"), window_, 2);
  }
}

// Shows an arrangement with the selection that its person has.
void RunShots::show(Arrangement which) {
  session_->selection().clear();
  window_->setArrangement(which);
  if (which == Arrangement::kExplore) selectEarliestGradient(session_);
  if (const int event = eventToShow(session_->run()); which == Arrangement::kDiagnose && event >= 0)
    session_->selectEvent(event);
}

void RunShots::takeStep() {
  const auto& steps = session_->run().steps();
  if (steps.empty()) return;
  session_->selection().clear();
  window_->setArrangement(Arrangement::kExplore);
  selectEarliestGradient(session_);
  session_->selection().setShown(steps[steps.size() / 2].step);
  save(QStringLiteral("explore-step"), window_);
  session_->selection().clear();
}

void RunShots::takeRanks() {
  if (session_->run().rankInfos().size() < 2) return;
  session_->selection().clear();
  window_->setArrangement(Arrangement::kProfile);
  DockSet::raise(window_->docks()->ranks);
  saveBoth(QStringLiteral("ranks"));
}

void RunShots::takeDocks() {
  for (Dock* dock : window_->docks()->all()) {
    if (!dock->toggleViewAction()->isVisible()) continue;  // not for this run
    const bool hidden = dock->isHidden();
    DockSet::raise(dock);
    save(QStringLiteral("dock-") + dock->objectName(), dock);
    dock->setVisible(!hidden);
  }
}

// The last pictures: they change the layouts of the arrangements.
void RunShots::takeSmall() {
  window_->resize(kSmallWindow);
  for (const Arrangement each : {Arrangement::kTune, Arrangement::kDiagnose}) {
    show(each);
    window_->restoreDefaultLayout();
    save(arrangementName(each) + QStringLiteral("-small"), window_);
  }
}

void RunShots::saveBoth(const QString& name) {
  applyThemeChoice(ThemeChoice::kLight);
  save(name + QStringLiteral("-light"), window_);
  applyThemeChoice(ThemeChoice::kDark);
  save(name + QStringLiteral("-dark"), window_);
  applyThemeChoice(ThemeChoice::kLight);
}

void RunShots::save(const QString& name, QWidget* widget, int scale) {
  if (failed_) return;
  if (const QString why = folder_.save(name, settledPicture(widget, file_.isEmpty() ? kLiveRests : kMostRests, scale));
      !why.isEmpty())
    fail(why);
}

void RunShots::fail(const QString& why) {
  if (failed_) return;
  failed_ = true;
  std::fprintf(stderr, "binade: %s\n", qPrintable(why));
  Q_EMIT finished(1);
}

}  // namespace binade::app
