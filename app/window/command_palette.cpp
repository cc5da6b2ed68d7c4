// SPDX-License-Identifier: Apache-2.0
#include "app/window/command_palette.h"

#include "app/window/actions.h"
#include "app/window/fuzzy_match.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace binade::app {

namespace {

constexpr int kMostMatches = 200;  // nobody reads more; a model may have 10,000 op calls
constexpr int kEntryRole = Qt::UserRole;
constexpr int kEntryHeight = 24;

struct Match {
  int score;
  int entry;
};

}  // namespace

CommandPalette::Entry paletteEntry(QAction* action, const QString& prefix) {
  CommandPalette::Entry entry;
  entry.text = prefix + plainText(action);
  entry.key = action->shortcut().toString(QKeySequence::NativeText);
  entry.possible = action->isEnabled();
  entry.why_not = whyDisabled(action);
  entry.run = [action = QPointer<QAction>(action)] {
    if (action) action->trigger();
  };
  return entry;
}

CommandPalette::CommandPalette(std::vector<Entry> entries, QWidget* parent)
    : QDialog(parent), entries_(std::move(entries)), line_(new QLineEdit), list_(new QTreeWidget) {
  setObjectName(QStringLiteral("commandPalette"));
  setWindowTitle(tr("Command palette"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(640, 420);
  line_->setPlaceholderText(tr("Letters of a command, a dock or an op call"));
  line_->setAccessibleName(tr("Find a command"));
  line_->setClearButtonEnabled(true);
  line_->installEventFilter(this);
  list_->setAccessibleName(tr("Commands"));
  list_->setColumnCount(2);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  list_->setFocusPolicy(Qt::NoFocus);  // the arrow keys of the line move in it
  list_->header()->hide();
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(line_);
  layout->addWidget(list_);
  connect(line_, &QLineEdit::textChanged, this, &CommandPalette::showMatches);
  connect(line_, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
  connect(list_, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) {
    if (item == list_->currentItem()) runCurrent();
  });
  showMatches();
  line_->setFocus();
}

void CommandPalette::showMatches() {
  std::vector<Match> matches;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (const auto score = fuzzyScore(line_->text(), entries_[i].text))
      matches.push_back({*score, static_cast<int>(i)});
  }
  // Those of one score stay in their order, which is that of the menus.
  std::stable_sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) { return a.score > b.score; });
  matches.resize(std::min(matches.size(), static_cast<std::size_t>(kMostMatches)));
  list_->clear();
  QTreeWidgetItem* first = nullptr;
  for (const Match& match : matches) {
    const Entry& entry = entries_[static_cast<std::size_t>(match.entry)];
    auto* item = new QTreeWidgetItem(list_, {entry.text, entry.possible ? entry.key : entry.why_not});
    item->setData(0, kEntryRole, match.entry);
    item->setSizeHint(0, QSize(0, kEntryHeight));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(0, entry.possible ? entry.text : entry.why_not);
    if (!entry.possible) item->setFlags(Qt::NoItemFlags);
    if (entry.possible && first == nullptr) first = item;
  }
  list_->setCurrentItem(first);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == line_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const int way = key->key() == Qt::Key_Down ? 1 : key->key() == Qt::Key_Up ? -1 : 0;
    const int rows = list_->topLevelItemCount();
    for (int row = list_->indexOfTopLevelItem(list_->currentItem()) + way; way != 0 && row >= 0 && row < rows;
         row += way) {
      if (!list_->topLevelItem(row)->flags().testFlag(Qt::ItemIsEnabled)) continue;
      list_->setCurrentItem(list_->topLevelItem(row));
      break;
    }
    if (way != 0) return true;
  }
  return QDialog::eventFilter(watched, event);
}

void CommandPalette::runCurrent() {
  const QTreeWidgetItem* item = list_->currentItem();
  if (item == nullptr || !item->flags().testFlag(Qt::ItemIsEnabled)) return;
  const auto run = entries_[static_cast<std::size_t>(item->data(0, kEntryRole).toInt())].run;
  accept();
  QTimer::singleShot(0, parent() == nullptr ? this : parent(), run);
}

}  // namespace binade::app
