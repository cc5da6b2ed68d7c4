// SPDX-License-Identifier: Apache-2.0
#include "views/svg_file.h"

#include <QBuffer>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace binade::views {

bool saveSvgFile(const QString& file, const QRectF& box, const QString& title,
                 const std::function<void(QPainter&)>& paint) {
  // QSvgGenerator does not report what its device could not write, so it writes to memory.
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(box.toAlignedRect().size());
  generator.setViewBox(box);
  generator.setTitle(title);
  QPainter painter(&generator);
  paint(painter);
  painter.end();
  QSaveFile out(file);
  // commit() does not notice that its own flush fails, and would replace the file by a part of the picture.
  return out.open(QIODevice::WriteOnly) && out.write(buffer.data()) == buffer.size() && out.flush() && out.commit();
}

}  // namespace binade::views
