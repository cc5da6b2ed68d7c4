// SPDX-License-Identifier: Apache-2.0
#include "app/docks/inspector_page.h"

#include "app/present/cell_model.h"
#include "app/present/event_text.h"
#include "views/chain_view.h"
#include "views/look_at_number.h"
#include "views/scale_label.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

namespace {

constexpr int kPageMargin = 20;
constexpr int kFactColumns = 3;

// Makes a table as high as its rows: the page scrolls, not the table.
void fitHeight(QTableView* table) {
  const int rows = table->model()->rowCount();
  table->setFixedHeight(table->horizontalHeader()->height() + rows * table->verticalHeader()->defaultSectionSize() +
                        2 * table->frameWidth());
}

QTableView* makeTable(CellModel* model, const QString& name) {
  auto* table = new QTableView;
  table->setModel(model);
  views::styleTable(table);
  table->setSortingEnabled(false);
  table->setFrameShape(QFrame::Box);
  table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setAccessibleName(name);
  return table;
}

QWidget* head(const QString& title, QLabel** caption, QLabel** shown = nullptr) {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 12, 0, 0);
  auto* label = new QLabel(title);
  if (shown != nullptr) *shown = label;
  label->setFont(views::textFont(13, QFont::DemiBold));
  *caption = new QLabel;
  views::setTone(*caption, views::Tone::kSecond);
  (*caption)->setFont(views::textFont(11));
  layout->addWidget(label);
  layout->addStretch();
  layout->addWidget(*caption);
  return row;
}

// The colour square of a format, for a label.
class Square : public QWidget {
 public:
  Square(const QString& format, views::CellExecution execution) : format_(format), execution_(execution) {
    setFixedSize(12, 16);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    views::drawFormatSquare(painter, QRectF(0, 3, 10, 10), format_, execution_);
  }

 private:
  QString format_;
  views::CellExecution execution_;
};

}  // namespace

InspectorPage::InspectorPage(QWidget* parent)
    : QWidget(parent),
      column_(new QVBoxLayout(this)),
      sentence_(views::makeTextLabel()),
      before_(views::makeTextLabel(views::Tone::kSecond)),
      verdict_box_(new QFrame),
      verdict_(views::makeTextLabel()),
      explanation_(views::makeTextLabel(views::Tone::kSecond)),
      facts_(new QWidget),
      facts_grid_(new QGridLayout(facts_)),
      chain_(new views::ChainView) {
  views::setPanelGround(this);
  column_->setContentsMargins(kPageMargin, 16, kPageMargin, 20);
  column_->setSpacing(8);
  sentence_->setFont(views::textFont(18, QFont::DemiBold));
  column_->addWidget(sentence_);
  before_->setObjectName(QStringLiteral("beforeEdit"));
  column_->addWidget(before_);
  makeVerdict(column_);
  facts_grid_->setContentsMargins(0, 8, 0, 0);
  facts_grid_->setVerticalSpacing(10);
  for (int i = 0; i < kFactColumns; ++i) facts_grid_->setColumnStretch(i, 1);
  column_->addWidget(facts_);
  chain_head_ = head(tr("Chain"), &chain_caption_);
  chain_caption_->setText(tr("click a line to select its op call"));
  column_->addWidget(chain_head_);
  column_->addWidget(chain_);
  connect(chain_, &views::ChainView::activated, this, &InspectorPage::siteRequested);
  connect(chain_, &views::ChainView::numberRequested, this, &InspectorPage::numberRequested);
  makeTried(column_);
  makeInputs(column_);
  makeWhy(column_);
  column_->addStretch();
}

void InspectorPage::makeVerdict(QVBoxLayout* column) {
  auto* layout = new QVBoxLayout(verdict_box_);
  layout->setContentsMargins(14, 10, 14, 10);
  layout->setSpacing(4);
  verdict_->setFont(views::textFont(12, QFont::DemiBold));
  layout->addWidget(verdict_);
  layout->addWidget(explanation_);
  column->addWidget(verdict_box_);
}

