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
constexpr double kShapeX = 18;
constexpr double kTextX = 36;
constexpr double kPad = 12;
constexpr double kSquare = 10;
constexpr double kSquareRoom = 16;  // including the gap after it

constexpr double kGap = 16;
constexpr double kLeastWords = 140;  // of call and tensor together, before a note is elided

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
  updateGeometry();
  update();
}

QRectF ChainView::lineRect(int index) const {
  return {0, 1 + index * kRow, static_cast<double>(width()), kRow};
}

QSize ChainView::sizeHint() const {
  return {560, static_cast<int>(kRow) * std::max(1, lineCount()) + 2};
}

QSize ChainView::minimumSizeHint() const {
  return {420, sizeHint().height()};
}

// Values and formats get their full width, notes too if there is room; call and tensor share the rest.
ChainView::Columns ChainView::columns() const {
  Columns at;
  double call = 0;
  double what = 0;
  for (const Line& each : lines_) {
    const ChainRow& row = *each.row;
    call = std::max(call, textWidth(strongFont(row), callText(row)));
    what = std::max(what, textWidth(textFont(12), row.what));
    at.valueWide = std::max(at.valueWide, textWidth(valueFont(row), row.value));
    if (!row.format.isEmpty())
      at.formatWide = std::max(at.formatWide, textWidth(textFont(12), row.format) + kSquareRoom);
    at.noteWide = std::max(at.noteWide, textWidth(row.cause ? strongFont(row) : textFont(12), row.note));
  }
  const double room = width() - kTextX - kPad - 4 * kGap - 2;
  const double figures = std::ceil(at.valueWide) + std::ceil(at.formatWide);
  at.valueWide = std::ceil(at.valueWide);
  at.formatWide = std::ceil(at.formatWide);
  at.noteWide = std::min(std::ceil(at.noteWide), std::max(0.0, room - figures - kLeastWords));
  const double words = std::max(kLeastWords, room - figures - at.noteWide);
  const double spare = words - call - what;
  at.callWide = spare >= 0 ? call + spare * 0.5 : std::max(words * 0.5, words - what);
  at.whatWide = spare >= 0 ? what + spare * 0.25 : words - at.callWide;
  if (spare >= 0) at.noteWide += spare * 0.25;
  at.call = kTextX;
  at.what = at.call + at.callWide + kGap;
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
  const int index = static_cast<int>(std::floor((at.y() - 1) / kRow));
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
                        Qt::Alignment side = Qt::AlignLeft) {
    if (words.isEmpty() || wide < 8) return;
    painter.setFont(font);
    painter.setPen(pen);
    drawText(painter, {left, box.top(), wide, box.height()}, side | Qt::AlignVCenter, elidedMiddle(words, font, wide));
  };
  text(at.call, at.callWide, callText(row), strong, c.text);
  text(at.what, at.whatWide, row.what, plain, c.secondText);
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
