// SPDX-License-Identifier: Apache-2.0
#include "views/numbers/bit_rows.h"

#include "views/theme.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr int kLeastBitRows = 340;  // px: 32 bits of 9 px with gaps and margins

/// Breaks a long number into lines that a tool tip can show.
QString brokenDigits(QString text) {
  constexpr qsizetype kLine = 60;
  for (qsizetype at = kLine; at < text.size(); at += kLine + 1) text.insert(at, u'\n');
  return text;
}

void copyText(const QString& text) {
  QGuiApplication::clipboard()->setText(text);
}

}  // namespace

bool isCustomFormat(const formats::Format& format) {
  for (const formats::Format& named : {formats::kFloat32, formats::kTFloat32, formats::kBFloat16, formats::kFloat16,
                                       formats::kFloat8E4M3fn, formats::kFloat8E5M2}) {
    if (format == named) return false;
  }
  return true;
}

BitRows::BitRows(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Bits in each format"));
  setAttribute(Qt::WA_OpaquePaintEvent);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumWidth(kLeastBitRows);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  fitHeight();
}

void BitRows::setFormats(std::vector<formats::Format> formats) {
  formats_ = std::move(formats);
  row_ = std::clamp(row_, 0, std::max(0, rows() - 1));
  fitHeight();
  describe();
  update();
}

void BitRows::setShown(const ShownNumber& shown) {
  shown_ = shown;
  describe();
  update();
}

void BitRows::setSelected(const formats::Format& format) {
  const auto found = std::find(formats_.begin(), formats_.end(), format);
  if (found == formats_.end()) return;
  row_ = static_cast<int>(found - formats_.begin());
  describe();
  update();
}

double BitRows::rowTop(int row) const {
  const BitRowColumns at = BitRowColumns::in(width());
  return at.headerHigh + row * at.rowHigh;
}

int BitRows::rowAt(const QPointF& position) const {
  const BitRowColumns at = BitRowColumns::in(width());
  const double row = std::floor((position.y() - at.headerHigh) / at.rowHigh);
  return row >= 0 && row < rows() ? static_cast<int>(row) : -1;
}

QRectF BitRows::bitBox(int row, int bit) const {
  const BitRowColumns at = BitRowColumns::in(width());
  const double left = at.cells.left() + at.bits.left(BitLayout::columnOf(formatAt(row), bit));
  return {left, rowTop(row) + at.cells.top(), at.bits.cell, at.cells.height()};
}

int BitRows::cursorBit() const {
  return formats_.empty() ? 0 : BitLayout::bitAt(formatAt(row_), column_);
}

QString BitRows::shownValue(int row) const {
  const double value = numbers::value(numberAt(row));
  const double wide = BitRowColumns::in(width()).value.width();
  const QFont font = figureFont(12);
  QString text = exactText(value);
  constexpr int kMostFigures = 12;
  constexpr int kLeastFigures = 3;
  for (int figures = kMostFigures; figures >= kLeastFigures && textWidth(font, text) > wide; --figures)
    text = QStringLiteral("≈ ") + figure(value, figures);
  return text;
}

QString BitRows::rowTip(int row) const {
  const NumberWords words = numberWords(shown_, formatAt(row));
  const numbers::Number number = numberAt(row);
  QStringList lines{formatName(formatAt(row)) + QStringLiteral(": ") +
                        QString::fromStdString(numbers::bit_text(number)) + QStringLiteral(" = ") +
                        QString::fromStdString(numbers::hex_text(number)),
                    brokenDigits(words.value)};
  lines << (words.effect.isEmpty() ? words.kind : words.kind + QStringLiteral(", ") + words.effect);
  lines << tr("Error %1 · ulp %2 · binade %3").arg(words.error, words.ulp, words.binade);
  return lines.join(u'\n');
}

QString BitRows::bitTip(int row, int bit) const {
  const formats::Format& format = formatAt(row);
  switch (BitLayout::groupOf(format, bit)) {
    case BitGroup::kSign:
      return tr("Sign: 1 means negative.");
    case BitGroup::kExponent:
      return tr("Exponent, bit %1 of %2: adds %3 to the field. The field minus %4 is the exponent of 2.")
          .arg(bit)
          .arg(format.exponent_bits)
          .arg(1 << (format.exponent_bits - bit))
          .arg(format.bias());
    case BitGroup::kFraction:
      break;
  }
  const int place = bit - format.exponent_bits;
  return tr("Fraction, bit %1 of %2: adds %3 of the leading power of two.")
      .arg(place)
      .arg(format.mantissa_bits)
      .arg(powerOfTwo(-place));
}

QSize BitRows::sizeHint() const {
  return {640, height()};
}

int BitRows::heightIn(double width) const {
  const BitRowColumns at = BitRowColumns::in(width);
  return static_cast<int>(std::ceil(at.headerHigh + rows() * at.rowHigh));
}

void BitRows::fitHeight() {
  setFixedHeight(heightIn(width()));
}

void BitRows::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitHeight();
}

void BitRows::select(int row) {
  if (row_ == row) return;
  row_ = row;
  describe();
  update();
  Q_EMIT selectedChanged(formatAt(row));
}

void BitRows::toggle(int row, int bit) {
  Q_EMIT numberEdited(withBitToggled(numberAt(row), bit));
}

