// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "engine/policy/resolve.h"
#include "engine/wire/model_info.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace binade::app {

class RunDocument;
class RunForm;

/// The page shown in place of the charts while a model has no run: data, training and precision of the next run. It
/// keeps its contents until the engine has accepted the run. It also serves to reproduce a step of a failed run.
class SetupPage : public QWidget {
  Q_OBJECT

 public:
  enum class Purpose { kTraining, kFailedRun };

  /// `document` must outlive the page.
  explicit SetupPage(RunDocument* document, QWidget* parent = nullptr);

  /// The computer of the engine, if it is another one: the page says from the next setUp() on whose files are named.
  void setHost(const QString& host) { host_ = host; }
  /// Shows the page for a model. The description itself is in the document.
  void setUp(const wire::ModelInfo& model, Purpose purpose);
  Purpose purpose() const { return purpose_; }
  RunForm* form() const { return form_; }
  QPushButton* startButton() const { return start_; }
  /// Shows why the engine refused the run, at the named field if any, and above the buttons. Enables the buttons again.
  void showProblem(const Problem& problem);
  QString problem() const;
  /// Enables the buttons again after nothing was started.
  void allowStart();
  /// Starts the run from a shortcut. Moves the focus first, so that a field being edited is committed.
  void startNow();

 Q_SIGNALS:
  void startRequested();
  /// One step of the described run on random data is requested.
  void oneStepRequested();
  void openRequested();
  void saveRequested();
  void cancelled();
  /// The start button was enabled, or disabled while a run starts.
  void startableChanged();

 private:
  QWidget* makePanel();
  QWidget* makeFoot();
  void start();

  RunDocument* document_;
  Purpose purpose_ = Purpose::kTraining;
  QString host_;  ///< of the engine; empty: this computer
  QLabel* title_;
  QLabel* summary_;
  RunForm* form_;
  QLabel* problem_;
  QPushButton* start_;
  QPushButton* one_step_;
};

}  // namespace binade::app
