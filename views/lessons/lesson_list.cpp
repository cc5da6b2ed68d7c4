// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/lesson_list.h"

#include "views/style/boxes.h"
#include "views/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace binade::views {

namespace {

constexpr int kSummaryRole = Qt::UserRole;
constexpr int kDoneRole = Qt::UserRole + 1;
constexpr int kPresentRole = Qt::UserRole + 2;

constexpr int kRowLeft = 44;  // px: left of the title
constexpr int kRowRight = 34;
constexpr int kRowPad = 8;

class LessonRowDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const auto* list = qobject_cast<const QAbstractItemView*>(option.widget);
    const int width = list != nullptr ? list->viewport()->width() : option.rect.width();
    return {width, heightOf(titleFont(), width, index.data().toString()) +
                       heightOf(textFont(12), width, index.data(kSummaryRole).toString()) + 2 * kRowPad + 2};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Colors& c = colors();
    const QRect row = option.rect;
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->fillRect(row, selected                                         ? c.selectedRow
                           : option.state.testFlag(QStyle::State_MouseOver) ? c.otherRow
                                                                            : c.panel);
    if (index.data(kPresentRole).toBool()) painter->fillRect(QRect(row.left(), row.top(), 3, row.height()), c.indigo);
    painter->setPen(QPen(c.softLine, 0));
    painter->drawLine(row.bottomLeft(), row.bottomRight());
    const QRect text = row.adjusted(kRowLeft, kRowPad, -kRowRight, -kRowPad);
    painter->setFont(figureFont(13, QFont::DemiBold));
    painter->setPen(c.secondText);
    painter->drawText(QRect(row.left(), text.top(), kRowLeft - 12, 20), Qt::AlignRight | Qt::AlignTop,
                      QString::number(index.row() + 1));
    painter->setFont(titleFont());
    painter->setPen(c.text);
    const QString title = index.data().toString();
    painter->drawText(text, kWrapped, title);
    const int below = heightOf(titleFont(), row.width(), title) + 2;
    painter->setFont(textFont(12));
    painter->setPen(c.secondText);
    painter->drawText(text.adjusted(0, below, 0, 0), kWrapped, index.data(kSummaryRole).toString());
    if (index.data(kDoneRole).toBool()) paintTick(*painter, QRect(row.right() - 28, row.top() + 8, 18, 18), c.text);
    if (option.state.testFlag(QStyle::State_HasFocus)) {
      painter->setRenderHint(QPainter::Antialiasing, false);
      painter->setBrush(Qt::NoBrush);
      painter->setPen(QPen(c.indigo, 0));
      painter->drawRect(row.adjusted(0, 0, -1, -1));
    }
    painter->restore();
  }

 private:
  static constexpr int kWrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

  static QFont titleFont() { return textFont(13, QFont::DemiBold); }

  static int heightOf(const QFont& font, int rowWidth, const QString& text) {
    const int width = std::max(1, rowWidth - kRowLeft - kRowRight);
    return QFontMetrics(font).boundingRect(QRect(0, 0, width, 10000), kWrapped, text).height();
  }
};

}  // namespace

LessonList::LessonList(QWidget* parent) : QListWidget(parent) {
  setAccessibleName(tr("All lessons"));
  setItemDelegate(new LessonRowDelegate(this));
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setMouseTracking(true);
  connect(this, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { Q_EMIT lessonRequested(row(item)); });
}

void LessonList::setLessons(const std::vector<LessonRow>& lessons, int current) {
  clear();
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    const LessonRow& lesson = lessons[i];
    auto* item = new QListWidgetItem(lesson.title);
    item->setData(kSummaryRole, lesson.summary);
    item->setData(kDoneRole, lesson.done);
    item->setData(kPresentRole, static_cast<int>(i) == current);
    const QString name = tr("Lesson %1: %2").arg(i + 1).arg(lesson.title);
    item->setData(Qt::AccessibleTextRole, lesson.done ? tr("%1, done").arg(name) : name);
    item->setData(Qt::AccessibleDescriptionRole, lesson.summary);
    addItem(item);
  }
  if (current >= 0 && current < count()) setCurrentRow(current);
}

void LessonList::keyPressEvent(QKeyEvent* event) {
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentRow() >= 0) {
    Q_EMIT lessonRequested(currentRow());
    return;
  }
  QListWidget::keyPressEvent(event);
}

void LessonList::resizeEvent(QResizeEvent* event) {
  QListWidget::resizeEvent(event);
  scheduleDelayedItemsLayout();  // summaries wrap
}

}  // namespace binade::views