void InspectorPage::makeTried(QVBoxLayout* column) {
  tried_head_ = head(QString(), &tried_caption_, &tried_title_);
  tried_model_ = new CellModel(
      {{tr("Change")}, {tr("This batch")}, {tr("Doublings left"), true}, {tr("Lost"), true}, {tr("Afterwards")}}, this);
  tried_ = makeTable(tried_model_, tr("What was tried"));
  views::addLookEntry(tried_, this);
  tried_->setItemDelegateForColumn(1, new views::VerdictDelegate(tried_));
  views::setColumnWidths(tried_, {220, 100, 100, 60, 190}, {112, 110, 90, 52, 112});
  apply_row_ = new QWidget(this);
  views::setSurface(apply_row_, views::Surface::kFoot);
  auto* row = new QHBoxLayout(apply_row_);
  row->setContentsMargins(kPageMargin, 8, kPageMargin, 8);
  apply_ = new QPushButton(tr("Apply fix"));
  views::setPrimary(apply_);
  apply_->setMinimumWidth(112);
  try_ = new QPushButton(tr("Try"));
  apply_note_ = views::makeTextLabel(views::Tone::kSecond);
  row->addWidget(apply_);
  row->addWidget(try_);
  row->addSpacing(8);
  row->addWidget(apply_note_, 1);
  column->addWidget(tried_head_);
  column->addWidget(tried_);
  repair_ = new QPushButton(tr("Search for the smallest repair…"));
  repair_->setToolTip(tr("Finds the fewest op calls that need a wider format, with trainings as proof"));
  repair_->hide();
  column->addWidget(repair_, 0, Qt::AlignLeft);
  connect(repair_, &QPushButton::clicked, this, &InspectorPage::repairRequested);
  connect(apply_, &QPushButton::clicked, this, [this] {
    const int row = chosen();
    if (row >= 0) Q_EMIT fixRequested(story_.tried[row].change);
  });
  connect(try_, &QPushButton::clicked, this, [this] {
    const int row = chosen();
    if (row >= 0) Q_EMIT tryRequested(story_.tried[row].change);
  });
  connect(tried_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &InspectorPage::updateApply);
}

void InspectorPage::makeInputs(QVBoxLayout* column) {
  QLabel* caption = nullptr;
  inputs_head_ = head(tr("Inputs"), &caption);
  caption->setText(tr("at the first cause"));
  inputs_model_ = new CellModel(
      {{tr("Argument")}, {tr("Format")}, {tr("Magnitudes"), true}, {tr("Not finite"), true}, {tr("Zeros"), true}},
      this);
  inputs_ = makeTable(inputs_model_, tr("Inputs of the op call"));
  views::addLookEntry(inputs_, this);
  inputs_->setItemDelegateForColumn(1, new views::FormatDelegate(inputs_));
  inputs_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  views::setColumnWidths(inputs_, {190, 110, 190, 100, 120}, {60, 84, 150, 92, 110});
  column->addWidget(inputs_head_);
  column->addWidget(inputs_);
}

void InspectorPage::makeWhy(QVBoxLayout* column) {
  why_ = new QToolButton;
  why_->setText(tr("Why is this an error?"));
  why_->setCheckable(true);
  why_->setArrowType(Qt::RightArrow);
  why_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  why_->setToolTip(tr("An explanation from first principles"));
  copy_ = new QToolButton;
  copy_->setText(tr("Copy as text"));
  copy_->setToolTip(tr("Copies the whole page, for example for a report"));
  why_text_ = views::makeTextLabel();
  why_text_->hide();
  replay_note_ = views::makeTextLabel(views::Tone::kThird);
  replay_note_->setFont(views::textFont(11));
  column->addSpacing(4);
  auto* row = new QHBoxLayout;
  row->addWidget(why_);
  row->addStretch();
  row->addWidget(copy_);
  column->addLayout(row);
  column->addWidget(why_text_);
  column->addWidget(replay_note_);
  connect(why_, &QToolButton::toggled, this, [this](bool open) {
    why_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    why_text_->setVisible(open);
  });
  connect(copy_, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(storyText(story_)); });
}

