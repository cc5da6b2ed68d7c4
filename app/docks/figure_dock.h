// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "engine/lessons/lesson.h"

#include <QImage>

class QPushButton;

namespace binade::views {
class FigureView;
}

namespace binade::app {

class EmptyState;

/// The live figure of the lesson's current block, or the figure of its experiment. Needs neither a run nor an engine.
class FigureDock : public Dock {
  Q_OBJECT

 public:
  explicit FigureDock(QWidget* parent = nullptr);

  /// The view is made when the dock is first shown, or at the first call.
  views::FigureView* view();

  /// While no lesson has been opened, the dock offers this one; an empty title offers none.
  void offerLesson(const QString& title);
  /// The page of the lesson whose figure is shown is beside the dock, or is not. That page has the figure's caption
  /// too.
  void setBesideLesson(bool beside);
  /// Opens the offered lesson. Null until the view is made.
  QPushButton* lessonButton() const { return start_; }

  /// A figure as it is drawn in an exported lesson, in the colours of the present theme.
  static QImage picture(const lessons::Figure& figure);
  /// The shown figure as it is drawn in an exported page.
  QImage shownPicture();

 public Q_SLOTS:
  void showFigure(const binade::lessons::Figure& figure);
  /// Shows that a figure appears later, and asks for the prediction or, if all are made, for the answer of an exercise.
  /// A button shows the figure nevertheless.
  void showCovered(bool predicted);
  /// Shows data that no figure of a lesson computes. Their owner shows them again after sliderChanged().
  void showData(const binade::lessons::FigureData& data, const QString& caption);
  /// Shows that there is no figure, and why.
  void showNothing(const QString& headline, const QString& sentence);

 Q_SIGNALS:
  /// The user wants to open the offered lesson.
  void lessonRequested();
  /// The user wants to see the covered figure.
  void uncoverRequested();
  /// The user wants the shown figure as a page.
  void htmlRequested();

  /// The user moved the slider of the shown figure: a parameter's value or, for an exponent, the exponent of 2.
  void sliderChanged(double value);

 private:
  /// Shows the view in place of the offer.
  void showView();

  views::FigureView* view_ = nullptr;
  EmptyState* empty_ = nullptr;
  QPushButton* start_ = nullptr;
  QString offered_;
  bool beside_lesson_ = false;
};

}  // namespace binade::app
