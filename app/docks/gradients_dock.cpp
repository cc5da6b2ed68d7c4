// SPDX-License-Identifier: Apache-2.0
#include "app/docks/gradients_dock.h"

#include "app/docks/ask_format.h"
#include "app/docks/empty_state.h"
#include "app/docks/tensor_history.h"
#include "app/model/site_name.h"
#include "app/present/observe_words.h"
#include "app/present/site_text.h"
#include "app/present/update_rows.h"
#include "views/elided_label.h"
#include "views/style/looks.h"
#include "views/values/numbers.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace binade::app {

GradientsDock::GradientsDock(RunModel* run, Selection* selection, views::StepAxis* axis, QWidget* parent)
    : Dock(QStringLiteral("gradients"), tr("Gradients"), parent),
      run_(run),
      selection_(selection),
      picker_(new TensorPicker(run)),
      heat_run_(new QComboBox),
      note_(new views::ElidedLabel),
      view_(new views::GradientView(axis)),
      remedy_(new QPushButton),
      header_(new QWidget),
      empty_(new EmptyState(view_, QString(), QString())) {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* row = new QHBoxLayout(header_);
  row->setContentsMargins(12, 6, 12, 0);
  row->setSpacing(8);
  views::setTone(note_, views::Tone::kSecond);
  note_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row->addWidget(picker_, 2);
  row->addWidget(heat_run_);
  row->addWidget(note_, 1);
  heat_run_->setAccessibleName(tr("Run of the heat map"));
  heat_run_->setToolTip(tr("The run whose heat map is shown. The histogram shows both."));
  heat_run_->hide();
  remedy_->setAccessibleName(tr("Observe what is missing"));
  empty_->addButton(remedy_);
  layout->addWidget(header_);
  layout->addWidget(empty_, 1);
  setWidget(page);

  connect(picker_, &TensorPicker::chosen, this, [this](int tensor) {
    if (tensor != selection_->tensor()) return selection_->setTensor(tensor);
    showTensor();  // it was already selected, while a missing tensor was shown
  });
  connect(heat_run_, &QComboBox::currentIndexChanged, this, &GradientsDock::showTensor);
  connect(picker_, &TensorPicker::missing, this, &GradientsDock::showMissing);
  connect(remedy_, &QPushButton::clicked, this, [this] { Q_EMIT observeRequested(remedied_); });
  connect(view_, &views::GradientView::setScaleRequested, this,
          [this](int exponent) { Q_EMIT scaleRequested(std::ldexp(1.0, exponent)); });
  connect(view_, &views::GradientView::numberRequested, this, &Dock::numberRequested);
  connect(view_, &views::GradientView::formatRequested, this, [this] {
    if (const auto format = formats::parse(askFormat(this).toStdString())) view_->shares()->addFormat(*format);
  });
  connect(run_, &RunModel::reset, this, &GradientsDock::rebuild);
  connect(run_, &RunModel::statisticsRead, this, &GradientsDock::rebuild);
  connect(run_, &RunModel::tensorsAdded, this, &GradientsDock::refresh);
  connect(run_, &RunModel::stepsAdded, this, &GradientsDock::appendNew);
  connect(run_, &RunModel::stateChanged, this, [this] {
    view_->setScaleSettable(run_->whyNoEdit().isEmpty());
    refresh();
  });
  connect(run_, &RunModel::policyAdded, this, &GradientsDock::markPolicy);
  connect(run_, &RunModel::observeChanged, this, [this] {
    refresh();
    if (!picker_->wanted()) showTensor();
  });
  connect(run_, &RunModel::frame, this, [this] {
    const auto shown = run_->shownStep();
    view_->setPresentScale(std::log2(shown ? run_->shownPoint().next_scale : run_->scaleNow()),
                           shown ? tr("(after step %1)").arg(views::grouped(*shown)) : tr("(current)"));
  });
  connect(selection_, &Selection::tensorChanged, this, &GradientsDock::showTensor);
  connect(selection_, &Selection::stepChanged, this, &GradientsDock::showStats);
  rebuild();
}

QComboBox* GradientsDock::callCombo() const {
  return picker_->calls();
}

QComboBox* GradientsDock::tensorCombo() const {
  return picker_->tensors();
}

void GradientsDock::rebuild() {
  picker_->forget();
  view_->setScaleSettable(run_->whyNoEdit().isEmpty());
  refresh();
  if (!picker_->wanted()) showTensor();
}

