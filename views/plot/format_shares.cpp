// SPDX-License-Identifier: Apache-2.0
#include "views/plot/format_shares.h"

#include "views/look_at_number.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kHeader = 24;
constexpr double kRow = 24;
constexpr double kMargin = 12;
constexpr double kNameWide = 122;
constexpr double kNumberWide = 108;
constexpr double kRangeGap = 16;     // px between a range and the figure before it
constexpr double kLeastNumber = 78;  // in a narrow view; a heading still fits
constexpr double kLeastBar = 40;
constexpr double kSquare = 10;
/// A lost share above this needs attention; any overflow does, since one value suffices to skip a step.
constexpr double kNotable = 0.001;

struct Columns {
  double whole = 0;
  double bar = 0;
  double barWide = 0;
  double number = kNumberWide;
  std::array<double, 4> right{};
};

Columns columnsOf(double width) {
  Columns c;
  c.whole = width;
  const double room = width - 2 * kMargin - kNameWide - kLeastBar;
  c.number = std::clamp(std::floor(room / 4), kLeastNumber, kNumberWide);
  for (std::size_t i = 0; i < c.right.size(); ++i)
    c.right[i] = width - kMargin - c.number * (3.0 - static_cast<double>(i));
  c.bar = kMargin + kNameWide;
  c.barWide = std::max(0.0, c.right[0] - c.number - c.bar - 4);
  return c;
}

bool holds(const std::vector<formats::Format>& formats, const formats::Format& format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

/// Formats a range with fewer digits if it does not fit its cell; the ends are rounded outwards, so it stays a bound.
QString shortText(const Shares::Between& between) {
  const double low = 100 * between.low;
  const double high = 100 * between.high;
  const int digits = high >= 10 ? 0 : 1;
  const double unit = digits == 0 ? 1 : 10;
  const auto text = [digits](double value) { return decimals(value, digits); };
  const QString from = text(std::floor(low * unit) / unit);
  const QString to = text(std::min(100.0, std::ceil(high * unit) / unit));
  return from == to ? to + QStringLiteral(" %") : QStringLiteral("%1 … %2 %").arg(from, to);
}

QString fittingText(const Shares::Between& between, const QFont& font, double wide) {
  const QString whole = betweenText(between);
  return between.exact() || between.isTooWide() || textWidth(font, whole) <= wide ? whole : shortText(between);
}

void drawCell(QPainter& painter, const Columns& at, std::size_t column, double top, double high, const QString& text) {
  drawText(painter, {at.right[column] - at.number + 4, top, at.number - 4, high}, Qt::AlignRight | Qt::AlignVCenter,
           text);
}

void paintHeader(QPainter& painter, const Columns& at) {
  const Colors& c = colors();
  painter.fillRect(QRectF(0, 0, at.whole, kHeader), c.bar);
  painter.setPen(QPen(c.softLine, 0));
  painter.drawLine(QPointF(0, kHeader - 1), QPointF(at.whole, kHeader - 1));
  painter.setFont(textFont(11, QFont::DemiBold));
  painter.setPen(c.secondText);
  drawText(painter, {kMargin, 0, kNameWide, kHeader}, Qt::AlignLeft | Qt::AlignVCenter, FormatShares::tr("Format"));
  const std::array<QString, 4> heads{FormatShares::tr("Becomes 0"), FormatShares::tr("Subnormal"),
                                     FormatShares::tr("Normal"), FormatShares::tr("Overflow")};
  for (std::size_t i = 0; i < heads.size(); ++i) drawCell(painter, at, i, 0, kHeader, heads[i]);
}

void paintName(QPainter& painter, const formats::Format& format, double top) {
  drawFormatSquare(painter, QRectF(kMargin, top + (kRow - kSquare) / 2, kSquare, kSquare), formatName(format),
                   CellExecution::kNative);
  painter.setFont(textFont(12));
  painter.setPen(colors().text);
  drawText(painter, {kMargin + kSquare + 6, top, kNameWide - kSquare - 14, kRow}, Qt::AlignLeft | Qt::AlignVCenter,
           formatName(format));
}

/// Losses are drawn at both ends, subnormals next to the small end; a non-zero share has at least two pixels.
void paintBar(QPainter& painter, const formats::Format& format, const Shares& shares, const QRectF& box) {
  const Colors& c = colors();
  const QColor color = formatColor(format);
  QColor pale = color;
  pale.setAlpha(isDark(c.theme) ? 95 : 85);
  const auto wide = [&](double part) { return part > 0 ? std::max(2.0, std::round(part * box.width())) : 0.0; };
  const double zero = wide(shares.zero);
  const double overflow = wide(shares.overflow);
  painter.save();
  painter.setClipRect(box);
  painter.fillRect(box, pale);
  painter.fillRect(QRectF(box.left() + zero, box.top(), wide(shares.subnormal), box.height()), color);
  painter.fillRect(QRectF(box.left(), box.top(), zero, box.height()), c.crimson);
  painter.fillRect(QRectF(box.right() - overflow, box.top(), overflow, box.height()), c.crimson);
  painter.restore();
}

void paintFigures(QPainter& painter, const std::optional<Shares>& shares, const Columns& at, double top) {
  const Colors& c = colors();
  if (!shares) {
    painter.setFont(figureFont(12));
    painter.setPen(c.thirdText);
    for (std::size_t i = 0; i < 4; ++i) drawCell(painter, at, i, top, kRow, QStringLiteral("–"));
    return;
  }
  const std::array<double, 4> values{shares->zero, shares->subnormal, shares->normal, shares->overflow};
  const std::array<Shares::Between, 4> ranges{shares->zeroRange, shares->subnormalRange, shares->normalRange,
                                              shares->overflowRange};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool open = ranges[i].isTooWide();
    const bool notable = !open && ((i == 0 && shares->zero >= kNotable) || (i == 3 && shares->overflow > 0));
    painter.setFont(figureFont(12, notable ? QFont::DemiBold : QFont::Normal));
    painter.setPen(notable ? c.crimson : open || values[i] == 0 ? c.thirdText : c.text);
    drawCell(painter, at, i, top, kRow, fittingText(ranges[i], painter.font(), at.number - kRangeGap));
  }
}

}  // namespace

