// SPDX-License-Identifier: Apache-2.0
#include "app/docks/device_dock.h"

#include "app/present/profile_rows.h"
#include "app/present/reason_words.h"
#include "app/present/shown_words.h"
#include "views/icons.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace binade::app {

namespace {

constexpr int kMargin = 16;
constexpr int kMetricHigh = 54;
constexpr int kLineHigh = 30;

// A metric: name and badge above, figure and bar below, a separator at the bottom. Without a figure, one line.
class MetricLine : public QWidget {
 public:
  MetricLine(QString name, QString value, double part, SourceBadge badge)
      : name_(std::move(name)), value_(std::move(value)), part_(part), badge_(std::move(badge)) {
    setFixedHeight(value_.isEmpty() ? kLineHigh : kMetricHigh);
    setAccessibleName(name_);
    setAccessibleDescription(value_.isEmpty() ? badge_.text : value_ + u' ' + badge_.text);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const views::Colors& c = views::colors();
    QPainter painter(this);
    painter.setPen(QPen(c.softLine, 0));
    painter.drawLine(0, height() - 1, width(), height() - 1);
    painter.setFont(views::textFont(12));
    painter.setPen(c.secondText);
    views::drawText(painter, {0, 6, width() * 0.6, 18}, Qt::AlignLeft | Qt::AlignVCenter, name_);
    const double wide = views::textWidth(views::textFont(10, QFont::DemiBold), badge_.text) + 14;
    views::drawBadge(painter, {width() - wide, 15}, badge_.text, badge_.style);
    painter.setFont(views::figureFont(12, QFont::DemiBold));
    painter.setPen(c.text);
    views::drawText(painter, {0, 28, width() * 0.5, 18}, Qt::AlignLeft | Qt::AlignVCenter, value_);
    if (std::isnan(part_)) return;
    const QRectF ground(width() * 0.52, 34, width() * 0.48, 6);
    painter.fillRect(ground, c.headroomGround);
    painter.fillRect(QRectF(ground.topLeft(), QSizeF(ground.width() * std::clamp(part_, 0.0, 1.0), 6)), c.headroom);
  }

 private:
  QString name_;
  QString value_;
  double part_;
  SourceBadge badge_;
};

// A check: its result as an icon, its name, the answer at the right, a separator at the bottom.
class CheckLine : public QWidget {
 public:
  explicit CheckLine(const DeviceCheck& check) {
    using Result = DeviceCheck::Result;
    const bool made = check.result == Result::kPassed || check.result == Result::kFailed;
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 4, 0, 5);
    row->setSpacing(8);
    auto* shape = new QLabel;
    views::showIcon(shape,
                    check.result == Result::kPassed   ? QStringLiteral("tick")
                    : check.result == Result::kFailed ? QStringLiteral("close")
                                                      : QStringLiteral("more"),
                    16);
    auto* name = new QLabel(check.name);
    if (check.result == Result::kFailed) name->setFont(views::textFont(12, QFont::DemiBold));
    if (!made) views::setTone(name, views::Tone::kSecond);
    auto* answer = new QLabel(check.answer);
    views::setTone(answer, views::Tone::kSecond);
    answer->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (QLabel* text : {name, answer}) text->setWordWrap(true);
    row->addWidget(shape, 0, Qt::AlignTop);
    row->addWidget(name, 1);
    row->addWidget(answer, 1);
    setAccessibleName(check.name);
    setAccessibleDescription(check.answer);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setPen(QPen(views::colors().softLine, 0));
    painter.drawLine(0, height() - 1, width(), height() - 1);
  }
};

bool sameReason(const wire::ProfileSource& a, const wire::ProfileSource& b) {
  return a.source == b.source && a.state == b.state && a.sentence == b.sentence;
}

}  // namespace

DeviceDock::DeviceDock(RunModel* run, QWidget* parent)
    : Dock(QStringLiteral("device"), tr("Device"), parent),
      run_(run),
      page_(new QWidget),
      column_(new QVBoxLayout(page_)) {
  views::setPanelGround(page_);
  column_->setContentsMargins(kMargin, 12, kMargin, 12);
  column_->setSpacing(0);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(page_);
  setWidget(scroll);
  connect(run_, &RunModel::reset, this, &DeviceDock::update);
  connect(run_, &RunModel::profileChanged, this, &DeviceDock::update);
  connect(run_, &RunModel::stateChanged, this, &DeviceDock::update);
  connect(run_, &RunModel::shownStepChanged, this, &DeviceDock::update);
  update();
}

void DeviceDock::addNote(const QString& text) {
  if (text.isEmpty()) return;
  auto* label = new QLabel(text);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  views::setTone(label, views::Tone::kThird);
  label->setFont(views::textFont(11));
  label->setContentsMargins(0, 8, 0, 6);
  column_->addWidget(label);
}

void DeviceDock::addMetric(const QString& name, const QString& value, double part, const wire::ProfileSource& source) {
  const SourceBadge badge = badgeOf(source.source);
  auto* line = new MetricLine(name, value, part, badge);
  line->setToolTip(QString::fromStdString(source.sentence));
  column_->addWidget(line);
  QStringList parts{name};
  if (!value.isEmpty()) parts << value;
  lines_ << (parts << badge.text).join(QStringLiteral(" · "));
}