void InspectorPage::setStory(const EventStory& story) {
  story_ = story;
  sentence_->setText(story.sentence);
  verdict_->setText(story.verdict);
  explanation_->setText(story.explanation);
  verdict_box_->setVisible(!story.verdict.isEmpty());
  before_->setText(story.before);
  before_->setVisible(!story.before.isEmpty());
  const bool over = story.harmless || !story.replayed || !story.before.isEmpty();
  views::setPrimary(apply_, !story.harmless);  // a change that is not needed is not the most likely action
  views::setSurface(verdict_box_, over ? views::Surface::kVerdict : views::Surface::kBadVerdict);
  showFacts();
  chain_->setRows(story.chain);
  chain_head_->setVisible(!story.chain.empty());
  chain_->setVisible(!story.chain.empty());
  showTried();
  repair_->setVisible(story.repair);
  showInputs();
  why_text_->setText(story.whyRed);
  why_->setVisible(!story.whyRed.isEmpty());
  why_text_->setVisible(why_->isChecked() && !story.whyRed.isEmpty());
  replay_note_->setText(story.replayNote);
  replay_note_->setVisible(!story.replayNote.isEmpty());
}

// Replaces the menu of a selectable label, which Qt does not let others extend.
void InspectorPage::offerNumber(QLabel* label, const views::PickedNumber& number) {
  QAction* look = views::makeLookAction(true, label);
  auto* copy = new QAction(tr("Copy"), label);
  connect(look, &QAction::triggered, this, [this, number] { Q_EMIT numberRequested(number); });
  connect(copy, &QAction::triggered, label, [label] {
    QGuiApplication::clipboard()->setText(label->hasSelectedText() ? label->selectedText() : label->text());
  });
  label->addActions({look, copy});
  label->setContextMenuPolicy(Qt::ActionsContextMenu);
}

QWidget* InspectorPage::makeFact(const EventStory::Fact& fact) {
  auto* cell = new QWidget;
  auto* column = new QVBoxLayout(cell);
  column->setContentsMargins(0, 0, 8, 0);
  column->setSpacing(2);
  auto* name = new QLabel(fact.name);
  views::setTone(name, views::Tone::kSecond);
  name->setFont(views::textFont(11));
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  const auto execution = fact.emulated ? views::CellExecution::kEmulated : views::CellExecution::kNative;
  if (!fact.format.isEmpty()) row->addWidget(new Square(fact.format, execution));
  auto* value = views::makeTextLabel(fact.crimson ? views::Tone::kCrimson : views::Tone::kText);
  value->setFont(views::figureFont(12, fact.crimson ? QFont::DemiBold : QFont::Medium));
  value->setText(fact.value);
  if (fact.number) offerNumber(value, *fact.number);
  row->addWidget(value, 1);
  column->addWidget(name);
  column->addLayout(row);
  return cell;
}

