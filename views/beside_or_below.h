// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QBoxLayout;

namespace binade::views {

/// Two widgets: beside each other where there is room, else the second below the first.
class BesideOrBelow : public QWidget {
 public:
  /// Takes ownership of both. `wide`: the width in pixels from which on they are beside each other, if both have their
  /// least widths then.
  BesideOrBelow(QWidget* first, QWidget* second, int wide, QWidget* parent = nullptr);

  bool isBeside() const;
  /// Shares the width where they are beside each other: `first` parts for the first, `second` for the second. At first
  /// both get the same.
  void setShares(int first, int second);
  /// As narrow as one below the other, so that the widget can always become that narrow.
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void applyShares();

  QBoxLayout* layout_;
  int wide_;
  int first_beside_ = 1;
  int second_beside_ = 1;
};

}  // namespace binade::views
