// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QScrollArea>

namespace binade::views {

/// Shows a widget whole where there is room, and lets it be scrolled vertically where it needs more height, for example
/// for a text that wraps. A panel with such an area needs less height than its content.
class HeightScroll : public QScrollArea {
 public:
  /// Takes ownership of `content`. `least`: the height in px that suffices.
  HeightScroll(QWidget* content, int least, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;

 private:
  int least_;
};

}  // namespace binade::views
