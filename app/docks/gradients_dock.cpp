// SPDX-License-Identifier: Apache-2.0
#include "app/docks/gradients_dock.h"

#include "app/docks/ask_format.h"
#include "app/docks/empty_state.h"
#include "app/model/site_name.h"
#include "app/present/observe_words.h"
#include "app/present/site_text.h"
#include "app/present/update_rows.h"
#include "views/elided_label.h"
#include "views/style/looks.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
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
  row->addWidget(note_, 1);
  remedy_->setAccessibleName(tr("Observe what is missing"));
  empty_->addButton(remedy_);
  layout->addWidget(header_);
  layout->addWidget(empty_, 1);
  setWidget(page);

  connect(picker_, &TensorPicker::chosen, this, [this](int tensor) {
    if (tensor != selection_->tensor()) return selection_->setTensor(tensor);
    showTensor();  // it was already selected, while a missing tensor was shown
  });
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
    view_->setScaleSettable(run_->isActive());
    refresh();
  });
  connect(run_, &RunModel::policyAdded, this, &GradientsDock::markPolicy);
  connect(run_, &RunModel::observeChanged, this, [this] {
    refresh();
    if (!picker_->wanted()) showTensor();
  });
  connect(run_, &RunModel::frame, this, [this] {
    view_->setPresentScale(std::log2(run_->shownStep() ? run_->shownPoint().next_scale : run_->scaleNow()));
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
  view_->setScaleSettable(run_->isActive());
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
  empty_->setText(choice.headline, choice.sentence);
  empty_->setEmpty(true);
  remedied_ = choice.observe;
  remedy_->setText(choice.remedy);
  remedy_->setVisible(!choice.remedy.isEmpty());
}

std::vector<const TensorTrack*> GradientsDock::history() const {
  std::vector<const TensorTrack*> tracks;
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  if (shown == nullptr) return tracks;
  for (const auto& [id, track] : run_->tensors()) {
    const wire::WatchedTensor& tensor = track.tensor;
    if (tensor.site == shown->tensor.site && tensor.kind == shown->tensor.kind &&
        tensor.argument == shown->tensor.argument) {
      tracks.push_back(&track);
    }
  }
  return tracks;
}

// Returns log2 of the loss scale that acts on the tensor; 0 if none does or it is unknown which.
double GradientsDock::scaleLog2(const TensorTrack& track, double scale) const {
  return run_->movesWithScale(track.tensor) ? std::log2(scale) : 0;
}

void GradientsDock::showTensor() {
  view_->clear();
  for (int i = 1; i < static_cast<int>(run_->policies().size()); ++i) markPolicy(i);
  fed_ = -1;
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  if (shown == nullptr) return note_->clear();
  picker_->setShown(selection_->tensor());
  header_->show();
  empty_->setEmpty(false);
  view_->setScaled(run_->movesWithScale(shown->tensor));
  view_->setFormat(shown->tensor.format);
  showNote(*shown);
  int per_column = 1;
  // Ordered by step, not by id: after an edit is undone, the tensor continues under its former id.
  std::map<std::int64_t, std::pair<const TensorTrack*, int>> columns;
  for (const TensorTrack* track : history()) {
    per_column = std::max(per_column, track->histograms.observationsPerColumn());
    for (int i = 0; i < track->histograms.size(); ++i) columns[track->histograms.column(i).first_step] = {track, i};
  }
  for (const auto& [step, place] : columns) {
    const HistogramTrack& histograms = place.first->histograms;
    const HistogramTrack::Column column = histograms.column(place.second);
    view_->appendColumn(step, histograms.statsOf(place.second), scaleLog2(*place.first, column.scale));
    fed_ = std::max(fed_, column.last_step);
  }
  const auto every = std::max<std::int64_t>(1, run_->config().observe.every);
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
  const int from = histograms.indexOf(fed_) + 1;
  for (int i = std::max(0, from); i < histograms.size(); ++i) {
    const HistogramTrack::Column column = histograms.column(i);
    if (column.first_step <= fed_) continue;
    view_->appendColumn(column.first_step, histograms.statsOf(i), scaleLog2(*shown, column.scale));
    fed_ = column.first_step;
  }
  if (!selection_->step()) showStats();
}

void GradientsDock::markPolicy(int index) {
  const auto at = static_cast<std::size_t>(index);
  const auto& policies = run_->policies();
  view_->heatMap()->addMark({policies[at].step, views::MarkKind::kPolicyEdit,
                             policyChangeText(policies[at - 1], policies[at], run_->sites())});
}

void GradientsDock::showStats() {
  if (const auto step = selection_->step()) {
    const TensorTrack* newest = nullptr;
    HistogramTrack::Column found;
    for (const TensorTrack* track : history()) {
      const int index = track->histograms.indexOf(*step);
      if (index < 0) continue;
      const HistogramTrack::Column column = track->histograms.column(index);
      if (newest != nullptr && column.first_step < found.first_step) continue;
      newest = track;
      found = column;
    }
    if (newest == nullptr) {
      if (run_->shownStep()) view_->showStats({}, *step, 0);  // not observed until then
      return;
    }
    view_->setFormat(newest->tensor.format);
    return view_->showStats(newest->histograms.statsOf(newest->histograms.indexOf(*step)), found.first_step,
                            scaleLog2(*newest, found.scale));
  }
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  if (shown == nullptr || shown->histograms.empty()) return;
  view_->setFormat(shown->tensor.format);
  view_->showStats(shown->histograms.latest(), shown->histograms.latestStep(),
                   scaleLog2(*shown, shown->histograms.latestScale()));
}

}  // namespace binade::app
