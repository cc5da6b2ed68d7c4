// SPDX-License-Identifier: Apache-2.0
#include "app/window/status_line.h"

#include "app/session/session.h"
#include "views/elided_label.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>

#include <cmath>
#include <initializer_list>
#include <set>

namespace binade::app {

namespace {

constexpr int kAround = 6;  // px that QStatusBar puts between its parts

// A dot of 8 px in the colour of the state.
QPixmap dot(const QColor& color, qreal ratio) {
  QPixmap pixmap(QSize(8, 8) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawEllipse(QRectF(0, 0, 8, 8));
  return pixmap;
}

}  // namespace

StatusLine::StatusLine(Session* session, QWidget* parent)
    : QStatusBar(parent),
      session_(session),
      dot_(new QLabel),
      state_(new QLabel),
      cancel_(new QPushButton(tr("Cancel"))),
      rate_(new QLabel),
      badge_(new views::Badge),
      execution_(new views::ElidedLabel),
      observing_(new QLabel),
      accuracy_(new QLabel),
      link_(new views::ElidedLabel),
      note_(new QLabel),
      file_(new views::ElidedLabel),
      engine_(new views::ElidedLabel) {
  setSizeGripEnabled(false);
  setMinimumHeight(24);
  QFont bold = state_->font();
  bold.setWeight(QFont::DemiBold);
  state_->setFont(bold);
  state_->setAccessibleName(tr("State of the run"));
  badge_->setAccessibleName(tr("Execution of formats"));
  for (QLabel* label : {rate_, execution_, observing_, accuracy_, link_, note_, file_, engine_})
    views::setTone(label, views::Tone::kSecond);
  // QStatusBar hides this one widget while it shows a message. A part that is shown during the message would otherwise
  // be drawn over it.
  auto* left = new QWidget;
  auto* parts = new QHBoxLayout(left);
  parts->setContentsMargins(0, 0, 0, 0);
  parts->setSpacing(kAround);
  for (QLabel* label : {dot_, state_, rate_, badge_, execution_, observing_, accuracy_}) {
    label->setContentsMargins(6, 0, 6, 0);
    parts->addWidget(label);
  }
  auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), cancel_);  // works while the button is visible
  cancel_->setToolTip(tr("Stops reading the run file (Escape)"));
  parts->insertWidget(2, cancel_);
  cancel_->hide();
  addWidget(left);
  for (QLabel* label : {link_, note_, file_, engine_}) {
    label->setContentsMargins(6, 0, 8, 0);
    addPermanentWidget(label);
  }
  // The name of a lesson's run file is long: without a limit it would take the room of the whole line.
  constexpr int kMostFile = 320;  // px
  file_->setMaximumWidth(kMostFile);
  note_->hide();
  link_->setAccessibleName(tr("Link to the engine"));
  connect(session, &Session::linkDetailChanged, this, &StatusLine::showLink);
  showLink();
  connect(&session->run(), &RunModel::frame, this, &StatusLine::refresh);
  connect(&session->run(), &RunModel::reset, this, [this] {
    cost_.reset();
    refresh();
  });
  connect(&session->engine(), &EngineClient::notified, this, [this](const wire::RunNotification& what) {
    const auto* cost = std::get_if<wire::ObserveCost>(&what);
    if (cost == nullptr) return;
    cost_ = *cost;
    showObserving();
  });
  connect(session, &Session::opening, this, [this](const QString& file, double share) {
    showOpening(
        tr("Opening %1 · %2 %").arg(QFileInfo(file).fileName(), QString::number(static_cast<int>(100 * share))));
  });
  connect(&session->second(), &SecondRun::loading, this, [this](const QString& file, double share) {
    showOpening(tr("Reading %1 to compare · %2 %")
                    .arg(QFileInfo(file).fileName(), QString::number(static_cast<int>(100 * share))));
  });
  connect(&session->second(), &SecondRun::loadingEnded, this, [this] { showOpening({}); });
  connect(session, &Session::opened, this, [this] { showOpening({}); });
  connect(session, &Session::openFailed, this, [this] { showOpening({}); });
  connect(cancel_, &QPushButton::clicked, session, &Session::cancelOpening);
  connect(escape, &QShortcut::activated, session, &Session::cancelOpening);
  connect(&session->run(), &RunModel::stateChanged, this, &StatusLine::refresh);
  connect(&session->engine(), &EngineClient::stateChanged, this, &StatusLine::refresh);
  connect(views::themeEvents(), &views::ThemeEvents::themeChanged, this, &StatusLine::refresh);
  refresh();
}

void StatusLine::setBusy(const QString& what) {
  busy_ = what;
  showState();
}

void StatusLine::setLesson(bool lesson) {
  lesson_ = lesson;
  showState();
}

