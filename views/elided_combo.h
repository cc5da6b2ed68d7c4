// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>

class QStyleOptionComboBox;

namespace binade::views {

/// A combo box that elides its text if there is too little room, like ElidedLabel. The tool tip and the list show the
/// whole text.
class ElidedComboBox : public QComboBox {
  Q_OBJECT

 public:
  /// `mode`: where the text is elided.
  explicit ElidedComboBox(Qt::TextElideMode mode = Qt::ElideRight, QWidget* parent = nullptr);

  /// Returns the current text as drawn.
  QString shownText() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString elided(const QStyleOptionComboBox& option) const;

  Qt::TextElideMode mode_;
};

}  // namespace binade::views
