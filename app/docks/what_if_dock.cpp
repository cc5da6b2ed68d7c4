// SPDX-License-Identifier: Apache-2.0
#include "app/docks/what_if_dock.h"

#include "app/model/site_name.h"
#include "app/present/quantized_rows.h"
#include "app/present/what_if_rows.h"
#include "engine/scaled/scaled_format.h"
#include "views/elided_label.h"
#include "views/height_scroll.h"
#include "views/plot/block_view.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace binade::app {

namespace {

using policy::Operand;
using policy::Product;

/// The six operands of an op call, in the order of the list.
constexpr std::pair<Product, Operand> kOperands[] = {
    {Product::kForward, Operand::kInput},       {Product::kForward, Operand::kWeight},
    {Product::kGradInput, Operand::kGradient},  {Product::kGradInput, Operand::kWeight},
    {Product::kGradWeight, Operand::kGradient}, {Product::kGradWeight, Operand::kInput}};

}  // namespace

WhatIfDock::WhatIfDock(RunModel* run, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("whatIf"), tr("Formats of an operand"), parent),
      run_(run),
      selection_(selection),
      operands_(new QComboBox),
      measure_(new QPushButton(tr("Measure"))),
      call_(new views::ElidedLabel),
      source_(views::makeTextLabel()),
      table_(new QTableView),
      model_(new CellModel(whatIfColumns(), this)),
      blocks_(new views::BlockView) {
  for (const auto& [product, operand] : kOperands) operands_->addItem(operandText(product, operand));
  operands_->setAccessibleName(tr("Operand"));
  table_->setModel(model_);
  views::styleTable(table_);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setAccessibleName(tr("Formats of the operand"));
  views::setColumnWidths(table_, {170, 110, 90, 90, 110, 100, 110}, {150, 84, 76, 80, 96, 88, 80});
  source_->setAccessibleName(tr("Where the figures come from"));
  source_->setContentsMargins(12, 4, 12, 6);
  views::setTone(source_, views::Tone::kSecond);
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* header = new QHBoxLayout;
  header->setContentsMargins(12, 6, 12, 6);
  header->setSpacing(8);
  header->addWidget(call_, 1);
  header->addWidget(operands_);
  header->addWidget(measure_);
  column->addLayout(header);
  column->addWidget(source_);
  auto* both = new QSplitter(Qt::Vertical);
  both->addWidget(table_);
  both->addWidget(blocks_);
  column->addWidget(both, 1);
  constexpr int kLeast = 140;  // px: with every dock shown, a window of 1280 x 800 would grow otherwise
  setWidget(new views::HeightScroll(page, kLeast));
  connect(measure_, &QPushButton::clicked, this, [this] { request({}); });
  connect(operands_, &QComboBox::currentIndexChanged, this, &WhatIfDock::forget);
  // The blocks are those of the chosen format.
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    request(formats_.at(static_cast<std::size_t>(model_->row(index.row()).id)));
  });
  connect(selection, &Selection::sitesChanged, this, [this] {
    if (site() != shown_site_) forget();
  });
  connect(run, &RunModel::reset, this, [this] {
    waiting_ = false;  // an answer about another run is not shown
    forget();
  });
  connect(run, &RunModel::stateChanged, this, &WhatIfDock::update);
  forget();
}

int WhatIfDock::site() const {
  for (const int site : selection_->sites()) {
    if (site < 0 || static_cast<std::size_t>(site) >= run_->sites().size()) continue;
    const policy::SiteKey& key = run_->sites()[static_cast<std::size_t>(site)].key;
    if (policy::has_products(key.op, key.overload)) return site;
  }
  return -1;
}

void WhatIfDock::request(const std::string& format) {
  const int index = operands_->currentIndex();
  if (site() < 0 || index < 0 || waiting_ || !run_->isActive()) return;
  const auto& [product, operand] = kOperands[static_cast<std::size_t>(index)];
  waiting_ = true;
  update();
  Q_EMIT measureRequested({site(), product, operand, format});
}

void WhatIfDock::clear() {
  model_->setRows({});
  formats_.clear();
  blocks_->setBlocks({}, scaled::Element::kE4M3);
}

void WhatIfDock::forget() {
  shown_site_ = site();
  clear();
  source_->setText(
      tr("Quantizes the operand of the next step to every format with scales. The training itself does not "
         "change."));
  update();
}

void WhatIfDock::update() {
  const int selected = site();
  call_->setText(selected < 0 ? tr("Select a matrix product, linear or convolution among the op calls.")
                              : callOrIndex(run_->sites(), selected));
  operands_->setEnabled(selected >= 0);
  measure_->setEnabled(selected >= 0 && !waiting_ && run_->isActive());
  measure_->setText(waiting_ ? tr("Measuring…") : tr("Measure"));
  measure_->setToolTip(run_->isActive() ? QString() : tr("An ended run has no next step."));
}

void WhatIfDock::showAnswer(const std::variant<wire::WhatIf, Problem>& answer) {
  waiting_ = false;
  update();
  if (const auto* problem = std::get_if<Problem>(&answer)) {
    clear();  // figures under an error would read as its answer
    source_->setText(problem->message + (problem->hint.isEmpty() ? QString() : u' ' + problem->hint));
    return;
  }
  const auto& what_if = std::get<wire::WhatIf>(answer);
  const int index = operands_->currentIndex();
  const auto& [product, operand] = kOperands[static_cast<std::size_t>(index < 0 ? 0 : index)];
  // Another operand was chosen meanwhile.
  if (what_if.site != site() || what_if.product != product || what_if.operand != operand) return;
  model_->setRows(whatIfRows(what_if));
  formats_.clear();
  for (const wire::FormatEffect& each : what_if.effects) formats_.push_back(each.format);
  source_->setText(
      whatIfSource(*run_, what_if) + u' ' +
      tr("Blocks: %1; Enter in the table shows those of another format.").arg(QString::fromStdString(what_if.format)));
  std::vector<views::BlockView::Block> blocks;
  blocks.reserve(what_if.blocks.size());
  for (const wire::QuantizedBlock& each : what_if.blocks)
    blocks.push_back({blockPlace(each), each.scale, each.snr_db, each.values, each.quantized});
  const auto format = scaled::parse(what_if.format);
  blocks_->setBlocks(std::move(blocks), format ? format->element : scaled::Element::kE4M3);
}

}  // namespace binade::app
