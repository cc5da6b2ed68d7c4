// SPDX-License-Identifier: Apache-2.0
#include "app/gradients_dock.h"

#include "app/ask_format.h"
#include "app/empty_state.h"
#include "app/site_text.h"
#include "app/sites_dock.h"
#include "views/elided_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace binade::app {

namespace {
constexpr int kWidest = 380;  // of the list of tensors
}

int earliestGradient(const RunModel& run) {
  for (const wire::SiteInfo& site : run.sites()) {
    const int id = chartTensorOf(run, site.id);
    if (id >= 0 && wire::is_scaled(run.tensor(id)->tensor)) return id;
  }
  return -1;
}

GradientsDock::GradientsDock(RunModel* run, Selection* selection, views::StepAxis* axis, QWidget* parent)
    : Dock(QStringLiteral("gradients"), tr("Gradients"), parent),
      run_(run),
      selection_(selection),
      combo_(new QComboBox),
      note_(new views::ElidedLabel),
      view_(new views::GradientView(axis)) {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* header = new QWidget;
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(12, 6, 12, 0);
  combo_->setAccessibleName(tr("Tensor shown"));
  // As wide as it needs where there is room; in a narrow place it gives way.
  combo_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  combo_->setMinimumContentsLength(14);
  combo_->setMaximumWidth(kWidest);
  combo_->setMaxVisibleItems(24);
  note_->setProperty("tone", QStringLiteral("second"));
  note_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row->addWidget(combo_, 3);
  row->addWidget(note_, 2);
  layout->addWidget(header);
  layout->addWidget(view_, 1);
  empty_ = new EmptyState(page, tr("No gradients yet."),
                          tr("The exponents of a gradient appear here with the first step that keeps histograms."));
  setWidget(empty_);

  connect(combo_, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (!filling_ && index >= 0) selection_->setTensor(combo_->itemData(index).toInt());
  });
  connect(view_, &views::GradientView::setScaleRequested, this,
          [this](int exponent) { Q_EMIT scaleRequested(std::ldexp(1.0, exponent)); });
  connect(view_, &views::GradientView::formatRequested, this, [this] {
    if (const auto format = formats::parse(askFormat(this).toStdString())) view_->shares()->addFormat(*format);
  });
  connect(run_, &RunModel::reset, this, &GradientsDock::rebuild);
  connect(run_, &RunModel::tensorsAdded, this, &GradientsDock::fillCombo);
  connect(run_, &RunModel::stepsAdded, this, &GradientsDock::appendNew);
  connect(run_, &RunModel::stateChanged, this, [this] { view_->setScaleSettable(run_->isActive()); });
  connect(run_, &RunModel::policyAdded, this, &GradientsDock::markPolicy);
  connect(run_, &RunModel::observeChanged, this, &GradientsDock::showTensor);
  connect(selection_, &Selection::tensorChanged, this, &GradientsDock::showTensor);
  connect(selection_, &Selection::stepChanged, this, &GradientsDock::showStats);
  rebuild();
}

void GradientsDock::rebuild() {
  view_->setScaleSettable(run_->isActive());
  fillCombo();
  showTensor();
}

void GradientsDock::fillCombo() {
  filling_ = true;
  combo_->clear();
  const auto add = [&](bool gradients) {
    for (const wire::SiteInfo& site : run_->sites()) {
      for (const int id : run_->tensorsOf(site.id)) {
        const wire::WatchedTensor& tensor = run_->tensor(id)->tensor;
        // What only ever comes as a scan has nothing to show here.
        if (run_->tensor(id)->histograms.empty()) continue;
        if (wire::is_gradient(tensor) == gradients) {
          combo_->addItem(tensorText(tensor, run_->sites()), id);
        }
      }
    }
  };
  add(true);
  const int gradients = combo_->count();
  add(false);
  if (gradients > 0 && combo_->count() > gradients) combo_->insertSeparator(gradients);
  filling_ = false;
  empty_->setEmpty(combo_->count() == 0);
  chooseFirst();
}

