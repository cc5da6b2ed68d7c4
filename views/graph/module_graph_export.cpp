// SPDX-License-Identifier: Apache-2.0
// Pictures of a ModuleGraph as files.
#include "views/graph/module_graph.h"
#include "views/theme.h"

#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {
constexpr double kPictureMargin = 16;
constexpr double kMostPixels = 16'000;  // of a side; Qt's images end at 32,767
}  // namespace

bool ModuleGraph::savePng(const QString& file, qreal scale) {
  const QSizeF whole = picture_.places.size + QSizeF(2 * kPictureMargin, 2 * kPictureMargin);
  const double zoom = std::min({scale, kMostPixels / whole.width(), kMostPixels / whole.height()});
  QImage image(static_cast<int>(std::ceil(whole.width() * zoom)), static_cast<int>(std::ceil(whole.height() * zoom)),
               QImage::Format_RGB32);
  if (image.isNull()) return false;
  image.fill(colors().panel);
  QPainter painter(&image);
  painter.scale(zoom, zoom);
  painter.translate(kPictureMargin, kPictureMargin);
  paintAll(painter, {QPointF(), picture_.places.size}, zoom);
  painter.end();
  QSaveFile out(file);
  // commit() does not notice that its own flush fails, and would replace the file by a part of the picture.
  return out.open(QIODevice::WriteOnly) && image.save(&out, "PNG") && out.flush() && out.commit();
}

bool ModuleGraph::saveSvg(const QString& file) {
  QSaveFile output(file);
  if (!output.open(QIODevice::WriteOnly)) return false;
  const QSizeF whole = picture_.places.size + QSizeF(2 * kPictureMargin, 2 * kPictureMargin);
  QSvgGenerator generator;
  generator.setOutputDevice(&output);
  generator.setSize(QSize(static_cast<int>(std::ceil(whole.width())), static_cast<int>(std::ceil(whole.height()))));
  generator.setViewBox(QRectF(QPointF(), whole));
  generator.setTitle(tr("Graph of the model"));
  QPainter painter(&generator);
  painter.fillRect(QRectF(QPointF(), whole), colors().panel);
  painter.translate(kPictureMargin, kPictureMargin);
  paintAll(painter, {QPointF(), picture_.places.size}, 1);
  painter.end();
  return output.flush() && output.commit();
}

}  // namespace binade::views
