// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_legend.h"

#include "views/theme.h"
#include "views/values/numbers.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace binade::views {

namespace {

constexpr int kKeySample = 14;
constexpr int kKeyGap = 14;
constexpr int kKeySide = 12;

int keyLine() {
  return qRound(18 * textScale());
}

QFont keyFont() {
  return textFont(11);
}

int keyWidth(const GraphKey& key) {
  return kKeySample + 6 + static_cast<int>(std::ceil(textWidth(keyFont(), key.text)));
}

void drawSample(QPainter& painter, const GraphKey& key, QRectF place) {
  using Kind = GraphKey::Kind;
  const QPointF middle = place.center();
  const QRectF square(middle - QPointF(5, 5), QSizeF(10, 10));
  const QColor& color = key.color;
  switch (key.kind) {
    case Kind::kStripe:
      return painter.fillRect(square, color);
    case Kind::kPale:
      return painter.fillRect(square, paleColor(key.color));
    case Kind::kHatched:
      painter.fillRect(square, QBrush(color, Qt::BDiagPattern));
      painter.setPen(QPen(color, 0));
      return painter.drawRect(square.adjusted(0.5, 0.5, -0.5, -0.5));
    case Kind::kEdge:
    case Kind::kPath: {
      painter.setPen(QPen(color, 0));
      painter.setBrush(color);
      const int lines = key.kind == Kind::kPath ? 2 : 1;
      for (int i = 0; i < lines; ++i)
        painter.drawLine(QPointF(place.left(), middle.y() + i), QPointF(place.right(), middle.y() + i));
      const std::array<QPointF, 3> head{QPointF(place.right() + 1, middle.y()),
                                        QPointF(place.right() - 4, middle.y() - 3),
                                        QPointF(place.right() - 4, middle.y() + 3)};
      return painter.drawPolygon(head.data(), 3);
    }
    case Kind::kCast: {
      painter.setPen(Qt::NoPen);
      painter.setBrush(color);
      const std::array<QPointF, 4> diamond{middle + QPointF(0, -4), middle + QPointF(4, 0), middle + QPointF(0, 4),
                                           middle + QPointF(-4, 0)};
      return painter.drawPolygon(diamond.data(), 4);
    }
  }
}

}  // namespace

GraphLegend::GraphLegend(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Legend of the graph"));
  // Not Fixed, which would limit the height to that of a size hint for an earlier width.
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  connect(themeEvents(), &ThemeEvents::themeChanged, this, &GraphLegend::updateGeometry);
}

void GraphLegend::setKeys(std::vector<GraphKey> keys) {
  const auto same = [](const GraphKey& a, const GraphKey& b) {
    return a.kind == b.kind && a.color == b.color && a.text == b.text;
  };
  if (std::equal(keys.begin(), keys.end(), keys_.begin(), keys_.end(), same)) return;
  keys_ = std::move(keys);
  QStringList texts;
  for (const GraphKey& key : keys_) texts << key.text;
  setAccessibleDescription(texts.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

std::vector<QPoint> GraphLegend::flow(int width) const {
  std::vector<QPoint> corners;
  QPoint at(kKeySide, 4);
  for (const GraphKey& key : keys_) {
    const int wide = keyWidth(key);
    if (at.x() > kKeySide && at.x() + wide > width - kKeySide) at = {kKeySide, at.y() + keyLine()};
    corners.push_back(at);
    at.rx() += wide + kKeyGap;
  }
  corners.emplace_back(0, keys_.empty() ? 0 : at.y() + keyLine() + 4);
  return corners;
}

int GraphLegend::heightForWidth(int width) const {
  return flow(width).back().y();
}

QSize GraphLegend::sizeHint() const {
  return {240, heightForWidth(std::max(width(), 240))};
}

QSize GraphLegend::minimumSizeHint() const {
  return {80, keys_.empty() ? 0 : keyLine() + 8};
}

void GraphLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const std::vector<QPoint> corners = flow(width());
  painter.setFont(keyFont());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    painter.setRenderHint(QPainter::Antialiasing, keys_[i].kind == GraphKey::Kind::kCast);
    drawSample(painter, keys_[i], QRectF(corners[i], QSizeF(kKeySample, keyLine())));
    painter.setPen(colors().secondText);
    painter.drawText(QRectF(corners[i] + QPoint(kKeySample + 6, 0), QSizeF(width() - corners[i].x(), keyLine())),
                     Qt::AlignLeft | Qt::AlignVCenter, keys_[i].text);
  }
}

}  // namespace binade::views
