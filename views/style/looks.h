// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

class QPainter;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace binade::views {

/// Colour of a label's text, in the colours of the current theme.
enum class Tone { kText, kSecond, kThird, kCrimson };
void setTone(QWidget* label, Tone tone);
/// Makes a label of plain text that wraps and that the user can select. Plain, since the name of a module, such as
/// `<lambda>`, is not HTML.
QLabel* makeTextLabel(Tone tone = Tone::kText);

/// Makes a progress bar that is a line without text. It keeps its place while it is hidden. `name` is for screen
/// readers.
QProgressBar* makeProgressLine(const QString& name);

/// Background and border of a widget that contains others.
enum class Surface {
  kNone,
  kCard,        ///< panel with a line around it
  kChosenCard,  ///< card with a line of 2 px in the text's colour
  kDropHint,    ///< dashed line
  kTitle,       ///< bar with a line below
  kFoot,        ///< bar with a line above
  kProblem,     ///< crimson background with a line below
  kNotice,      ///< bar with a line below
  kVerdict,     ///< pale background with a thick line on the left
  kBadVerdict,  ///< the same in crimson
};
/// The style paints the surface. The width of its border is added to the widget's margins.
void setSurface(QWidget* widget, Surface surface);
Surface surfaceOf(const QWidget* widget);
void paintSurface(QPainter& painter, const QWidget& widget);

/// Gives the widget and its children the background of a dock (panel) instead of that of a dialog (bar).
void setPanelGround(QWidget* widget);

/// The button with the most likely action: filled, with bold text.
void setPrimary(QPushButton* button, bool primary = true);
bool isPrimary(const QWidget* button);

/// A button that does not fit yet, though it works: its text is grey.
void setQuiet(QPushButton* button, bool quiet = true);
bool isQuiet(const QWidget* button);

/// One of several buttons in a row without gaps.
void setSegment(QToolButton* button);
bool isSegment(const QWidget* button);

/// A button among labels: no wider and hardly higher than its text.
void setInline(QToolButton* button);
bool isInline(const QWidget* button);

/// A button whose state is in force, such as the run control that the run obeys: filled, also while it is disabled.
void setLit(QToolButton* button, bool lit);
bool isLit(const QWidget* button);

/// Gives an editor a crimson border, because its value is refused.
void setWrong(QWidget* editor, bool wrong);
bool isWrong(const QWidget* editor);

/// A short text with a line around it.
class Badge : public QLabel {
 public:
  explicit Badge(const QString& text = {}, QWidget* parent = nullptr);
  /// Gives text and line less weight, for a badge that only names a key.
  void setQuiet();

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool quiet_ = false;
};

/// A plain text that wraps, with a quarter more distance between its lines than a label has.
class Paragraph : public QLabel {
 public:
  explicit Paragraph(const QString& text = {}, QWidget* parent = nullptr);

  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace binade::views