void BitRows::mousePressEvent(QMouseEvent* event) {
  const int row = rowAt(event->position());
  if (row < 0) return QWidget::mousePressEvent(event);
  select(row);
  if (event->button() != Qt::LeftButton) return;
  for (int bit = 0; bit < numbers::width(formatAt(row)); ++bit) {
    if (!bitBox(row, bit).contains(event->position())) continue;
    column_ = BitLayout::columnOf(formatAt(row), bit);
    toggle(row, bit);
    return;
  }
}

void BitRows::moveCursor(int rowStep, int column) {
  column_ = column;
  select(std::clamp(row_ + rowStep, 0, rows() - 1));
  describe();
  update();
}

bool BitRows::handleKey(const QKeyEvent& key, bool act) {
  if (formats_.empty() || (key.modifiers() & (Qt::AltModifier | Qt::MetaModifier))) return false;
  const formats::Format format = formatAt(row_);
  const numbers::Number number = numberAt(row_);
  const int bit = cursorBit();
  const auto columnAt = [&](int wanted) {
    return BitLayout::columnOf(format, std::clamp(wanted, 0, numbers::width(format) - 1));
  };
  const bool control = key.modifiers() & Qt::ControlModifier;
  const auto edit = [&](const numbers::Number& edited) {
    if (act && edited != number) Q_EMIT numberEdited(edited);
    return true;
  };
  const auto move = [&](int rowStep, int column) {
    if (act) moveCursor(rowStep, column);
    return true;
  };
  switch (key.key()) {
    case Qt::Key_Left:
      return move(0, columnAt(bit - 1));
    case Qt::Key_Right:
      return move(0, columnAt(bit + 1));
    case Qt::Key_Home:
      return move(0, columnAt(0));
    case Qt::Key_End:
      return move(0, columnAt(numbers::width(format)));
    case Qt::Key_Up:
      return control ? edit(numbers::next(number)) : move(-1, column_);
    case Qt::Key_Down:
      return control ? edit(numbers::previous(number)) : move(1, column_);
    case Qt::Key_Plus:
      return edit(numbers::next(number));
    case Qt::Key_Minus:
      return edit(numbers::previous(number));
    case Qt::Key_Space:
      return edit(withBitToggled(number, bit));
    case Qt::Key_0:
    case Qt::Key_1:
      if (control) return false;
      edit(bitOf(number, bit) == (key.key() == Qt::Key_1) ? number : withBitToggled(number, bit));
      return move(0, columnAt(bit + 1));
    case Qt::Key_Delete:
      if (!isCustomFormat(format)) return false;
      if (act) Q_EMIT removeRequested(format);
      return true;
    case Qt::Key_C:
      if (!control) return false;
      if (act) copyText(plainNumber(numbers::value(number)));
      return true;
    default:
      return false;
  }
}

void BitRows::keyPressEvent(QKeyEvent* event) {
  if (!handleKey(*event, true)) QWidget::keyPressEvent(event);
}

bool BitRows::event(QEvent* event) {
  // The window has shortcuts of single keys. With the focus here, the editor's keys win.
  if (event->type() == QEvent::ShortcutOverride && handleKey(*static_cast<QKeyEvent*>(event), false)) event->accept();
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = rowAt(help->pos());
  QString text;
  if (row >= 0) {
    text = rowTip(row);
    for (int bit = 0; bit < numbers::width(formatAt(row)); ++bit) {
      if (bitBox(row, bit).contains(help->pos())) text = bitTip(row, bit);
    }
  }
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

void BitRows::contextMenuEvent(QContextMenuEvent* event) {
  const int row = event->reason() == QContextMenuEvent::Mouse ? rowAt(event->pos()) : row_;
  if (row < 0 || row >= rows()) return;
  const formats::Format format = formatAt(row);
  const numbers::Number number = numberAt(row);
  QMenu menu(this);
  menu.addAction(tr("Copy all digits"), this,
                 [number] { copyText(QString::fromStdString(numbers::exact_decimal(numbers::value(number)))); });
  menu.addAction(tr("Copy bits"), this, [number] { copyText(QString::fromStdString(numbers::bit_text(number))); });
  menu.addAction(tr("Copy bits as hexadecimal"), this,
                 [number] { copyText(QString::fromStdString(numbers::hex_text(number))); });
  menu.addSeparator();
  menu.addAction(tr("Next number"), this, [this, number] { Q_EMIT numberEdited(numbers::next(number)); });
  menu.addAction(tr("Previous number"), this, [this, number] { Q_EMIT numberEdited(numbers::previous(number)); });
  if (isCustomFormat(format)) {
    menu.addSeparator();
    menu.addAction(tr("Remove %1").arg(formatName(format)), this, [this, format] { Q_EMIT removeRequested(format); });
  }
  menu.exec(event->globalPos());
}

void BitRows::describe() {
  if (formats_.empty()) return setAccessibleDescription({});
  const int bit = cursorBit();
  const QString place = tr("Bit %1 of %2 is %3. %4")
                            .arg(bit + 1)
                            .arg(numbers::width(formatAt(row_)))
                            .arg(bitOf(numberAt(row_), bit) ? 1 : 0)
                            .arg(bitTip(row_, bit));
  setAccessibleDescription(rowTip(row_).replace(u'\n', QStringLiteral(". ")) + QStringLiteral(". ") + place);
}

}  // namespace binade::views