FormatShares::FormatShares(QWidget* parent)
    : QWidget(parent),
      named_{formats::kFloat16, formats::kBFloat16, formats::kTFloat32, formats::kFloat8E4M3fn, formats::kFloat8E5M2},
      add_(new QToolButton(this)) {
  setAccessibleName(tr("Shares by format"));
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  add_->setText(QStringLiteral("+"));
  add_->setAutoRaise(true);
  add_->setToolTip(tr("Compare with another format, such as e5m6"));
  add_->setAccessibleName(tr("Add a format to the table"));
  const int named = static_cast<int>(textWidth(textFont(11, QFont::DemiBold), tr("Format")));
  add_->setGeometry(static_cast<int>(kMargin) + named + 8, 2, 20, 20);
  connect(add_, &QToolButton::clicked, this, &FormatShares::formatRequested);
  rowsChanged();
}

void FormatShares::setFormats(std::vector<formats::Format> formats) {
  named_ = std::move(formats);
  rowsChanged();
}

void FormatShares::addFormat(const formats::Format& format) {
  if (holds(named_, format) || holds(added_, format)) return;
  if (added_.size() == kMostAdded) added_.erase(added_.begin());
  added_.push_back(format);
  rowsChanged();
}

void FormatShares::removeFormat(const formats::Format& format) {
  std::erase(added_, format);
  rowsChanged();
}

void FormatShares::setHeldIn(std::optional<formats::Format> format) {
  // float32 holds every value that was observed, so its row would be redundant.
  if (format == formats::kFloat32) format.reset();
  if (held_in_ == format) return;
  held_in_ = format;
  rowsChanged();
}

void FormatShares::rowsChanged() {
  std::vector<formats::Format> rows = named_;
  rows.insert(rows.end(), added_.begin(), added_.end());
  if (held_in_ && !holds(rows, *held_in_)) rows.push_back(*held_in_);
  if (rows == formats_) return;
  formats_ = std::move(rows);
  updateGeometry();
  describe();
  update();
}

void FormatShares::setStats(const formats::TensorStats& stats) {
  stats_ = stats;
  describe();
  update();
}

void FormatShares::clear() {
  stats_.reset();
  describe();
  update();
}

void FormatShares::setShift(int shift) {
  if (shift_ == shift) return;
  shift_ = shift;
  describe();
  update();
}

std::optional<Shares> FormatShares::shares(int row) const {
  if (!stats_ || row < 0 || row >= static_cast<int>(formats_.size())) return std::nullopt;
  return sharesOf(*stats_, formats_[static_cast<std::size_t>(row)], shift_);
}

QRectF FormatShares::bar(int row) const {
  const Columns c = columnsOf(width());
  return {c.bar, kHeader + row * kRow + (kRow - 8) / 2, c.barWide, 8};
}

