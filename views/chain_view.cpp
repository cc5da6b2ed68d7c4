// SPDX-License-Identifier: Apache-2.0
#include "views/chain_view.h"

#include "views/look_at_number.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kRow = 32;
constexpr double kStackedRow = 40;
constexpr double kShapeX = 18;
constexpr double kTextX = 36;
constexpr double kPad = 12;
constexpr double kSquare = 10;
constexpr double kSquareRoom = 16;  // including the gap after it

constexpr double kGap = 16;
constexpr double kLeastWords = 140;  // of call and tensor together, before a note is elided
constexpr double kLeastStacked = 110;
constexpr double kStackedApart = 8;  // of either from the middle of the line

QFont strongFont(const ChainRow& row) {
  return textFont(12, row.cause ? QFont::DemiBold : QFont::Medium);
}

bool isCrimson(const ChainRow& row) {
  return row.shape == VerdictShape::kOverflow || row.shape == VerdictShape::kCarriedOn;
}

QFont valueFont(const ChainRow& row) {
  return figureFont(12, isCrimson(row) ? QFont::DemiBold : QFont::Normal);
}

QString callText(const ChainRow& row) {
  return row.folded.empty() ? row.call : row.call + QStringLiteral("  ›");
}

}  // namespace

ChainView::ChainView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Chain"));
}

void ChainView::setRows(std::vector<ChainRow> rows) {
  rows_ = std::move(rows);
  opened_.assign(rows_.size(), false);
  current_ = -1;
  hovered_ = -1;
  layOut();
}

void ChainView::layOut() {
  lines_.clear();
  QStringList words;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const ChainRow& row = rows_[i];
    if (row.folded.empty() || !opened_[i]) {
      lines_.push_back({&row, false});
    } else {
      for (const ChainRow& each : row.folded) lines_.push_back({&each, true});
    }
    words << QStringList{row.call, row.what, row.value, row.note}.join(u' ').simplified();
  }
  setAccessibleDescription(words.join(QStringLiteral(". ")));
  stack();
  updateGeometry();
  update();
}

double ChainView::rowHeight() const {
  return stacked_ ? kStackedRow : kRow;
}

QRectF ChainView::lineRect(int index) const {
  return {0, 1 + index * rowHeight(), static_cast<double>(width()), rowHeight()};
}

QSize ChainView::sizeHint() const {
  return {560, static_cast<int>(rowHeight()) * std::max(1, lineCount()) + 2};
}

void ChainView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  stack();
}

void ChainView::stack() {
  const Widths wide = widths();
  const double words = width() - kTextX - kPad - 4 * kGap - 2 - wide.value - wide.format - wide.note;
  const bool stacked = wide.call + wide.what > words;
  if (stacked == stacked_) return;
  stacked_ = stacked;
  updateGeometry();
  update();
}

QSize ChainView::minimumSizeHint() const {
  return {420, sizeHint().height()};
}

ChainView::Widths ChainView::widths() const {
  Widths wide;
  for (const Line& each : lines_) {
    const ChainRow& row = *each.row;
    wide.call = std::max(wide.call, textWidth(strongFont(row), callText(row)));
    wide.what = std::max(wide.what, textWidth(textFont(12), row.what));
    wide.value = std::max(wide.value, std::ceil(textWidth(valueFont(row), row.value)));
    if (!row.format.isEmpty())
      wide.format = std::max(wide.format, std::ceil(textWidth(textFont(12), row.format) + kSquareRoom));
    wide.note = std::max(wide.note, std::ceil(textWidth(row.cause ? strongFont(row) : textFont(12), row.note)));
  }
  return wide;
}

// Values and formats get their full width, notes too if there is room; call and tensor share the rest. They stand
// below each other where they would be cut beside each other.
ChainView::Columns ChainView::columns() const {
  const Widths wide = widths();
  Columns at;
  at.valueWide = wide.value;
  at.formatWide = wide.format;
  const double room = width() - kTextX - kPad - (stacked_ ? 3 : 4) * kGap - 2 - wide.value - wide.format;
  const double least = stacked_ ? kLeastStacked : kLeastWords;
  at.noteWide = std::min(wide.note, std::max(0.0, room - least));
  const double words = std::max(least, room - at.noteWide);
  at.call = at.what = kTextX;
  if (stacked_) {
    at.callWide = at.whatWide = words;
  } else {
    const double spare = words - wide.call - wide.what;
    at.callWide = spare >= 0 ? wide.call + spare * 0.5 : std::max(words * 0.5, words - wide.what);
    at.whatWide = spare >= 0 ? wide.what + spare * 0.25 : words - at.callWide;
    if (spare >= 0) at.noteWide += spare * 0.25;
    at.what = at.call + at.callWide + kGap;
  }
  at.value = at.what + at.whatWide + kGap;
  at.format = at.value + at.valueWide + kGap;
  at.note = width() - kPad - at.noteWide;
  return at;
}

bool ChainView::valuesFit() const {
  const Columns at = columns();
  return at.format + at.formatWide <= at.note + 0.5 && std::all_of(lines_.begin(), lines_.end(), [&](const Line& each) {
           return textWidth(valueFont(*each.row), each.row->value) <= at.valueWide + 0.5;
         });
}

int ChainView::lineAt(QPointF at) const {
  const int index = static_cast<int>(std::floor((at.y() - 1) / rowHeight()));
  return index >= 0 && index < lineCount() ? index : -1;
}

void ChainView::open(int index) {
  if (index < 0 || index >= lineCount()) return;
  const ChainRow* row = lines_[static_cast<std::size_t>(index)].row;
  if (row->folded.empty()) {
    if (row->id >= 0) Q_EMIT activated(row->id);
    return;
  }
  opened_[static_cast<std::size_t>(row - rows_.data())] = true;
  layOut();
}

