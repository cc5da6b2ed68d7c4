// SPDX-License-Identifier: Apache-2.0
#include "app/window/lesson_shelf.h"

#include "app/window/actions.h"
#include "views/icons.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QAction>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace binade::app {

namespace {

constexpr int kShelfColumns = 3;

/// A number with as many figures as `last` has: a figure space is as wide as a digit.
QString columnNumber(int number, int last) {
  constexpr QChar kFigureSpace(u'\u2007');
  return QString::number(number).rightJustified(QString::number(last).size(), kFigureSpace);
}

}  // namespace

LessonShelf::LessonShelf(QAction* begin, QWidget* parent) : QWidget(parent), grid_(nullptr) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  auto* head = new QHBoxLayout;
  head->setSpacing(12);
  auto* sign = new QLabel;
  views::showIcon(sign, QStringLiteral("book"), 24);
  head->addWidget(sign);
  auto* title = new QLabel(begin->text());
  title->setFont(views::textFont(16, QFont::DemiBold));
  head->addWidget(title);
  auto* what =
      new QLabel(tr("Short lessons on number formats, loss scaling and autocast: predict, run, reveal, "
                    "check. No GPU needed."));
  what->setFont(views::textFont(13));
  what->setWordWrap(true);
  views::setTone(what, views::Tone::kSecond);
  head->addWidget(what, 1);
  auto* go = new QPushButton(tr("Begin"));
  go->setAccessibleName(begin->text());
  go->setToolTip(tipOf(begin));
  go->setMinimumWidth(96);
  connect(go, &QPushButton::clicked, begin, &QAction::trigger);
  head->addWidget(go);
  auto* key = new views::Badge(begin->shortcut().toString(QKeySequence::NativeText));
  key->setQuiet();
  head->addWidget(key, 0, Qt::AlignVCenter);
  layout->addLayout(head);
  grid_ = new QGridLayout;
  grid_->setHorizontalSpacing(16);
  grid_->setVerticalSpacing(0);
  for (int column = 0; column < kShelfColumns; ++column) grid_->setColumnStretch(column, 1);
  layout->addLayout(grid_);
}

void LessonShelf::setLessons(const std::vector<Lesson>& lessons) {
  if (lessons == lessons_) return;
  lessons_ = lessons;
  while (QLayoutItem* item = grid_->takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
  const int count = static_cast<int>(lessons.size());
  const int rows = (count + kShelfColumns - 1) / kShelfColumns;
  for (int i = 0; i < count; ++i) {
    const Lesson& lesson = lessons[static_cast<std::size_t>(i)];
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("lesson%1").arg(i + 1));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setText(tr("%1  %2").arg(columnNumber(i + 1, count), lesson.title));
    button->setIcon(views::icon(lesson.done ? QStringLiteral("tick") : QStringLiteral("chevron-right")));
    button->setIconSize({16, 16});
    button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // a long title does not widen the page
    button->setAccessibleName(lesson.done ? tr("Lesson %1: %2, done").arg(i + 1).arg(lesson.title)
                                          : tr("Lesson %1: %2").arg(i + 1).arg(lesson.title));
    connect(button, &QToolButton::clicked, this, [this, i] { Q_EMIT lessonRequested(i + 1); });
    grid_->addWidget(button, i % rows, i / rows);
  }
}

}  // namespace binade::app
