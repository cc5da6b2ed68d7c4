// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_picture.h"

#include "views/plot/csv.h"
#include "views/theme.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kPartGap = 14;       // px between two parts
constexpr double kTallestPlot = 560;  // of a panel that grows

/// Least height of the plots of a figure: several are lower, so that the table below them stays in sight.
double leastPlot(const lessons::FigureData& data) {
  constexpr double kAllPlots = 225;  // px
  const auto growing = std::count_if(data.panels.begin(), data.panels.end(), FigurePanel::grows);
  return std::clamp(kAllPlots / std::max(static_cast<double>(growing), 1.0), 80.0, 150.0);
}

/// What the panels of rows are higher in all with bars of full height.
double rowsSpare(const lessons::FigureData& data, double width) {
  double spare = 0;
  for (const lessons::Panel& panel : data.panels) spare += FigurePanel::rowsSpare(panel, width);
  return spare;
}

QStringList listOf(const std::vector<std::string>& texts) {
  QStringList list;
  for (const std::string& text : texts) list << QString::fromStdString(text);
  return list;
}

}  // namespace

double FigurePicture::leastHeight(const lessons::FigureData& data, double width) {
  double height = 0;
  for (const lessons::Panel& panel : data.panels) {
    height += FigurePanel::leastHeight(panel, width, leastPlot(data)) + kPartGap;
  }
  const double table = FigureTable::height(data.table, width);
  return table > 0 ? height + table : std::max(0.0, height - kPartGap);
}

FigurePicture::FigurePicture(const lessons::FigureData& data, const QRectF& rect) {
  const auto growing = std::count_if(data.panels.begin(), data.panels.end(), FigurePanel::grows);
  double spare = std::max(0.0, rect.height() - leastHeight(data, rect.width()));
  // Rows first: they need little for bars that can be read.
  const double wanted = rowsSpare(data, rect.width());
  const double granted = wanted > 0 ? std::min(1.0, spare / wanted) : 0;
  spare -= granted * wanted;
  double top = rect.top();
  panels_.reserve(data.panels.size());
  for (const lessons::Panel& panel : data.panels) {
    const double least = FigurePanel::leastHeight(panel, rect.width(), leastPlot(data));
    double high = least + granted * FigurePanel::rowsSpare(panel, rect.width());
    if (FigurePanel::grows(panel)) {
      high = std::clamp(least + spare / static_cast<double>(growing), least, std::max(least, kTallestPlot));
    }
    panels_.emplace_back(panel, QRectF(rect.left(), top, rect.width(), high));
    top += high + kPartGap;
  }
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    for (std::size_t j = 0; j < panels_.size(); ++j) {
      const QRectF other = panels_[j].area();
      if (panels_[i].sharesX(panels_[j])) {
        panels_[i].fitBetween(other.left(), other.right());
      } else if (!data.panels[i].rows && !data.panels[j].rows) {
        panels_[i].fitBetween(other.left(), panels_[i].area().right());
      }
    }
  }
  if (!data.table.heads.empty()) {
    table_.emplace(data.table, QRectF(rect.left(), top, rect.width(), FigureTable::height(data.table, rect.width())));
  }
}

void FigurePicture::paint(QPainter& painter, const TableCells& highlighted) const {
  for (const FigurePanel& panel : panels_) panel.paint(painter);
  if (table_) table_->paint(painter, highlighted);
}

std::optional<FigureHit> FigurePicture::hitAt(QPointF position) const {
  for (const FigurePanel& panel : panels_) {
    if (auto hit = panel.hitAt(position)) return hit;
  }
  return table_ ? table_->hitAt(position) : std::nullopt;
}

QImage figureImage(const lessons::FigureData& data, int width, qreal scale) {
  constexpr int kImageMargin = 16;
  constexpr int kImageTitle = 28;
  constexpr int kImagePlot = 60;  // what a plot is higher than at least
  const Colors& c = colors();
  const double inner = width - 2 * kImageMargin;
  const auto growing = std::count_if(data.panels.begin(), data.panels.end(), FigurePanel::grows);
  const double body =
      FigurePicture::leastHeight(data, inner) + rowsSpare(data, inner) + static_cast<double>(growing) * kImagePlot;
  const QString source = typeset(data.source);
  const QFont small = textFont(11);
  const double foot =
      source.isEmpty() ? 0
                       : QFontMetricsF(small).boundingRect({0, 0, inner, 1000}, Qt::TextWordWrap, source).height() + 8;
  const double high = kImageMargin + kImageTitle + body + foot + kImageMargin;
  QImage image(QSize(static_cast<int>(std::lround(width * scale)), static_cast<int>(std::lround(high * scale))),
               QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  image.fill(c.panel);
  QPainter painter(&image);
  painter.setFont(textFont(14, QFont::DemiBold));
  painter.setPen(c.text);
  drawText(painter, QRectF(kImageMargin, kImageMargin, inner, 20), Qt::AlignLeft | Qt::AlignVCenter,
           typeset(data.title));
  FigurePicture(data, QRectF(kImageMargin, kImageMargin + kImageTitle, inner, body)).paint(painter);
  painter.setFont(small);
  painter.setPen(c.thirdText);
  painter.drawText(QRectF(kImageMargin, high - kImageMargin - foot + 8, inner, foot), Qt::TextWordWrap, source);
  return image;
}

QString figureCsv(const lessons::FigureData& data) {
  QString csv;
  if (!data.table.heads.empty()) {
    csv += csvLine(listOf(data.table.heads));
    for (const auto& row : data.table.rows) csv += csvLine(listOf(row));
    return csv;
  }
  csv += csvLine({QStringLiteral("panel"), QStringLiteral("series"), QStringLiteral("x"), QStringLiteral("y")});
  for (const lessons::Panel& panel : data.panels) {
    for (const lessons::Series& series : panel.series) {
      for (const lessons::Point& point : series.points) {
        csv += csvLine({QString::fromStdString(panel.title), QString::fromStdString(series.title), plainNumber(point.x),
                        plainNumber(point.y)});
      }
    }
  }
  return csv;
}

QString figureWords(const lessons::FigureData& data) {
  QStringList lines{QString::fromStdString(data.title), QString::fromStdString(data.text)};
  if (!data.table.heads.empty()) {
    lines << QString() << listOf(data.table.heads).join(QLatin1Char('\t'));
    for (const auto& row : data.table.rows) lines << listOf(row).join(QLatin1Char('\t'));
  }
  if (!data.source.empty()) lines << QString() << QString::fromStdString(data.source);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace binade::views