void InspectorPage::showFacts() {
  while (QLayoutItem* item = facts_grid_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  int at = 0;
  for (const EventStory::Fact& fact : story_.facts) {
    facts_grid_->addWidget(makeFact(fact), at / kFactColumns, at % kFactColumns, Qt::AlignTop);
    ++at;
  }
  facts_->setVisible(at > 0);
}

void InspectorPage::showTried() {
  QList<CellRow> rows;
  int smallest = -1;
  for (const EventStory::Tried& tried : story_.tried) {
    const auto shape = tried.finite ? views::VerdictShape::kFits : views::VerdictShape::kOverflow;
    Cell change(tried.change.text);
    change.with(views::AttentionRole, tried.smallest);
    if (!tried.brief.isEmpty()) change.with(views::BriefRole, tried.brief);
    if (tried.change.scale > 0) change.withNumber(tried.change.scale);
    Cell batch(tried.finite ? tr("finite") : tr("not finite"));
    batch.with(views::VerdictRole, static_cast<int>(shape)).with(views::AttentionRole, !tried.finite);
    Cell after(tried.afterwards);
    after.with(views::QuietRole, true);
    if (tried.smallest) smallest = static_cast<int>(rows.size());
    Cell left = Cell::figure(doublingsText(tried), 0);
    left.with(tried.doublings ? views::AttentionRole : views::QuietRole, !tried.doublings || *tried.doublings < 0);
    Cell lost = Cell::figure(tried.lost, 0);
    lost.with(views::QuietRole, true);
    rows.append({rows.size(), {change, batch, left, lost, after}});
  }
  tried_title_->setText(triedTitle(story_));
  tried_caption_->setText(story_.triedNote.isEmpty() ? tr("the same step, replayed from its saved state")
                                                     : story_.triedNote);
  tried_model_->setRows(rows);
  fitHeight(tried_);
  for (QWidget* part : {tried_head_, static_cast<QWidget*>(tried_), apply_row_}) part->setVisible(!rows.isEmpty());
  if (smallest >= 0) {
    tried_->selectRow(smallest);
  } else {
    tried_->clearSelection();
  }
  updateApply();
}

void InspectorPage::showInputs() {
  QList<CellRow> rows;
  for (const EventStory::Input& input : story_.inputs) {
    Cell format(input.format);
    format.with(views::FormatRole, input.format);
    Cell bad = Cell::figure(input.notFinite, 0);
    bad.with(input.crimson ? views::AttentionRole : views::QuietRole, true);
    Cell range = Cell::figure(input.range, 0);
    if (input.largest) range.withNumber(input.largest->value, input.largest->format);
    rows.append({rows.size(), {Cell(input.name), format, range, bad, Cell::figure(input.zeros, 0)}});
  }
  inputs_model_->setRows(rows);
  fitHeight(inputs_);
  inputs_->setVisible(!rows.isEmpty());
  inputs_head_->setVisible(!rows.isEmpty());
}

int InspectorPage::chosen() const {
  const QModelIndexList selected = tried_->selectionModel()->selectedRows();
  return selected.isEmpty() ? -1 : selected.front().row();
}

void InspectorPage::setApplicable(bool applicable, const QString& why_not) {
  applicable_ = applicable;
  why_not_ = why_not;
  updateApply();
}

void InspectorPage::setInForce(const QList<bool>& changes) {
  in_force_ = changes;
  updateApply();
}

void InspectorPage::setScaleAdvice(const QString& advice) {
  scale_advice_ = advice;
  updateApply();
}

void InspectorPage::updateApply() {
  const int row = chosen();
  const bool useful =
      row >= 0 && row < story_.tried.size() && story_.tried[row].finite && !story_.tried[row].change.isEmpty();
  const bool in_force = useful && in_force_.value(row);
  apply_->setEnabled(applicable_ && useful && !in_force);
  apply_->setToolTip(applicable_ ? QString() : why_not_);
  const bool rules_change = useful && !in_force && !story_.tried[row].change.rules.empty();
  try_->setEnabled(rules_change);
  try_->setToolTip(rules_change ? tr("Trains under the changed policy beside the run, without applying it")
                                : tr("Only a change of the policy can be tried."));
  QString note;
  if (!useful) {
    note = tr("Select a change that keeps the step finite.");
  } else if (in_force) {
    note = tr("The policy already contains this change.");
  } else {
    const FixChoice& change = story_.tried[row].change;
    const bool rules = !change.rules.empty();
    note = rules && change.scale > 0
               ? tr("Adds to the policy and sets the loss scale, from the next step, as one undo step.")
           : rules ? tr("Adds to the policy from the next step, as one undo step.")
                   : tr("Sets the loss scale from the next step, as one undo step.");
  }
  if (useful && story_.tried[row].change.scale <= 0 && !scale_advice_.isEmpty()) note += u' ' + scale_advice_;
  if (story_.harmless) note += u' ' + tr("No change is needed.");
  apply_note_->setText(applicable_ ? note : why_not_);
}

}  // namespace binade::app
