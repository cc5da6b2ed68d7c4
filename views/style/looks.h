// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

class QPainter;
class QPushButton;
class QToolButton;

namespace binade::views {

/// Colour of a label's text. It follows the theme.
enum class Tone { kText, kSecond, kThird, kCrimson };
void setTone(QWidget* label, Tone tone);

/// Ground and border of a widget that holds others.
enum class Surface {
  kNone,
  kCard,        ///< panel with a line around it
  kChosenCard,  ///< card with a line of 2 px in the text's colour
  kDropHint,    ///< dashed line
  kTitle,       ///< bar with a line below
  kFoot,        ///< bar with a line above
  kProblem,     ///< crimson ground with a line below
  kNotice,      ///< bar with a line below
  kVerdict,     ///< quiet ground with a thick line on the left
  kBadVerdict,  ///< the same in crimson
};
/// The style paints the surface. The first call adds room for its border to the widget's margins.
void setSurface(QWidget* widget, Surface surface);
Surface surfaceOf(const QWidget* widget);
void paintSurface(QPainter& painter, const QWidget& widget);

/// The ground of a dock's content (panel) instead of a dialog's (bar). Children have it too.
void setPanelGround(QWidget* widget);

/// The button that a person most likely wants.
void setPrimary(QPushButton* button, bool primary = true);
bool isPrimary(const QWidget* button);

/// One of several buttons in a row without gaps.
void setSegment(QToolButton* button);
bool isSegment(const QWidget* button);

/// An editor whose value is refused has a crimson border.
void setWrong(QWidget* editor, bool wrong);
bool isWrong(const QWidget* editor);

/// A short word in capitals with a line around it.
class Badge : public QLabel {
 public:
  explicit Badge(const QString& text = {}, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace binade::views
