// SPDX-License-Identifier: Apache-2.0
#include "app/docks/try_page.h"

#include "views/elided_label.h"
#include "views/noise_scale.h"
#include "views/plot/line_plot.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace binade::app {

namespace {

constexpr int kTryMargin = 16;
constexpr int kCurveHigh = 180;
constexpr int kWholeWord = 96;  // px up to which a word below the scale is never cut

QLabel* elided(const QString& text, const QFont& font) {
  auto* label = new views::ElidedLabel(text);
  label->setFont(font);
  return label;
}

}  // namespace

TryPage::TryPage(QWidget* parent)
    : QWidget(parent),
      title_(views::makeTextLabel()),
      setup_(views::makeTextLabel(views::Tone::kSecond)),
      table_(new QWidget),
      grid_(new QGridLayout(table_)),
      plot_(new views::LinePlot(nullptr)),
      verdict_box_(new QFrame),
      verdict_(views::makeTextLabel()),
      note_(views::makeTextLabel(views::Tone::kSecond)) {
  views::setPanelGround(this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kTryMargin, 12, kTryMargin, 12);
  column->setSpacing(6);
  title_->setFont(views::textFont(12, QFont::Medium));
  setup_->setFont(views::textFont(11));
  // The answer comes first: in a low dock it is all that is seen without scrolling.
  auto* box = new QVBoxLayout(verdict_box_);
  box->setContentsMargins(12, 8, 12, 8);
  box->setSpacing(2);
  verdict_->setFont(views::textFont(14, QFont::DemiBold));
  box->addWidget(title_);
  box->addWidget(verdict_);
  box->addWidget(note_);
  column->addWidget(verdict_box_);
  column->addWidget(setup_);
  grid_->setContentsMargins(0, 6, 0, 6);
  grid_->setHorizontalSpacing(12);
  grid_->setVerticalSpacing(2);
  grid_->setColumnStretch(0, 3);
  grid_->setColumnStretch(2, 2);
  column->addWidget(table_);
  plot_->setTitle(tr("Difference of the loss"));
  plot_->setEmptyText(tr("No step yet"), tr("The difference of the loss in every step appears here."));
  plot_->setMinimumHeight(kCurveHigh);
  plot_->setInScrolledPage(true);
  series_ = plot_->addSeries({.name = tr("loss after − before"), .unit = {}, .range = tr("rounding alone")});
  column->addWidget(plot_);
  column->addStretch();
}

void TryPage::setTrial(const RunModel& run, const wire::Trial& trial) {
  title_->setText(trialTitle(run, trial));
  setup_->setText(trialSetup(trial));
  rows_ = trialRows(trial);
  showRows();
  showCurve(trial);
  const bool bad = trial.verdict == wire::TrialVerdict::kWorse || trial.verdict == wire::TrialVerdict::kDiverged ||
                   trial.verdict == wire::TrialVerdict::kDoesNotRun;
  views::setSurface(verdict_box_, bad ? views::Surface::kBadVerdict : views::Surface::kVerdict);
  // Only the answer is emphasised; its figures are read after it.
  verdict_->setText(trialVerdict(trial));
  note_->setText(QStringList{trialBasis(trial), trialNote(trial)}.join(u' ').trimmed());
  note_->setVisible(!note_->text().isEmpty());
}

void TryPage::showRows() {
  while (QLayoutItem* item = grid_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  int line = 0;
  for (const TrialRow& row : rows_) line = addRow(line, row);
  table_->setVisible(!rows_.isEmpty());
}

// Two lines: name, difference and scale; below them both values and the word. A third one has the interval, unless the
// verdict above has it.
int TryPage::addRow(int line, const TrialRow& row) {
  // A test loss outside of the band is not judged, but must not look like one inside.
  const bool outside = row.measured && row.mark.noise > 0 && std::fabs(row.mark.difference) > row.mark.noise;
  const bool strong = row.answer != TrialRow::Answer::kNone || outside;
  auto* values = elided(tr("%1 → %2").arg(row.before, row.after), views::figureFont(12));
  views::setTone(values, views::Tone::kSecond);
  auto* difference = new QLabel(row.difference);
  difference->setFont(views::figureFont(12, QFont::DemiBold));
  difference->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto* word = elided(row.word, views::textFont(11, strong ? QFont::DemiBold : QFont::Normal));
  views::setTone(word, row.answer == TrialRow::Answer::kWorse ? views::Tone::kCrimson
                       : strong                               ? views::Tone::kText
                                                              : views::Tone::kSecond);
  word->setAlignment(Qt::AlignHCenter | Qt::AlignVCenter);
  word->setMinimumWidth(std::min(word->sizeHint().width(), kWholeWord));
  auto* name = elided(row.name, views::textFont(12));
  const QString tip = row.told && !row.interval.isEmpty() ? row.interval : row.about;
  for (QLabel* label : {name, values, difference}) label->setToolTip(tip);
  grid_->addWidget(name, line, 0);
  grid_->addWidget(difference, line, 1);
  grid_->addWidget(values, line + 1, 0, 1, 2);
  grid_->addWidget(word, line + 1, 2);
  if (row.measured) {
    auto* scale = new views::NoiseScale;
    scale->setMark(row.mark, row.sentence());
    grid_->addWidget(scale, line, 2);
  }
  int below = line + 2;
  if (!row.interval.isEmpty() && !row.told) {
    auto* interval = elided(row.interval, views::textFont(11));
    views::setTone(interval, views::Tone::kSecond);
    grid_->addWidget(interval, below++, 0, 1, 3);
  }
  grid_->setRowMinimumHeight(below, 6);
  return below + 1;
}

void TryPage::showCurve(const wire::Trial& trial) {
  plot_->clear();
  plot_->stepAxis()->reset();
  const std::vector<TrialPoint> curve = trialCurve(trial);
  for (const TrialPoint& point : curve) {
    plot_->append(series_, point.step, point.difference);
    plot_->appendRange(series_, point.step, -point.noise, point.noise);
  }
  plot_->stepAxis()->fit();
  plot_->setVisible(curve.size() > 1);
}

}  // namespace binade::app