void GradientsDock::refresh() {
  picker_->refresh(selection_->tensor());
  if (picker_->isEmpty()) showNothing();
}

void GradientsDock::showNothing() {
  const bool off = !run_->isEmpty() && run_->config().observe.level == "off";
  TensorChoice nothing;
  nothing.headline = off ? tr("Nothing is observed.") : tr("No gradients yet.");
  nothing.sentence = off ? tr("Observation is off in this run.")
                         : tr("The exponents of a gradient appear here after the first step that records histograms.");
  if (off && run_->isActive()) {
    nothing.observe = atLeast(run_->config().observe, "histogram");
    nothing.remedy = tr("Observe at level %1").arg(observeLevelName(nothing.observe.level));
  }
  showMissing(nothing);
}

void GradientsDock::showMissing(const TensorChoice& choice) {
  note_->clear();
  header_->setVisible(!picker_->isEmpty());
  heat_run_->hide();
  empty_->setText(choice.headline, choice.sentence);
  empty_->setEmpty(true);
  remedied_ = choice.observe;
  remedy_->setText(choice.remedy);
  remedy_->setVisible(!choice.remedy.isEmpty());
}

std::vector<const TensorTrack*> GradientsDock::history() const {
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  return shown == nullptr ? std::vector<const TensorTrack*>() : tensorHistory(*run_, shown->tensor);
}

void GradientsDock::setSecond(const RunModel* second, const QString& name) {
  if (second == nullptr && second_ == nullptr) return;
  second_ = second;
  second_name_ = name;
  updateSecond();
  if (!picker_->wanted()) showTensor();
}

bool GradientsDock::showsSecondHeat() const {
  return heat_run_->currentIndex() == 1;
}

void GradientsDock::updateSecond() {
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  in_second_.clear();
  if (second_ != nullptr && shown != nullptr) in_second_ = historyInOther(*run_, shown->tensor, *second_);
  const QSignalBlocker quiet(heat_run_);
  const bool both = !in_second_.empty();
  if (!both) {
    heat_run_->clear();
  } else if (heat_run_->count() == 0) {
    heat_run_->addItems({tr("this run"), second_name_});
  } else {
    heat_run_->setItemText(1, second_name_);
  }
  view_->heatMap()->setCaption(both ? heat_run_->currentText() : QString());
}

// Returns log2 of the loss scale that acts on the tensor; 0 if none does or it is unknown which.
double GradientsDock::scaleLog2(const RunModel& run, const TensorTrack& track, double scale) {
  return run.movesWithScale(track.tensor) ? std::log2(scale) : 0;
}

void GradientsDock::showTensor() {
  view_->clear();
  updateSecond();
  heat_run_->setVisible(!in_second_.empty());
  const bool second = showsSecondHeat();
  for (int i = 1; !second && i < static_cast<int>(run_->policies().size()); ++i) markPolicy(i);
  fed_ = -1;
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  if (shown == nullptr) {
    if (empty_->isShownEmpty()) return note_->clear();  // the text is about the choice in the lists
    picker_->setShown(-1);
    TensorChoice none;
    none.headline = tr("No tensor selected.");
    none.sentence = tr("Click an op call to see its gradient.");
    return showMissing(none);
  }
  picker_->setShown(selection_->tensor());
  header_->show();
  empty_->setEmpty(false);
  view_->setScaled(run_->movesWithScale(shown->tensor));
  view_->setFormat(shown->tensor.format);
  showNote(*shown);
  const RunModel& heat = second ? *second_ : *run_;
  int per_column = 1;
  // Ordered by step, not by id: after an edit is undone, the tensor continues under its former id.
  std::map<std::int64_t, std::pair<const TensorTrack*, int>> columns;
  for (const TensorTrack* track : second ? in_second_ : history()) {
    per_column = std::max(per_column, track->histograms.observationsPerColumn());
    for (int i = 0; i < track->histograms.size(); ++i) columns[track->histograms.column(i).first_step] = {track, i};
  }
  for (const auto& [step, place] : columns) {
    const HistogramTrack& histograms = place.first->histograms;
    const HistogramTrack::Column column = histograms.column(place.second);
    view_->appendColumn(step, histograms.statsOf(place.second), scaleLog2(heat, *place.first, column.scale));
    fed_ = std::max(fed_, column.last_step);
  }
  if (columns.empty()) {
    view_->heatMap()->setEmptyText(
        tr("No histogram of this tensor"),
        tr("The run has recorded none so far. Observation at level histogram records them."));
  }
  const auto every = std::max<std::int64_t>(1, heat.config().observe.every);
  view_->heatMap()->setSampling(static_cast<int>(per_column * every));
  showStats();
}

