// SPDX-License-Identifier: Apache-2.0
#include "app/docks/quantized_dock.h"

#include "app/docks/empty_state.h"
#include "app/present/quantized_rows.h"
#include "views/look_at_number.h"
#include "views/values/numbers.h"

#include <QLabel>

#include <algorithm>

namespace binade::app {

namespace {

/// By column of quantizedColumns().
QList<views::ColumnPlan> quantizedPlans() {
  return {{QStringLiteral("call"), 200, 150, 0, true, true},
          {QStringLiteral("operand"), 150, 110, 1},
          {QStringLiteral("format"), 130, 96, 2},
          {QStringLiteral("noise"), 104, 84, 3},
          {QStringLiteral("zero"), 84, 76, 4},
          {QStringLiteral("saturated"), 84, 80, 5},
          {QStringLiteral("outliers"), 110, 96, 6},
          {QStringLiteral("dead"), 100, 88, 8},
          {QStringLiteral("scales"), 120, 96, 9},
          {QStringLiteral("stale"), 84, 72, 7}};
}

}  // namespace

QuantizedDock::QuantizedDock(RunModel* run, Selection* selection, QWidget* parent)
    : RankingDock({.id = QStringLiteral("quantized"),
                   .title = tr("Quantized operands"),
                   .about = tr("Quantized operands, lowest signal to noise first"),
                   .columns = quantizedColumns(),
                   .widths = {},
                   .plans = quantizedPlans()},
                  run, selection, parent),
      detail_(addDetail(tr("Selected operand"))) {
  views::addLookEntry(table(), this);
  connect(run, &RunModel::reset, this, &QuantizedDock::update);
  // Observed steps can be many: the rows are made of the newest of a frame, and only where they are seen.
  connect(run, &RunModel::quantizedChanged, this, [this] { stale_ = true; });
  connect(run, &RunModel::frame, this, &QuantizedDock::updateIfStale);
  connect(this, &QDockWidget::visibilityChanged, this, &QuantizedDock::updateIfStale);
  connect(run, &RunModel::stateChanged, this, &QuantizedDock::update);
  connect(run, &RunModel::shownStepChanged, this, &QuantizedDock::update);
  update();
}

const wire::QuantizedOperand* QuantizedDock::operandOf(qlonglong id) const {
  const wire::QuantizedStep* shown = run().shownQuantized();
  if (shown == nullptr || id < 0) return nullptr;
  const auto found = std::find_if(shown->operands.begin(), shown->operands.end(),
                                  [id](const wire::QuantizedOperand& each) { return quantizedId(each) == id; });
  return found == shown->operands.end() ? nullptr : &*found;
}

std::vector<int> QuantizedDock::sitesOf(qlonglong id) const {
  const wire::QuantizedOperand* operand = operandOf(id);
  return operand == nullptr ? std::vector<int>() : std::vector<int>{operand->site};
}

void QuantizedDock::chosenChanged() {
  const wire::QuantizedOperand* operand = operandOf(chosen());
  detail_->setVisible(operand != nullptr);
  if (operand != nullptr) detail_->setText(quantizedDetail(run(), *operand));
}

void QuantizedDock::updateIfStale() {
  if (stale_ && isVisible()) update();
}

void QuantizedDock::update() {
  stale_ = false;
  const wire::QuantizedStep* shown = run().shownQuantized();
  empty()->setEmpty(shown == nullptr);
  if (shown == nullptr) {
    const bool ended = !run().isEmpty() && !run().isActive();
    empty()->setText(
        ended ? tr("No operand of this run was observed in a format with scales.") : tr("No operand is quantized."),
        tr("A rule with forward, grad_input or grad_weight in a format such as mxfp8 or nvfp4 quantizes the "
           "operands of an op call. Their figures appear here after the next observed step."));
    setRows({});
    return chosenChanged();
  }
  setRows(quantizedRows(run(), *shown));
  std::uint64_t outliers = 0;
  std::uint64_t blocks = 0;
  for (const wire::QuantizedOperand& each : shown->operands) {
    outliers += each.stats.outlier_blocks;
    blocks += each.stats.blocks;
  }
  setSummary(tr("Step %1 · %2 operands · %3 of %4 blocks ruled by one outlier")
                 .arg(views::grouped(shown->step), views::grouped(std::ssize(shown->operands)),
                      views::grouped(outliers), views::grouped(blocks)));
  chosenChanged();
}

}  // namespace binade::app
