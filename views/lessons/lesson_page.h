// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson_work.h"
#include "views/lessons/run_card.h"

#include <QString>
#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace binade::views {

class ExerciseCard;
class FeedbackBox;
class FigureLink;
class LessonSquares;
class PredictionCard;
class StepBar;

/// The place of a lesson among all lessons.
struct LessonPlace {
  int index = 0;           ///< from 0
  std::vector<bool> done;  ///< for each lesson
  QString next = {};       ///< title of the next lesson; empty: this is the last
};

/// A lesson as text: its steps, predictions, experiments, exercises and the places of its figures. What follows the
/// prediction is hidden until the prediction is made or skipped, and a figure there is covered. The figure whose place
/// has come into sight is shown, and so is one whose button is pressed. GUI thread.
class LessonPage : public QWidget {
  Q_OBJECT

 public:
  explicit LessonPage(QWidget* parent = nullptr);

  /// Shows a lesson from its beginning, with its first figure or that figure's cover.
  void setLesson(const lessons::Lesson& lesson, const LessonPlace& place, const lessons::LessonWork& work = {});
  /// Shows the state of an experiment; `run` counts from 0 in the order of the lesson. A finished one is noted in the
  /// work.
  void setRunState(int run, const RunState& state);

  /// Notes that the figure beside the text was replaced by one that is not the lesson's.
  void releaseFigure();
  /// Shows the covered figure beside the text without its prediction; the text after the prediction stays hidden. The
  /// others stay covered.
  void uncoverFigure();

  const lessons::Lesson& lesson() const { return lesson_; }
  const lessons::LessonWork& work() const { return work_; }
  int runCount() const { return static_cast<int>(runs_.size()); }

  const std::vector<PredictionCard*>& predictions() const { return predictions_; }
  const std::vector<ExerciseCard*>& exercises() const { return exercises_; }
  const std::vector<RunCard*>& runs() const { return runs_; }
  const std::vector<FigureLink*>& figures() const { return figures_; }
  StepBar* stepBar() const { return steps_; }
  QPushButton* backButton() const { return back_; }
  QPushButton* nextButton() const { return next_; }
  /// Scrolls to the first step that is open; hidden once all are done.
  QPushButton* continueButton() const { return continue_; }
  /// The *Skip* button of a closed section; null if the section is open or not the next one.
  QPushButton* skipButton(std::size_t section) const;
  bool isSectionShown(std::size_t section) const;
  /// The widget with all of the lesson's text.
  QWidget* content() const { return content_; }

  QSize sizeHint() const override { return {480, 800}; }

 public Q_SLOTS:
  /// Scrolls to the beginning of the lesson.
  void showTop();
  /// Scrolls to the first place of a step.
  void showStep(binade::lessons::LessonStep step);

 Q_SIGNALS:
  void runRequested(int run, const binade::lessons::Experiment& experiment);
  void cancelRequested(int run);
  /// The user wants to see the figure of this experiment.
  void runFigureRequested(int run);
  /// This figure belongs beside the text now.
  void figureShown(const binade::lessons::Figure& figure);
  /// The place of this figure has come into sight, but a prediction before it is to be made first or, if all are made,
  /// an exercise answered.
  void figureCovered(const binade::lessons::Figure& figure, bool predicted);
  void progressChanged(const binade::lessons::LessonWork& work);
  /// The user goes to another lesson, counted from 0.
  void lessonRequested(int index);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct SectionParts {
    QWidget* body = nullptr;
    QWidget* gate = nullptr;  ///< null for the first section
    QPushButton* skip = nullptr;
    QLabel* reason = nullptr;
  };

  QWidget* makeHead();
  QWidget* makeFoot();
  SectionParts makeSection(std::size_t number, QVBoxLayout& column);
  QWidget* makeBlock(const lessons::Block& block);
  QWidget* makePrediction(const lessons::Prediction& prediction);
  QWidget* makeExperiment(const lessons::Experiment& experiment);
  QWidget* makeExercise(const lessons::Exercise& exercise);
  QWidget* makeFigure(const lessons::Figure& figure);
  void makeGate(std::size_t number, SectionParts& parts);
  void changed();
  void refresh();
  void startAgain();
  void showFigure(std::size_t figure);
  bool isCovered(std::size_t figure) const;
  bool isPredicted() const;
  void followScrolling();
  /// Scrolls as far as it takes to show all of a widget of the text, or its end if it is higher than the page.
  void bringIntoSight(QWidget* place);
  /// Scrolls on until no line of a text is cut at the top.
  void alignTop();
  void followFeedback(FeedbackBox* box);
  /// What is missing before the lesson is done, as a short text; empty if nothing is.
  QString whatIsLeft() const;
  /// Names the step of *Continue* and the lesson of *Next*, and notes what is left, as far as the foot has room.
  void nameButtons();

  lessons::Lesson lesson_;
  LessonPlace place_;
  lessons::LessonWork work_;
  std::optional<std::size_t> in_sight_;  ///< the figure whose place was reached last
  std::optional<std::size_t> beside_;    ///< the figure that is shown or covered beside the text
  std::vector<bool> uncovered_;          ///< for each figure: the user wanted it without the prediction
  bool cover_predicted_ = false;         ///< what figureCovered() said last

  QLabel* count_;
  LessonSquares* squares_;
  StepBar* steps_;
  QScrollArea* scroll_;
  QWidget* content_ = nullptr;
  std::vector<SectionParts> sections_;
  std::vector<PredictionCard*> predictions_;
  std::vector<ExerciseCard*> exercises_;
  std::vector<RunCard*> runs_;
  std::vector<FigureLink*> figures_;
  QPushButton* again_ = nullptr;
  QWidget* foot_ = nullptr;
  QPushButton* back_;
  QLabel* note_;
  QPushButton* continue_;
  QPushButton* next_;
};

}  // namespace binade::views
