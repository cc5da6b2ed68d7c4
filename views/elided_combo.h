// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>

class QStyleOptionComboBox;

namespace binade::views {

/// A combo box that says with an ellipsis that its text is cut in a narrow place, as ElidedLabel does. The whole stands
/// in the tool tip and in the list.
class ElidedComboBox : public QComboBox {
  Q_OBJECT

 public:
  /// `mode`: which end of the text matters less.
  explicit ElidedComboBox(Qt::TextElideMode mode = Qt::ElideRight, QWidget* parent = nullptr);

  /// The current text as it is drawn.
  QString shownText() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString elided(const QStyleOptionComboBox& option) const;

  Qt::TextElideMode mode_;
};

}  // namespace binade::views
