// SPDX-License-Identifier: Apache-2.0
#include "views/chain_view.h"

#include "views/numbers.h"
#include "views/table/delegates.h"
#include "views/theme.h"

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

struct Columns {
  double what, value, format, note;  ///< left edges; of value the right edge
};

// Four columns at shares of the width; the note takes what is left.
Columns columnsOf(double width) {
  const double room = width - kTextX - kPad;
  return {kTextX + room * 0.34, kTextX + room * 0.66, kTextX + room * 0.68, kTextX + room * 0.83};
}

QString elided(const QFont& font, const QString& text, double wide) {
  return QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, wide);
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
  return {360, sizeHint().height()};
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

void ChainView::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  painter.fillRect(rect(), c.panel);
  for (int i = 0; i < lineCount(); ++i) paintLine(painter, i);
  painter.setPen(QPen(c.line, 0));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void ChainView::paintLine(QPainter& painter, int index) const {
  const Colors& c = colors();
  const ChainRow& row = line(index);
  const QRectF box = lineRect(index);
  const bool folded = !row.folded.empty();
  if (row.cause) painter.fillRect(box, c.crimsonGround);
  if (index == hovered_ && !row.cause) painter.fillRect(box, c.bar);
  painter.setPen(QPen(c.softLine, 0));
  if (index + 1 < lineCount()) painter.drawLine(box.bottomLeft(), box.bottomRight());
  // The line of travel, from shape to shape.
  const double y = box.center().y();
  painter.setPen(QPen(row.cause ? c.crimson : c.line, 0));
  if (index > 0) painter.drawLine(QPointF(kShapeX, box.top()), QPointF(kShapeX, y - 7));
  if (index + 1 < lineCount()) painter.drawLine(QPointF(kShapeX, y + 7), QPointF(kShapeX, box.bottom()));
  drawVerdict(painter, folded ? VerdictShape::kFits : row.shape, {kShapeX, y});

  const Columns at = columnsOf(width());
  const QFont plain = textFont(12);
  const QFont strong = textFont(12, row.cause ? QFont::DemiBold : QFont::Medium);
  const auto text = [&](double left, double right, const QString& words, const QFont& font, const QColor& pen,
                        Qt::Alignment side = Qt::AlignLeft) {
    if (words.isEmpty() || right - left < 8) return;
    painter.setFont(font);
    painter.setPen(pen);
    drawText(painter, {left, box.top(), right - left, box.height()}, side | Qt::AlignVCenter,
             elided(font, words, right - left));
  };
  const QString call = folded ? row.call + QStringLiteral("  ›") : row.call;
  text(kTextX, at.what - 8, call, strong, c.text);
  text(at.what, at.value - 84, row.what, plain, c.secondText);
  const bool crimson = row.shape == VerdictShape::kOverflow || row.shape == VerdictShape::kCarriedOn;
  text(at.value - 84, at.value, row.value, figureFont(12, crimson ? QFont::DemiBold : QFont::Normal),
       crimson ? c.crimson : c.text, Qt::AlignRight);
  if (!row.format.isEmpty()) {
    drawFormatSquare(painter, QRectF(at.format + 8, std::round(y - kSquare / 2), kSquare, kSquare), row.format,
                     row.execution);
    text(at.format + 24, at.note, row.format, plain, c.secondText);
  }
  text(at.note, width() - kPad, row.note, row.cause ? strong : plain, row.cause ? c.crimson : c.secondText,
       Qt::AlignRight);
  if (keyboard_ && hasFocus() && index == current_) {
    painter.setPen(QPen(c.indigo, 0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(1, 0, -2, -1));
  }
}

void ChainView::mousePressEvent(QMouseEvent* event) {
  const int index = lineAt(event->position());
  if (index < 0) return;
  current_ = index;
  keyboard_ = false;
  open(index);
  update();
}

void ChainView::mouseMoveEvent(QMouseEvent* event) {
  const int index = lineAt(event->position());
  if (index == hovered_) return;
  hovered_ = index;
  setToolTip(index < 0 ? QString() : QStringList{line(index).call, line(index).what}.join(QStringLiteral(" · ")));
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

void ChainView::focusInEvent(QFocusEvent* event) {
  keyboard_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  if (keyboard_ && current_ < 0 && lineCount() > 0) current_ = 0;
  update();
}

void ChainView::focusOutEvent(QFocusEvent*) {
  update();
}

}  // namespace binade::views
