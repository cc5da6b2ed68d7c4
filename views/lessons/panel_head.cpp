// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_ink.h"
#include "views/lessons/figure_panel.h"
#include "views/theme.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <QCoreApplication>

#include <algorithm>

namespace binade::views {

namespace {

constexpr double kHeadLine = 20;    // px
constexpr double kSwatchWide = 18;  // with its gap

QFont panelTitleFont() {
  return textFont(13, QFont::DemiBold);
}

bool hasBar(const lessons::Panel& panel, lessons::Role role) {
  return std::any_of(panel.bars.begin(), panel.bars.end(),
                     [role](const lessons::Bar& bar) { return bar.role == role; });
}

/// What the looks of the bars mean, without those that the figure lacks.
QString looksText(const lessons::Panel& panel) {
  if (!hasBar(panel, lessons::Role::kSubnormal)) return {};
  if (!panel.rows && hasBar(panel, lessons::Role::kZero))
    return QCoreApplication::translate("FigurePanel", "solid: normal · hatched: subnormal · outlined: becomes 0");
  return QCoreApplication::translate("FigurePanel", "solid: normal · hatched: subnormal");
}

/// Formats that only the legend can name, because they share a row.
std::vector<formats::Format> sharedFormats(const lessons::Panel& panel) {
  std::vector<formats::Format> found;
  for (std::size_t row = 0; row < panel.bar_labels.size(); ++row) {
    const auto formats = formatsOfRow(panel, row);
    if (formats.size() < 2) continue;
    for (const auto& format : formats) {
      if (format && std::find(found.begin(), found.end(), *format) == found.end()) found.push_back(*format);
    }
  }
  return found;
}

}  // namespace

PanelHead PanelHead::of(const lessons::Panel& panel, double width) {
  PanelHead head;
  const QString title = QString::fromStdString(panel.title);
  for (const lessons::Series& series : panel.series) {
    const QString text = typeset(series.title);
    // A title names the only series; of several, each needs its colour.
    const bool named = panel.series.size() == 1 && text.compare(title, Qt::CaseInsensitive) == 0;
    if (text.isEmpty() || named) continue;
    const auto kind = series.filled ? Entry::Kind::kBox : Entry::Kind::kLine;
    head.entries.push_back({kind, text, figurePen(panel, series, true), series.format, series.role});
  }
  for (const formats::Format& format : sharedFormats(panel)) {
    head.entries.push_back({Entry::Kind::kBox, formatName(format), {}, format});
  }
  if (const QString looks = looksText(panel); !looks.isEmpty()) head.entries.push_back({Entry::Kind::kText, looks});
  double x = title.isEmpty() ? 0 : textWidth(panelTitleFont(), title) + 16;
  double y = 0;
  for (Entry& entry : head.entries) {
    const double wide = textWidth(textFont(11), entry.text) + 2 + (entry.kind == Entry::Kind::kText ? 0 : kSwatchWide);
    if (x > 0 && x + wide > width) {
      x = 0;
      y += kHeadLine;
    }
    entry.place = {x, y, std::min(wide, width), kHeadLine};
    x += wide + 16;
  }
  head.height = title.isEmpty() && head.entries.empty() ? 0 : y + kHeadLine + 2;
  return head;
}

void PanelHead::paint(QPainter& painter, QPointF corner, const lessons::Panel& panel) const {
  const Colors& c = colors();
  painter.setFont(panelTitleFont());
  painter.setPen(c.text);
  const QString title = QString::fromStdString(panel.title);
  drawText(painter, {corner.x(), corner.y(), textWidth(painter.font(), title) + 1, kHeadLine},
           Qt::AlignLeft | Qt::AlignVCenter, title);
  for (const Entry& entry : entries) {
    QRectF place = entry.place.translated(corner);
    const double middle = place.center().y();
    if (entry.kind == Entry::Kind::kLine) {
      painter.setPen(entry.pen);
      painter.drawLine(QPointF(place.left(), middle), QPointF(place.left() + kSwatchWide - 6, middle));
    }
    if (entry.kind == Entry::Kind::kBox) {
      fillFigureBar(painter, QRectF(place.left(), middle - 5, 10, 10), entry.format, entry.role);
    }
    if (entry.kind != Entry::Kind::kText) place.setLeft(place.left() + kSwatchWide);
    painter.setFont(textFont(11));
    painter.setPen(entry.kind == Entry::Kind::kText ? c.thirdText : c.secondText);
    drawText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, entry.text);
  }
}

}  // namespace binade::views