// Folds an opened run into one line again, which becomes the current one.
void ChainView::fold(int index) {
  if (index < 0 || index >= lineCount() || !lines_[static_cast<std::size_t>(index)].inside) return;
  const ChainRow* row = lines_[static_cast<std::size_t>(index)].row;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& folded = rows_[i].folded;
    if (folded.empty() || row < folded.data() || row >= folded.data() + folded.size()) continue;
    opened_[i] = false;
    layOut();
    const auto folded_line =
        std::find_if(lines_.begin(), lines_.end(), [&](const Line& each) { return each.row == &rows_[i]; });
    current_ = static_cast<int>(folded_line - lines_.begin());
    return;
  }
}

void ChainView::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  painter.fillRect(rect(), c.panel);
  const Columns at = columns();
  for (int i = 0; i < lineCount(); ++i) paintLine(painter, i, at);
  painter.setPen(QPen(c.line, 0));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void ChainView::paintLine(QPainter& painter, int index, const Columns& at) const {
  const Colors& c = colors();
  const ChainRow& row = line(index);
  const QRectF box = lineRect(index);
  if (row.cause) painter.fillRect(box, c.crimsonGround);
  if (index == hovered_ && !row.cause) painter.fillRect(box, c.bar);
  painter.setPen(QPen(c.softLine, 0));
  if (index + 1 < lineCount()) painter.drawLine(box.bottomLeft(), box.bottomRight());
  // The connecting line between the shapes.
  const double y = box.center().y();
  painter.setPen(QPen(row.cause ? c.crimson : c.line, 0));
  if (index > 0) painter.drawLine(QPointF(kShapeX, box.top()), QPointF(kShapeX, y - 7));
  if (index + 1 < lineCount()) painter.drawLine(QPointF(kShapeX, y + 7), QPointF(kShapeX, box.bottom()));
  drawVerdict(painter, row.shape, {kShapeX, y});

  const QFont plain = textFont(12);
  const QFont strong = strongFont(row);
  const auto text = [&](double left, double wide, const QString& words, const QFont& font, const QColor& pen,
                        Qt::Alignment side = Qt::AlignLeft, double down = 0) {
    if (words.isEmpty() || wide < 8) return;
    painter.setFont(font);
    painter.setPen(pen);
    drawText(painter, {left, box.top() + down, wide, box.height()}, side | Qt::AlignVCenter,
             elidedMiddle(words, font, wide));
  };
  const double apart = stacked_ && !row.what.isEmpty() ? kStackedApart : 0;
  text(at.call, at.callWide, callText(row), strong, c.text, Qt::AlignLeft, -apart);
  text(at.what, at.whatWide, row.what, stacked_ ? textFont(11) : plain, c.secondText, Qt::AlignLeft, apart);
  text(at.value, at.valueWide, row.value, valueFont(row), isCrimson(row) ? c.crimson : c.text, Qt::AlignRight);
  if (!row.format.isEmpty()) {
    drawFormatSquare(painter, QRectF(std::round(at.format), std::round(y - kSquare / 2), kSquare, kSquare), row.format,
                     row.execution);
    text(at.format + kSquareRoom, at.formatWide - kSquareRoom, row.format, plain, c.secondText);
  }
  text(at.note, at.noteWide, row.note, row.cause ? strong : plain, row.cause ? c.crimson : c.secondText,
       Qt::AlignRight);
  if (keyboard_ && hasFocus() && index == current_) {
    painter.setPen(QPen(c.indigo, 0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(1, 0, -2, -1));
  }
}

void ChainView::mousePressEvent(QMouseEvent* event) {
  const int index = lineAt(event->position());
  if (event->button() != Qt::LeftButton || index < 0) return;
  current_ = index;
  keyboard_ = false;
  open(index);
  update();
}

void ChainView::mouseMoveEvent(QMouseEvent* event) {
  const int index = lineAt(event->position());
  if (index == hovered_) return;
  hovered_ = index;
  QStringList parts;
  if (index >= 0) parts = {line(index).call, line(index).what, line(index).value, line(index).note};
  parts.removeAll(QString());
  setToolTip(parts.join(QStringLiteral(" · ")));
  update();
}

void ChainView::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void ChainView::keyPressEvent(QKeyEvent* event) {
  const int last = lineCount() - 1;
  switch (event->key()) {
    case Qt::Key_Down:
      current_ = std::min(current_ + 1, last);
      break;
    case Qt::Key_Up:
      current_ = std::max(current_ - 1, 0);
      break;
    case Qt::Key_Home:
      current_ = 0;
      break;
    case Qt::Key_End:
      current_ = last;
      break;
    case Qt::Key_Left:
      fold(current_);
      break;
    case Qt::Key_Right:
      if (current_ >= 0 && current_ <= last && !line(current_).folded.empty()) open(current_);
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      open(current_);
      break;
    default:
      return QWidget::keyPressEvent(event);
  }
  keyboard_ = true;
  update();
}

void ChainView::contextMenuEvent(QContextMenuEvent* event) {
  const int index = event->reason() == QContextMenuEvent::Keyboard ? current_ : lineAt(event->pos());
  openLookMenu(*event, this, index >= 0 && index < lineCount() ? line(index).number : std::nullopt);
}

void ChainView::focusInEvent(QFocusEvent* event) {
  keyboard_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  if (keyboard_ && current_ < 0 && lineCount() > 0) current_ = 0;
  update();
}

void ChainView::focusOutEvent(QFocusEvent*) {
  update();
}

}  // namespace binade::views