void GradientsDock::chooseFirst() {
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  int wanted = -1;
  if (shown == nullptr) {
    wanted = earliestGradient(*run_);
  } else {
    // An edit gave the tensor a new id: go on with that one.
    for (const int id : run_->tensorsOf(shown->tensor.site)) {
      const wire::WatchedTensor& tensor = run_->tensor(id)->tensor;
      if (run_->tensor(id)->histograms.empty()) continue;
      if (tensor.kind == shown->tensor.kind && tensor.argument == shown->tensor.argument) wanted = id;
    }
  }
  if (wanted >= 0) selection_->setTensor(wanted);
  filling_ = true;
  combo_->setCurrentIndex(combo_->findData(selection_->tensor()));
  filling_ = false;
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

void GradientsDock::showTensor() {
  view_->clear();
  for (int i = 1; i < static_cast<int>(run_->policies().size()); ++i) markPolicy(i);
  fed_ = -1;
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  filling_ = true;
  combo_->setCurrentIndex(combo_->findData(selection_->tensor()));
  filling_ = false;
  if (shown == nullptr) {
    note_->clear();
    return;
  }
  view_->setFormat(shown->tensor.format);
  showNote(*shown);
  int per_column = 1;
  for (const TensorTrack* track : history()) {
    per_column = std::max(per_column, track->histograms.observationsPerColumn());
    for (int i = 0; i < track->histograms.size(); ++i) {
      const HistogramTrack::Column column = track->histograms.column(i);
      view_->appendColumn(column.first_step, track->histograms.statsOf(i), std::log2(column.scale));
      fed_ = column.last_step;
    }
  }
  const auto every = std::max<std::int64_t>(1, run_->config().observe.every);
  view_->heatMap()->setSampling(static_cast<int>(per_column * every));
  showStats();
}

void GradientsDock::showNote(const TensorTrack& shown) {
  QStringList notes;
  if (shown.tensor.site == 0 || selection_->tensor() == earliestGradient(*run_)) notes << tr("earliest layer");
  if (!shown.histograms.empty()) {
    const formats::TensorStats& latest = shown.histograms.latest();
    notes << (latest.censored ? tr("after rounding: bounds") : tr("before rounding"));
    if (!(latest.largest > 0)) notes << (latest.non_finite() > 0 ? tr("no finite value") : tr("all values are 0"));
  }
  note_->setText(notes.join(QStringLiteral(" · ")));
}

void GradientsDock::appendNew() {
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  if (shown == nullptr) return;
  const HistogramTrack& histograms = shown->histograms;
  if (histograms.empty()) return;
  if (note_->text().isEmpty()) return showTensor();
  showNote(*shown);
  const int from = histograms.indexOf(fed_) + 1;
  for (int i = std::max(0, from); i < histograms.size(); ++i) {
    const HistogramTrack::Column column = histograms.column(i);
    if (column.first_step <= fed_) continue;
    view_->appendColumn(column.first_step, histograms.statsOf(i), std::log2(column.scale));
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
    const std::vector<const TensorTrack*> tracks = history();
    for (auto track = tracks.rbegin(); track != tracks.rend(); ++track) {
      const int index = (*track)->histograms.indexOf(*step);
      if (index < 0) continue;
      const HistogramTrack::Column column = (*track)->histograms.column(index);
      view_->setFormat((*track)->tensor.format);
      return view_->showStats((*track)->histograms.statsOf(index), column.first_step, std::log2(column.scale));
    }
    return;
  }
  const TensorTrack* shown = run_->tensor(selection_->tensor());
  if (shown == nullptr || shown->histograms.empty()) return;
  view_->setFormat(shown->tensor.format);
  view_->showStats(shown->histograms.latest(), shown->histograms.latestStep(),
                   std::log2(shown->histograms.latestScale()));
}

}  // namespace binade::app
