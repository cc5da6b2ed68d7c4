// SPDX-License-Identifier: Apache-2.0
#include "app/docks/rank_choice.h"

#include "app/present/rank_rows.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

namespace {
constexpr int kWidestChoice = 220;  // names of computers are long
}  // namespace

RankChoice::RankChoice(RunModel* run, Selection* selection, QWidget* parent)
    : ElidedComboBox(Qt::ElideRight, parent), run_(run), selection_(selection) {
  setAccessibleName(tr("Rank"));
  setToolTip(
      tr("The process whose figures are shown, where the ranks of the run differ. Other figures are of all ranks "
         "together."));
  setMaximumWidth(kWidestChoice);
  connect(this, &QComboBox::currentIndexChanged, this,
          [this](int index) { selection_->setRank(itemData(index).toInt()); });
  connect(selection_, &Selection::rankChanged, this, &RankChoice::showChosen);
  connect(run_, &RunModel::reset, this, &RankChoice::rebuild);
  rebuild();
}

QWidget* RankChoice::above(QWidget* content, RunModel* run, Selection* selection) {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  // A widget, not a layout: the margins of a layout without visible parts still take room.
  auto* bar = new QWidget;
  auto* choice = new RankChoice(run, selection);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(12, 6, 12, 6);
  row->addWidget(choice);
  row->addStretch();
  const auto follow = [bar, choice] { bar->setVisible(!choice->isHidden()); };
  connect(run, &RunModel::reset, bar, follow);  // after the choice has followed
  layout->addWidget(bar);
  follow();
  layout->addWidget(content, 1);
  return page;
}

void RankChoice::rebuild() {
  const auto count = static_cast<int>(run_->rankInfos().size());
  if (selection_->rank() >= count) selection_->setRank(-1);
  {
    const QSignalBlocker quiet(this);
    clear();
    addItem(tr("All ranks"), -1);
    for (int rank = 0; rank < count; ++rank) addItem(rankText(*run_, rank), rank);
  }
  showChosen();
  setVisible(count > 1);
}

void RankChoice::showChosen() {
  const QSignalBlocker quiet(this);
  setCurrentIndex(std::max(0, findData(selection_->rank())));
}

}  // namespace binade::app
