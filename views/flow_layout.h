// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLayout>
#include <QList>

namespace binade::views {

/// Lays out widgets side by side at their preferred sizes and wraps to a new line where there is no room. Its height
/// depends on its width.
class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(QWidget* parent, int spacing = 8, int lineSpacing = 4);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override;
  int count() const override;
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  /// The size of the largest widget alone; heightForWidth() gives the height of all of them.
  QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int layOut(const QRect& rect, bool place) const;

  QList<QLayoutItem*> items_;
  int line_spacing_;
};

}  // namespace binade::views