void FormatShares::describe() {
  const auto shown = [](const Shares::Between& range, double value) {
    return range.isTooWide() ? tr("unknown") : share(value);
  };
  QStringList lines;
  for (int row = 0; row < static_cast<int>(formats_.size()); ++row) {
    const auto s = shares(row);
    if (!s) continue;
    lines << tr("%1: becomes 0 %2, subnormal %3, normal %4, overflow %5")
                 .arg(formatName(formats_[static_cast<std::size_t>(row)]), shown(s->zeroRange, s->zero),
                      shown(s->subnormalRange, s->subnormal), shown(s->normalRange, s->normal),
                      shown(s->overflowRange, s->overflow));
  }
  setAccessibleDescription(lines.isEmpty() ? tr("No gradient selected") : lines.join(QStringLiteral(". ")));
}

QString FormatShares::asText() const {
  QStringList lines{
      QStringList{tr("Format"), tr("Becomes 0"), tr("Subnormal"), tr("Normal"), tr("Overflow")}.join(u'\t')};
  for (int row = 0; row < static_cast<int>(formats_.size()); ++row) {
    QStringList cells{formatName(formats_[static_cast<std::size_t>(row)])};
    if (const auto s = shares(row)) {
      for (const Shares::Between& each : {s->zeroRange, s->subnormalRange, s->normalRange, s->overflowRange})
        cells << betweenText(each);
    }
    lines << cells.join(u'\t');
  }
  return lines.join(u'\n') + u'\n';
}

std::optional<PickedNumber> FormatShares::limitAt(QPointF at) const {
  const double row = std::floor((at.y() - kHeader) / kRow);
  if (row < 0 || row >= static_cast<double>(formats_.size())) return std::nullopt;
  const formats::Format& format = formats_[static_cast<std::size_t>(row)];
  const Columns columns = columnsOf(width());
  const auto inside = [&](std::size_t column) {
    return at.x() > columns.right[column] - columns.number && at.x() <= columns.right[column];
  };
  if (inside(0)) return PickedNumber{format.smallest_subnormal(), format};
  if (inside(1)) return PickedNumber{format.smallest_normal(), format};
  return PickedNumber{format.largest(), format};
}

void FormatShares::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  addLookEntry(menu, this,
               event->reason() == QContextMenuEvent::Keyboard ? std::nullopt : limitAt(QPointF(event->pos())));
  menu.addAction(tr("Copy as text"), this, [this] { QGuiApplication::clipboard()->setText(asText()); });
  menu.addSeparator();
  menu.addAction(tr("Another format…"), this, &FormatShares::formatRequested);
  for (const formats::Format& each : added_)
    menu.addAction(tr("Remove %1").arg(formatName(each)), this, [this, each] { removeFormat(each); });
  menu.exec(event->globalPos());
}

void FormatShares::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  painter.fillRect(rect(), c.panel);
  const Columns at = columnsOf(width());
  paintHeader(painter, at);
  for (int row = 0; row < static_cast<int>(formats_.size()); ++row) {
    const double top = kHeader + row * kRow;
    painter.setPen(QPen(c.softLine, 0));
    painter.drawLine(QPointF(0, top + kRow - 1), QPointF(width(), top + kRow - 1));
    paintName(painter, formats_[static_cast<std::size_t>(row)], top);
    const auto s = shares(row);
    if (s && at.barWide >= 12) paintBar(painter, formats_[static_cast<std::size_t>(row)], *s, bar(row));
    paintFigures(painter, s, at, top);
  }
}

bool FormatShares::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = static_cast<int>(std::floor((help->pos().y() - kHeader) / kRow));
  QToolTip::showText(help->globalPos(), rowTip(row), this);
  return true;
}

QString FormatShares::rowTip(int row) const {
  const auto s = shares(row);
  if (!s) return {};
  const QString name = formatName(formats_[static_cast<std::size_t>(row)]);
  QString text = s->zeroNorm.isTooWide()
                     ? tr("%1: the share of the tensor's norm that becomes 0 is unknown.").arg(name)
                     : tr("%1: values that become 0 have %2 of the tensor's norm.").arg(name, betweenText(s->zeroNorm));
  if (stats_->censored && !s->exact()) {
    text += u' ' +
            tr("The tensor was observed after rounding. It is unknown which of its zeros were non-zero values before.");
  } else {
    text += u' ' + (s->exact() ? tr("Exact count.")
                               : tr("Bounds derived from the binades. Level What-if gives the exact count."));
  }
  if (s->notFinite > 0)
    text += u' ' + tr("%1 values were already infinite or NaN, in any format.").arg(share(s->notFinite));
  return text;
}

QSize FormatShares::sizeHint() const {
  return {520, static_cast<int>(kHeader + kRow * static_cast<double>(formats_.size()))};
}
QSize FormatShares::minimumSizeHint() const {
  return {static_cast<int>(2 * kMargin + kNameWide + 4 * kLeastNumber), sizeHint().height()};
}

}  // namespace binade::views