void StatusLine::setNote(const QString& note) {
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
  makeRoom();
}

void StatusLine::showOpening(const QString& what) {
  opening_ = what;
  if (!what.isEmpty()) clearMessage();  // it would hide the button
  cancel_->setVisible(!what.isEmpty());
  showState();
  makeRoom();
}

QString StatusLine::stateText() const {
  return state_->text();
}

void StatusLine::refresh() {
  showState();
  showExecution();
  showFile();
  showEngine();
  const RunModel& run = session_->run();
  const double rate = run.stepRate();
  rate_->setText(tr("%1 steps/s").arg(QLocale().toString(rate, 'f', rate < 10 ? 2 : 1)));
  rate_->setVisible(rate > 0 && run.isActive() && run.state() == wire::RunState::kRunning);
  showObserving();
  accuracy_->setVisible(!run.evaluations().empty() && std::isfinite(run.evaluations().back().accuracy));
  if (!run.evaluations().empty()) {
    const wire::Evaluated& newest = run.evaluations().back();
    const QString accuracy = views::share(newest.accuracy);
    accuracy_->setText(newest.step == 1 ? tr("Accuracy %1 after 1 step").arg(accuracy)
                                        : tr("Accuracy %1 after %2 steps").arg(accuracy, views::grouped(newest.step)));
  }
  makeRoom();
}

// Shows the figure that `train` prints at the end of a run. It may be negative because of noise. A run file has the
// sentence in its log instead.
void StatusLine::showObserving() {
  const RunModel& run = session_->run();
  const auto percent = [](double share) { return views::decimals(100 * share, 1) + QStringLiteral(" %"); };
  const bool measured = run.source() == RunModel::Source::kLive && wire::measures_cost(run.config());
  observing_->setVisible(run.stepRate() > 0 && (measured || cost_));
  observing_->setText(cost_ && wire::is_known(*cost_) ? tr("Observing costs %1").arg(percent(cost_->ratio - 1))
                                                      : tr("Observing: too few steps to measure"));
  if (!cost_) {
    observing_->setToolTip(
        tr("The cost is measured on pairs of neighbouring steps, one observed and one not. There are too few pairs."));
    return;
  }
  observing_->setToolTip(
      tr("With observation, training takes %1 times as long (95 %: %2 to %3).\n%4 of the steps are observed; an "
         "observed step takes %5 times as long as its neighbour.\nMeasured on %6 pairs of neighbouring steps.")
          .arg(views::decimals(cost_->ratio, 3))
          .arg(views::decimals(cost_->low, 3))
          .arg(views::decimals(cost_->high, 3))
          .arg(percent(cost_->observed))
          .arg(views::decimals(cost_->step_ratio, 2))
          .arg(views::grouped(cost_->pairs)));
}

// What was left out stays said after the link is fast again: the charts lack it.
void StatusLine::showLink() {
  const wire::LinkDetail& detail = session_->linkDetail();
  const bool lacking = detail.statistics > 0 || detail.steps > 0 || detail.reports > 0;
  link_->setVisible(detail.slow || lacking);
  link_->setText(detail.slow ? tr("Slow link: less detail") : tr("Detail was left out"));
  QStringList lines{detail.slow
                        ? tr("The link to %1 is slow: messages wait %2. The engine sends less until they do not.")
                              .arg(session_->host(), views::duration(detail.delay_seconds))
                        : tr("The link to %1 was slow for a while.").arg(session_->host())};
  if (detail.bytes_per_second > 0) {
    lines << tr("Measured: %1 a second").arg(views::sizeText(static_cast<std::int64_t>(detail.bytes_per_second)));
  }
  if (detail.statistics > 0) lines << tr("Statistics of tensors left out: %1").arg(views::grouped(detail.statistics));
  if (detail.steps > 0) lines << tr("Steps left out: %1").arg(views::grouped(detail.steps));
  if (detail.reports > 0) lines << tr("Reports replaced by newer ones: %1").arg(views::grouped(detail.reports));
  lines << tr("The run file has everything.");
  link_->setToolTip(lines.join(u'\n'));
}

