// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/problem.h"
#include "engine/policy/resolve.h"
#include "engine/wire/model_info.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace binade::app {

class RunDocument;
class RunForm;

/// The card that stands where the charts will be while a model has no run yet: what it is trained on and how. Stays,
/// with everything typed, until the engine has taken the run. The same card asks for a run that failed elsewhere.
class SetupPage : public QWidget {
  Q_OBJECT

 public:
  enum class Purpose { kTraining, kFailedRun };

  /// `document` must outlive the page.
  explicit SetupPage(RunDocument* document, QWidget* parent = nullptr);

  void setUp(const wire::ModelInfo& model, Purpose purpose);
  Purpose purpose() const { return purpose_; }
  RunForm* form() const { return form_; }
  QPushButton* startButton() const { return start_; }
  /// The engine would not have it: shown at the field where it names one, and above the buttons, which work again.
  void showProblem(const Problem& problem);
  QString problem() const;
  /// Nothing was started: the buttons work again.
  void allowStart();
  /// As the start button does, from a key: a field that is being typed in is taken over first.
  void startNow();

 Q_SIGNALS:
  void startRequested();
  /// One step of what is described, on random data.
  void oneStepRequested();
  void openRequested();
  void saveRequested();
  void cancelled();
  /// The start button works, or does not while a run is being started.
  void startableChanged();

 private:
  QWidget* makePanel();
  QWidget* makeFoot();
  void start();

  RunDocument* document_;
  Purpose purpose_ = Purpose::kTraining;
  QLabel* title_;
  QLabel* summary_;
  RunForm* form_;
  QLabel* problem_;
  QPushButton* start_;
  QPushButton* one_step_;
};

}  // namespace binade::app
