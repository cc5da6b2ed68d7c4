// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"
#include "views/lessons/figure_canvas.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace binade::views {

class ElidedLabel;
class FigureSlider;

/// A live figure of a lesson: title, slider, panels and table, and its numbers as text. Without a figure it shows an
/// explanation. GUI thread.
class FigureView : public QWidget {
  Q_OBJECT

 public:
  explicit FigureView(QWidget* parent = nullptr);

  const lessons::FigureData& figure() const { return canvas_->figure(); }
  FigureCanvas* canvas() const { return canvas_; }
  FigureSlider* slider() const { return slider_; }
  QPushButton* numbersButton() const { return numbers_; }
  /// *Show the figure*, below the explanation of a cover.
  QPushButton* uncoverButton() const { return uncover_; }
  bool showsFigure() const;
  /// The text below the figure, without typography.
  const QString& caption() const { return caption_text_; }
  /// Hides the caption of a lesson's figure, which the lesson's page has too, while that page is beside the figure.
  void setBesideLesson(bool beside);

  QSize sizeHint() const override { return {760, 640}; }

 public Q_SLOTS:
  /// Shows a figure of a lesson and computes it again whenever its slider moves, within the frame.
  void setFigure(const binade::lessons::Figure& figure);
  /// Shows data that the owner computes, also again after sliderChanged(). The first position of a slider is the one
  /// that *Back to …* returns to.
  void setFigure(const binade::lessons::FigureData& data);
  /// Sets the text below the figure; Markdown is not read. setFigure(Figure) sets the figure's own.
  void setCaption(const QString& caption);
  /// Shows why there is no figure, and what to do.
  void setExplanation(const QString& headline, const QString& sentence);
  /// Covers a figure that is not to be seen yet: an explanation with a button that shows the figure nevertheless.
  void setCover(const QString& headline, const QString& sentence);

 Q_SIGNALS:
  /// The user moved the slider: a parameter's value or, for an exponent, the exponent of 2.
  void sliderChanged(double value);
  void numberRequested(const binade::views::PickedNumber& number);
  /// The user wants to see the covered figure.
  void uncoverRequested();
  /// The user wants the figure as a page.
  void htmlRequested();

 private:
  void moveSlider(double value);
  void display(const lessons::FigureData& data, bool moved);
  void showCaption();
  QWidget* makeHead();
  QWidget* makeFoot();

  std::optional<lessons::Figure> source_;  ///< null: the owner computes the data
  double preset_ = 0;                      ///< of the slider
  bool moving_ = false;                    ///< sliderChanged() was emitted; the next data are its result
  QString caption_text_;
  bool beside_lesson_ = false;

  ElidedLabel* title_;
  QPushButton* numbers_;
  FigureSlider* slider_;
  FigureCanvas* canvas_;
  QStackedWidget* pages_;
  QLabel* words_;
  QWidget* words_pane_;
  QLabel* caption_;
  QLabel* origin_;
  QLabel* headline_;
  QLabel* sentence_;
  QPushButton* uncover_;
};

}  // namespace binade::views