void StatusLine::showState() {
  const RunModel& run = session_->run();
  const views::Colors& colors = views::colors();
  QColor color = colors.idle;
  QString text = tr("No run");
  if (!opening_.isEmpty()) {
    text = opening_;
  } else if (!busy_.isEmpty()) {
    text = busy_;
  } else if (run.finished()) {
    const wire::Finished& finished = *run.finished();
    const bool file = run.source() == RunModel::Source::kFile;
    switch (finished.outcome) {
      case wire::Outcome::kCompleted:
        text = tr("Completed");
        break;
      case wire::Outcome::kStopped:
      case wire::Outcome::kCancelled:
        // Once all steps have run, only the evaluation after them can be stopped.
        text = session_->hasLetGo() && !file         ? tr("Let go; the training goes on")
               : finished.steps < run.config().steps ? tr("Stopped")
                                                     : tr("Completed");
        break;
      case wire::Outcome::kFailed:
        text = file ? tr("Ended: %1").arg(QString::fromStdString(finished.message)) : tr("Ended with an error");
        color = colors.crimson;
        break;
    }
    if (file) text = tr("Run file · %1").arg(text);
  } else if (!run.isEmpty()) {
    switch (run.state()) {
      case wire::RunState::kRunning:
        text = lesson_ ? tr("Lesson: training") : tr("Training");
        color = colors.running;
        break;
      case wire::RunState::kPaused:
        text = lesson_ ? tr("Lesson: paused") : tr("Paused");
        color = colors.paused;
        break;
      default:
        text = tr("Loading");
        break;
    }
  }
  dot_->setPixmap(dot(color, devicePixelRatioF()));
  state_->setText(text);
}

void StatusLine::showExecution() {
  const RunModel& run = session_->run();
  const bool known = !run.policies().empty();
  badge_->setVisible(known);
  execution_->setVisible(known);
  if (!known) return;
  std::set<std::string> emulated;
  std::set<std::string> native;
  for (const policy::Decision& decision : run.policies().back().decisions) {
    if (decision.kind != policy::Decision::Kind::kFormat) continue;
    const std::string name = formats::name(decision.format);
    (decision.execution == policy::Execution::kEmulated ? emulated : native).insert(name);
  }
  const auto list = [](const std::set<std::string>& names) {
    QStringList texts;
    for (const std::string& name : names) texts << QString::fromStdString(name);
    return texts.join(QStringLiteral(", "));
  };
  const QString where = run.device().section(u',', 0, 0);
  badge_->setText(emulated.empty() ? tr("NATIVE") : tr("EMULATED"));
  execution_->setText(emulated.empty() ? tr("%1 on %2").arg(list(native), where)
                                       : tr("%1 on %2: speed not measured").arg(list(emulated), where));
  execution_->setToolTip(emulated.empty() ? QString()
                                          : tr("Computed in float32 and rounded as the format rounds. The time of a "
                                               "step does not indicate the format's speed."));
}

void StatusLine::showFile() {
  const QString file = session_->run().runFile();
  const QFileInfo info(file);
  // While a run file is written, most of it may be in SQLite's write-ahead log.
  const qint64 size = info.size() + QFileInfo(file + QStringLiteral("-wal")).size();
  if (session_->run().source() == RunModel::Source::kLive && session_->run().filesElsewhere()) {
    file_->setText(tr("%1 on %2").arg(info.fileName(), session_->host()));
    return file_->setToolTip(file);
  }
  file_->setText(QStringLiteral("%1 · %2").arg(info.fileName(), views::sizeText(size)));
  file_->setToolTip(file);
}

// The file of a live run comes first, then the engine, then the file of a run that was opened, which the title has too.
void StatusLine::makeRoom() {
  const RunModel& run = session_->run();
  int room = width() - 2 * kAround;
  for (const QWidget* part : std::initializer_list<const QWidget*>{dot_, state_, cancel_, rate_, badge_, execution_,
                                                                   observing_, accuracy_, link_, note_})
    if (!part->isHidden()) room -= part->sizeHint().width() + kAround;
  const auto show = [&room](QWidget* part, bool wanted, bool always) {
    const int wide = part->sizeHint().width() + kAround;
    const bool shown = wanted && (always || wide <= room);
    part->setVisible(shown);
    if (shown) room -= wide;
  };
  const bool live = run.source() == RunModel::Source::kLive;
  const bool file = !run.runFile().isEmpty();
  if (live) show(file_, file, true);
  show(engine_, true, run.isEmpty());
  if (!live) show(file_, file, false);
}

void StatusLine::resizeEvent(QResizeEvent* event) {
  QStatusBar::resizeEvent(event);
  makeRoom();
}

void StatusLine::showEngine() {
  EngineClient& engine = session_->engine();
  if (engine.state() == EngineClient::State::kReady) {
    const wire::Welcome& welcome = engine.welcome();
    QString device = QString::fromStdString(welcome.device);
    if (const QString host = session_->host(); !host.isEmpty()) device = tr("%1: %2").arg(host, device);
    engine_->setText(tr("Engine %1 · LibTorch %2")
                         .arg(QString::fromStdString(welcome.version), QString::fromStdString(welcome.libtorch)));
    engine_->setToolTip(device);  // the tool bar shows it too
  } else {
    engine_->setText(engine.state() == EngineClient::State::kStarting ? tr("Engine is starting")
                                                                      : tr("Engine is not running"));
    engine_->setToolTip({});
  }
}

}  // namespace binade::app
