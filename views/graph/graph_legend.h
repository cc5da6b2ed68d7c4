// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/graph_node.h"

#include <QWidget>

#include <vector>

namespace binade::views {

/// What colours and marks of a graph mean, in as many lines as its width needs.
class GraphLegend : public QWidget {
  Q_OBJECT

 public:
  explicit GraphLegend(QWidget* parent = nullptr);

  void setKeys(std::vector<GraphKey> keys);
  const std::vector<GraphKey>& keys() const { return keys_; }

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  /// Corners of the entries in a width, and below them the bottom.
  std::vector<QPoint> flow(int width) const;

  std::vector<GraphKey> keys_;
};

}  // namespace binade::views