void GradientsDock::showNote(const TensorTrack& shown) {
  QStringList notes;
  using Kind = wire::WatchedTensor::Kind;
  const Kind kind = shown.tensor.kind;
  if (wire::is_scaled(shown.tensor) && (shown.tensor.site == 0 || selection_->tensor() == earliestGradient(*run_)))
    notes << tr("earliest layer");
  if (wire::is_scaled(shown.tensor) && !run_->movesWithScale(shown.tensor))
    notes << tr("multiplied by its loss's scale");
  if (kind == Kind::kInput) notes << tr("cast to %1").arg(QString::fromStdString(formats::name(shown.tensor.format)));
  if (isOfParameter(shown.tensor)) {
    if (const QString update = updateText(*run_, shown.tensor.argument); !update.isEmpty()) notes << update;
  }
  if (kind == Kind::kParameter) notes << tr("before the optimizer's step");
  if (kind == Kind::kParameterGradient) notes << tr("as the optimizer receives it, before clipping");
  if (!shown.histograms.empty()) {
    const formats::TensorStats& latest = shown.histograms.latest();
    if (kind != Kind::kInput && !isOfParameter(shown.tensor))
      notes << (latest.censored ? tr("after rounding: bounds") : tr("before rounding"));
    if (!(latest.largest > 0)) notes << (latest.non_finite() > 0 ? tr("no finite value") : tr("all values are 0"));
  }
  note_->setText(notes.join(QStringLiteral(" · ")));
}

void GradientsDock::appendNew() {
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  if (shown == nullptr || picker_->wanted()) return;
  const HistogramTrack& histograms = shown->histograms;
  if (histograms.empty()) return;
  if (note_->text().isEmpty()) return showTensor();
  showNote(*shown);
  const int from = showsSecondHeat() ? histograms.size() : histograms.indexOf(fed_) + 1;
  for (int i = std::max(0, from); i < histograms.size(); ++i) {
    const HistogramTrack::Column column = histograms.column(i);
    if (column.first_step <= fed_) continue;
    view_->appendColumn(column.first_step, histograms.statsOf(i), scaleLog2(*run_, *shown, column.scale));
    fed_ = column.first_step;
  }
  if (!selection_->step()) showStats();
}

void GradientsDock::markPolicy(int index) {
  if (showsSecondHeat()) return;
  const auto at = static_cast<std::size_t>(index);
  const auto& policies = run_->policies();
  view_->heatMap()->addMark({policies[at].step, views::MarkKind::kPolicyEdit,
                             policyChangeText(policies[at - 1], policies[at], run_->sites())});
}

void GradientsDock::showStats() {
  if (const auto step = selection_->step()) {
    if (const auto seen = observationAt(history(), *step)) {
      show(*seen->track, seen->stats, seen->column.first_step, seen->column.scale);
    } else if (run_->shownStep()) {
      view_->showStats({}, *step, 0);  // not observed until then
      showSecond(*step);
    }
    return;
  }
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  if (shown == nullptr || shown->histograms.empty()) return;
  const HistogramTrack& histograms = shown->histograms;
  show(*shown, histograms.latest(), histograms.latestStep(), histograms.latestScale());
}

void GradientsDock::show(const TensorTrack& track, const formats::TensorStats& stats, std::int64_t step, double scale) {
  view_->setFormat(track.tensor.format);
  view_->showStats(stats, step, scaleLog2(*run_, track, scale));
  showSecond(step);
}

// The window of the heat map is that of the run whose values it shows; the histogram keeps the first run's.
void GradientsDock::showSecond(std::int64_t step) {
  const auto there = observationAt(in_second_, step);
  if (showsSecondHeat() && there) view_->heatMap()->setFormat(there->track->tensor.format);
  if (!there) return view_->histogram()->setOther(std::nullopt);
  view_->histogram()->setOther(views::Histogram::Other{there->stats, second_name_, there->column.first_step,
                                                       scaleLog2(*second_, *there->track, there->column.scale)});
}

}  // namespace binade::app
