// SPDX-License-Identifier: Apache-2.0
#include "app/window/start_page.h"

#include "app/session/recent_files.h"
#include "app/window/first_paint.h"
#include "views/icons.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

namespace binade::app {

namespace {

constexpr int kWidth = 1184;  // four cards and the gaps between them
constexpr int kRowHeight = 32;

QLabel* text(const QString& words, int pixels, QFont::Weight weight = QFont::Normal,
             views::Tone tone = views::Tone::kText) {
  auto* label = new QLabel(words);
  label->setFont(views::textFont(pixels, weight));
  label->setWordWrap(true);
  views::setTone(label, tone);
  return label;
}

}  // namespace

StartPage::StartPage(RecentFiles* recent, QWidget* parent)
    : QWidget(parent),
      recent_(recent),
      recent_table_(new QTableView),
      no_recent_(nullptr),
      clear_(nullptr),
      machine_(nullptr) {
  setObjectName(QStringLiteral("startPage"));
  views::setPanelGround(this);
  setAccessibleName(tr("Start page"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  auto* page = new QWidget;
  views::setPanelGround(page);
  auto* middle = new QHBoxLayout(page);
  middle->setContentsMargins(24, 0, 24, 0);
  auto* column = new QWidget;
  column->setMaximumWidth(kWidth);
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 48, 0, 32);
  layout->setSpacing(8);
  layout->addWidget(text(tr("Binade"), 32, QFont::DemiBold));
  layout->addWidget(text(tr("See the effect of every number format on a training run, one op call at a time."), 14,
                         QFont::Normal, views::Tone::kSecond));
  layout->addSpacing(20);
  layout->addWidget(makeDoors());
  layout->addSpacing(24);
  layout->addWidget(makeRecent());
  layout->addSpacing(20);
  layout->addWidget(makeDropHint());
  layout->addSpacing(24);
  shelf_ = new LessonShelf(doors_.back());
  layout->addWidget(shelf_);
  connect(shelf_, &LessonShelf::lessonRequested, this, &StartPage::lessonRequested);
  layout->addSpacing(16);
  machine_ = text(QString(), 12, QFont::Normal, views::Tone::kSecond);
  layout->addWidget(machine_);
  layout->addStretch();
  middle->addStretch(1);
  middle->addWidget(column, 100);
  middle->addStretch(1);
  scroll->setWidget(page);
  outer->addWidget(scroll);
}

QWidget* StartPage::makeDoors() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(16);
  const Door doors[] = {
      {QStringLiteral("run"), tr("Run the demo"),
       tr("A small network on Fashion-MNIST in float16. The loss scale skips, backs off and grows within a minute."),
       tr("Start"), tr("about 1 minute")},
      {QStringLiteral("model"), tr("Open a model"),
       tr("A TorchScript file. Train it, change the format of any op call, and observe the effect."), tr("Open…"),
       QStringLiteral(".pt  .ts  .pth  .run.json")},
      {QStringLiteral("bug"), tr("A run that failed"),
       tr("Needs the weights, one batch and the loss scale. No optimizer."), tr("Find the cause…"),
       tr("runs and examines one step")},
      {QStringLiteral("chip"), tr("Connect to another computer's engine"),
       tr("Train where the GPU is. This window shows and changes the run over ssh."), tr("Connect…"),
       tr("host and command")},
  };
  int number = 1;
  for (const Door& door : doors) {
    layout->addWidget(makeDoor(number, door, addDoor(door.title)), 1);
    ++number;
  }
  connect(doors_[0], &QAction::triggered, this, &StartPage::demoRequested);
  connect(doors_[1], &QAction::triggered, this, &StartPage::openRequested);
  connect(doors_[2], &QAction::triggered, this, &StartPage::failedRunRequested);
  connect(doors_[3], &QAction::triggered, this, &StartPage::connectRequested);
  connect(addDoor(tr("Learn")), &QAction::triggered, this, &StartPage::lessonsRequested);
  return row;
}

// Its key is its number.
QAction* StartPage::addDoor(const QString& title) {
  auto* action = new QAction(title, this);
  const QString number = QString::number(doors_.size() + 1);
  action->setObjectName(QStringLiteral("door") + number);
  action->setShortcut(QKeySequence(number));
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(action);
  doors_.append(action);
  return action;
}

QWidget* StartPage::makeDoor(int number, const Door& door, QAction* action) {
  auto* card = new QFrame;
  views::setSurface(card, number == 1 ? views::Surface::kChosenCard : views::Surface::kCard);
  auto* layout = new QVBoxLayout(card);
  constexpr int kDoorGap = 8;
  layout->setContentsMargins(24, 8, 16, 16);
  layout->setSpacing(0);
  auto* key = new views::Badge(QString::number(number));  // it opens the door
  key->setQuiet();
  layout->addWidget(key, 0, Qt::AlignRight);
  auto* head = new QHBoxLayout;
  head->setSpacing(16);
  auto* sign = new QLabel;
  views::showIcon(sign, door.icon, 24);
  head->addWidget(sign);
  auto* title = text(door.title, 16, QFont::DemiBold);
  title->setMinimumHeight(2 *
                          title->fontMetrics().lineSpacing());  // so that the texts of all doors begin at one height
  head->addWidget(title, 1);
  layout->addLayout(head);
  layout->addSpacing(kDoorGap);
  auto* words = new views::Paragraph(door.text);
  words->setFont(views::textFont(13));
  views::setTone(words, views::Tone::kSecond);
  constexpr int kLinesOfDoor = 4;  // so that the buttons of all doors stand at one height
  constexpr int kOneLine = 10000;  // px, wider than any of the texts
  words->setMinimumHeight(words->heightForWidth(kOneLine) * kLinesOfDoor);
  layout->addWidget(words);
  layout->addSpacing(kDoorGap);
  auto* button = new QPushButton(door.button);
  views::setPrimary(button, number == 1);
  button->setMinimumWidth(96);
  button->setAccessibleName(door.title);
  button->setAccessibleDescription(door.text + u' ' + door.note);
  button->setToolTip(tr("%1 (%2)").arg(door.title).arg(number));
  connect(button, &QPushButton::clicked, action, &QAction::trigger);
  layout->addWidget(button, 0, Qt::AlignLeft);
  layout->addSpacing(kDoorGap);
  layout->addWidget(text(door.note, 11, QFont::Normal, views::Tone::kThird));
  return card;
}

QWidget* StartPage::makeRecent() {
  auto* group = new QWidget;
  auto* layout = new QVBoxLayout(group);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* head = new QHBoxLayout;
  head->addWidget(text(tr("Recent"), 16, QFont::DemiBold));
  head->addStretch();
  auto* clear = new QPushButton(tr("Clear list"));
  clear->setFlat(true);
  connect(clear, &QPushButton::clicked, recent_, &RecentFiles::clear);
  clear_ = clear;
  head->addWidget(clear);
  layout->addLayout(head);

  recent_table_->setObjectName(QStringLiteral("recentFiles"));
  recent_table_->setModel(recent_);
  views::styleTable(recent_table_);
  recent_table_->setFrameShape(QFrame::StyledPanel);
  recent_table_->setSortingEnabled(false);
  recent_table_->setSelectionMode(QAbstractItemView::SingleSelection);
  recent_table_->setAccessibleName(tr("Recent files"));
  recent_table_->verticalHeader()->setDefaultSectionSize(kRowHeight);
  recent_table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  recent_table_->horizontalHeader()->setSectionResizeMode(RecentFiles::kName, QHeaderView::Stretch);
  recent_table_->setColumnWidth(RecentFiles::kFolder, 200);
  recent_table_->setColumnWidth(RecentFiles::kKind, 144);
  recent_table_->setColumnWidth(RecentFiles::kDetails, 260);
  recent_table_->setColumnWidth(RecentFiles::kOpened, 128);
  const auto open = [this](const QModelIndex& index) {
    const QString file = recent_->path(index.row());
    if (!file.isEmpty()) Q_EMIT fileRequested(file);
  };
  connect(recent_table_, &QTableView::activated, this, open);
  layout->addWidget(recent_table_);
  no_recent_ =
      text(tr("No recent files. Models, policies and run files appear here."), 12, QFont::Normal, views::Tone::kSecond);
  layout->addWidget(no_recent_);
  connect(recent_, &QAbstractItemModel::modelReset, this, &StartPage::fitRecent);
  fitRecent();
  return group;
}

void StartPage::fitRecent() {
  const int rows = recent_->rowCount();
  recent_table_->setVisible(rows > 0);
  no_recent_->setVisible(rows == 0);
  clear_->setVisible(rows > 0);
  recent_table_->setFixedHeight(26 + rows * kRowHeight);
}

QWidget* StartPage::makeDropHint() {
  auto* frame = new QFrame;
  views::setSurface(frame, views::Surface::kDropHint);
  auto* layout = new QHBoxLayout(frame);
  layout->setContentsMargins(20, 18, 20, 18);
  auto* sign = new QLabel;
  views::showIcon(sign, QStringLiteral("file"), 16);
  layout->addWidget(sign);
  layout->addWidget(text(tr("Drop a model, a policy, a run description or a run file anywhere in this window."), 13,
                         QFont::Normal, views::Tone::kSecond),
                    1);
  return frame;
}

void StartPage::setMachine(const QString& sentence) {
  machine_->setText(sentence);
}

void StartPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  // After the window is painted: a person waits for the window, not for the titles of lessons.
  afterFirstPaint(this, [this] {
    if (!isVisible() || !lessons_) return;
    shelf_->setLessons(lessons_());
    has_lessons_ = true;
    Q_EMIT lessonsShown();
  });
}

void StartPage::keyPressEvent(QKeyEvent* event) {
  // A table opens its row by Return, and passes the key on nevertheless.
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && !recent_table_->hasFocus()) {
    Q_EMIT demoRequested();
    return;
  }
  QWidget::keyPressEvent(event);
}

}  // namespace binade::app
