// SPDX-License-Identifier: Apache-2.0
// A ModuleGraph as a file: pictures, and a text for Graphviz.
#include "views/graph/module_graph.h"
#include "views/svg_file.h"
#include "views/theme.h"

#include <QFileDialog>
#include <QImage>
#include <QMessageBox>
#include <QPainter>
#include <QSaveFile>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {
constexpr double kPictureMargin = 16;
constexpr double kMostPixels = 16'000;  // of a side; Qt's images end at 32,767

/// A string of the DOT language. Names come from the model and may hold anything.
QByteArray dotString(const QString& text) {
  QString safe;
  for (const QChar each : text) {
    if (each == u'"' || each == u'\\') safe += u'\\';
    safe += each < u' ' || each == u'\x7f' ? QChar(u' ') : each;  // control characters
  }
  return '"' + safe.toUtf8() + '"';
}

/// The lines of a label, one below the other.
QByteArray dotLabel(const QStringList& lines) {
  QByteArray label = "\"";
  for (const QString& line : lines) {
    if (line.isEmpty()) continue;
    if (label.size() > 1) label += "\\n";
    const QByteArray quoted = dotString(line);
    label += quoted.mid(1, quoted.size() - 2);
  }
  return label + '"';
}
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
  const QRectF whole(QPointF(), picture_.places.size + QSizeF(2 * kPictureMargin, 2 * kPictureMargin));
  return saveSvgFile(file, whole, tr("Graph of the model"), [this, &whole](QPainter& painter) {
    painter.fillRect(whole, colors().panel);
    painter.translate(kPictureMargin, kPictureMargin);
    paintAll(painter, {QPointF(), picture_.places.size}, 1);
  });
}

bool ModuleGraph::saveDot(const QString& file) {
  QByteArray text = "digraph " + dotString(tr("Graph of the model")) + " {\n node [shape=box]\n edge [arrowsize=0.6]\n";
  std::vector<int> open;  // nodes whose cluster is not closed yet
  for (const int node : picture_.shown) {
    const GraphNode& what = nodes_[static_cast<std::size_t>(node)];
    const GraphShade& shade = shades_[static_cast<std::size_t>(node)];
    while (!open.empty() && open.back() != what.parent) {
      text += "}\n";
      open.pop_back();
    }
    const QByteArray number = QByteArray::number(node);
    const QByteArray color = shade.stripes.empty() ? "black" : shade.stripes.front().name().toLatin1();
    if (isModule(node) && !isFolded(node)) {
      text += "subgraph cluster_" + number + " {\n label=" + dotLabel({what.name, shade.figure}) + "\n color=\"" +
              color + "\"\n";
      open.push_back(node);
    } else {
      text +=
          " n" + number + " [label=" + dotLabel({what.name, what.detail, shade.figure}) + " color=\"" + color + "\"]\n";
    }
  }
  text += QByteArray("}\n").repeated(static_cast<qsizetype>(open.size()));
  for (const Link& link : picture_.links) {
    QStringList lines;
    for (const std::size_t edge : link.edges) {
      const QStringList known{edges_[edge].text, edge_shades_[edge].cast};
      for (const QString& line : known) {
        if (!line.isEmpty() && !lines.contains(line)) lines << line;
      }
    }
    text += " n" + QByteArray::number(link.from) + " -> n" + QByteArray::number(link.to) +
            (lines.isEmpty() ? QByteArray() : " [label=" + dotLabel(lines) + "]") + "\n";
  }
  text += "}\n";
  QSaveFile output(file);
  return output.open(QIODevice::WriteOnly) && output.write(text) == text.size() && output.flush() && output.commit();
}

void ModuleGraph::exportAs(const QString& ending) {
  const QStringList endings{QStringLiteral(".svg"), QStringLiteral(".png"), QStringLiteral(".dot")};
  const QStringList filters{tr("SVG image (*.svg)"), tr("PNG image (*.png)"), tr("Graphviz text (*.dot)")};
  QString filter = filters.value(endings.indexOf(ending), filters.front());
  QString file = QFileDialog::getSaveFileName(this, tr("Export graph"), QStringLiteral("graph") + ending,
                                              filters.join(QStringLiteral(";;")), &filter);
  if (file.isEmpty()) return;
  const bool known = std::any_of(endings.begin(), endings.end(),
                                 [&file](const QString& each) { return file.endsWith(each, Qt::CaseInsensitive); });
  if (!known) file += endings.value(filters.indexOf(filter), endings.front());
  if (!picture_.shown.empty()) return writePicture(file);
  unwritten_ = file;
}

void ModuleGraph::writePicture(const QString& file) {
  const bool svg = file.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive);
  const bool dot = file.endsWith(QStringLiteral(".dot"), Qt::CaseInsensitive);
  if (!(svg ? saveSvg(file) : dot ? saveDot(file) : savePng(file))) {
    QMessageBox::warning(this, tr("Export graph"),
                         tr("%1 cannot be written. Choose another folder or name.").arg(file));
  }
}

}  // namespace binade::views