void DeviceDock::addSource(const QString& name, const wire::ProfileSource& source, bool on_card) {
  const QString state = QString::fromStdString(source.state);
  const QString sentence = QString::fromStdString(source.sentence);
  if (!source.source.empty() && source.source != "none") {
    const QString detail = QString::fromStdString(source.detail);
    addMetric(name, detail == run_->device() ? QString() : detail, wire::kNotMeasured, source);
    return addNote(sentence);
  }
  addMetric(name, {}, wire::kNotMeasured, source);
  if (on_card && addChecks(source)) return;
  // The sentence is for most readers; the state's code follows for those who search for it.
  addNote(state.isEmpty() ? sentence : tr("%1 (%2)").arg(sentence, state));
  addNote(QString::fromStdString(source.next));
}

bool DeviceDock::addChecks(const wire::ProfileSource& source) {
  const QList<DeviceCheck> checks = deviceChecks(source.state);
  if (checks.isEmpty()) return false;
  auto* head = new QLabel(tr("Checks"));
  head->setFont(views::textFont(13, QFont::DemiBold));
  head->setContentsMargins(0, 12, 0, 4);
  column_->addWidget(head);
  for (const DeviceCheck& check : checks) {
    auto* line = new CheckLine(check);
    if (check.result == DeviceCheck::Result::kFailed)
      line->setToolTip(QString::fromStdString(source.sentence + (source.next.empty() ? "" : "\n" + source.next)));
    column_->addWidget(line);
    lines_ << QStringList{check.name, check.answer}.join(QStringLiteral(" · "));
  }
  addNote(tr("The first that failed is the reason."));
  return true;
}

// Everything shown, with figures rounded as shown.
QString DeviceDock::contents() const {
  const ProfileTrack& track = run_->profile();
  QStringList parts{run_->device()};
  if (track.empty())
    return (parts << QString::number(run_->isActive()) << QString::number(run_->isEmpty())).join(u'\n');
  const wire::Profile& profile = track.latest();
  for (const wire::ProfileSource* source : {&profile.curve, &profile.tensor, &profile.times}) {
    for (const std::string& text : {source->source, source->state, source->sentence, source->next, source->detail})
      parts << QString::fromStdString(text);
  }
  const wire::ProfileBin mean = track.recent();
  for (const double value : {mean.tensor, mean.hmma, mean.imma, mean.dmma, mean.sm_active})
    parts << views::percent(value);
  parts << laterText(*run_, profile.last_step);
  parts << views::duration(mean.seconds) << QString::number(std::round(mean.clock / 1e6));
  return parts.join(u'\n');
}

void DeviceDock::update() {
  // Profiles arrive twice a second and rarely change what is shown: rebuilding would lose a selection of text.
  if (const QString now = contents(); now != shown_) {
    shown_ = now;
    rebuild();
  }
}

void DeviceDock::rebuild() {
  while (QLayoutItem* item = column_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  lines_.clear();
  auto* head = new QLabel(run_->device().isEmpty() ? tr("No device") : run_->device());
  head->setFont(views::textFont(14, QFont::DemiBold));
  head->setWordWrap(true);
  column_->addWidget(head);
  const ProfileTrack& track = run_->profile();
  if (track.empty()) {
    addNote(run_->isActive() || run_->isEmpty()
                ? tr("Nothing has been measured yet. Device metrics appear here when op calls are measured.")
                : tr("This run was not profiled."));
    column_->addStretch();
    return;
  }
  const wire::Profile& profile = track.latest();
  const wire::ProfileBin mean = track.recent();
  if (const QString later = laterText(*run_, profile.last_step); !later.isEmpty())
    addNote(tr("Newest figures, %1").arg(later));
  if (!std::isnan(mean.tensor)) {
    addNote(tr("Mean of the last %1").arg(views::duration(mean.seconds)));
    addMetric(tr("Tensor cores active"), views::percent(mean.tensor), mean.tensor / 100, profile.curve);
    if (!std::isnan(mean.hmma))
      addMetric(tr("Tensor cores, floating point"), views::percent(mean.hmma), mean.hmma / 100, profile.curve);
    if (!std::isnan(mean.imma))
      addMetric(tr("Tensor cores, int8"), views::percent(mean.imma), mean.imma / 100, profile.curve);
    if (!std::isnan(mean.dmma))
      addMetric(tr("Tensor cores, float64"), views::percent(mean.dmma), mean.dmma / 100, profile.curve);
    if (!std::isnan(mean.sm_active))
      addMetric(tr("Multiprocessors active"), views::percent(mean.sm_active), mean.sm_active / 100, profile.curve);
    if (!std::isnan(mean.clock))
      addMetric(tr("Clock"), tr("%1 MHz").arg(views::grouped(std::llround(mean.clock / 1e6))), wire::kNotMeasured,
                profile.curve);
  } else {
    if (sameReason(profile.curve, profile.tensor)) {
      addSource(tr("Tensor cores: curve and op calls"), profile.curve, true);
    } else {
      addSource(tr("Tensor cores: curve"), profile.curve, true);
      addSource(tr("Tensor cores per op call"), profile.tensor);
    }
  }
  // Other problems of a device whose curve runs: lost samples, or op calls that cannot be joined to the curve.
  if (!std::isnan(mean.tensor)) {
    if (profile.curve.state != "running" && !profile.curve.sentence.empty()) {
      addNote(QString::fromStdString(profile.curve.sentence));
      if (!profile.curve.next.empty()) addNote(QString::fromStdString(profile.curve.next));
    }
    if (profile.tensor.source.empty() || profile.tensor.source == "none")
      addSource(tr("Tensor cores per op call"), profile.tensor);
  }
  addSource(tr("Time per op call"), profile.times);
  column_->addStretch();
}

}  // namespace binade::app
