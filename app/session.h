// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/engine_client.h"
#include "app/event_story.h"
#include "app/form/run_document.h"
#include "app/log_model.h"
#include "app/policy_document.h"
#include "app/problem.h"
#include "app/recent_files.h"
#include "app/run_model.h"
#include "app/selection.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <QUndoGroup>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QSettings;

namespace binade::app {

/// What the window works on: one engine, one run, one policy, one selection, and the rules by which they act on each
/// other. Knows no widget. Errors come out as problem(); nothing here is lost by an engine that dies.
class Session : public QObject {
  Q_OBJECT

 public:
  /// `settings` must outlive the session. The engine is not started yet.
  Session(EngineCommand engine, QSettings* settings, QObject* parent = nullptr);
  ~Session() override;

  EngineClient& engine() { return engine_; }
  RunModel& run() { return run_; }
  PolicyDocument& document() { return document_; }
  /// What the next run is started with: the set-up card and the configuration dock edit it.
  RunDocument& description() { return description_; }
  /// Edits of the run (policy, scaler) and of the description; one of the two is active.
  QUndoGroup* undoGroup() { return &undo_; }
  Selection& selection() { return selection_; }
  RecentFiles& recentFiles() { return recent_; }
  LogModel& log() { return log_; }

  /// What the engine computes natively.
  policy::Capabilities capabilities() const;
  /// Whether a run has ended, or its engine died, and can be started again with the policy as it is now.
  bool canStartAgain() const;
  bool canResumeFromCheckpoint() const;
  /// The run as a request about its end names it, with the newest of its checkpoints; nothing while it goes on.
  std::optional<wire::RunConfig> endedRun() const;
  /// Why undoAndRewind() can do nothing now; empty where it can.
  QString whyNoRewind() const;
  /// A file name for the next run of this name, in the user's data folder, which is made where it is missing. No file
  /// has it yet.
  static QString newRunFile(const QString& name);

 public Q_SLOTS:
  void startEngine();
  void restartEngine();

  /// A run that is going on is stopped first, and the demo begins when it has ended.
  void runDemo();
  void startRun(const binade::wire::RunConfig& config);
  void startAgain();
  /// The run that ended, from its last checkpoint on, with the policy as it is now.
  void resumeFromCheckpoint();
  /// Undoes the newest edit, and the training since it: back to the checkpoint kept at the edit.
  void undoAndRewind();
  void pause();
  void resume();
  void step();
  void stop();
  /// Of several scalers that of this id; one undo step, which sets the old scale again and undoes no training.
  void setScale(double scale, const std::string& id = {});
  /// Changes a scaler's parameters from the next step on, as one undo step.
  void tuneScaler(const binade::wire::ScalerConfig& scaler);
  /// Keeps a checkpoint before the next step.
  void saveCheckpoint();
  /// A live run goes back to this checkpoint; a run that ended goes on from it as a new one.
  void resumeFrom(const QString& file);
  /// The model with its trained weights, as TorchScript; of a run that has ended those it ended with, of a run file
  /// those of its last checkpoint. `done` is called once it is there; a problem is reported.
  void saveModel(const QString& file, const std::function<void()>& done = {});
  /// The description's run, with the policy of the window; a run that goes on is stopped first.
  void startDescribed();
  /// What is watched from the next step on.
  void setObserve(const binade::wire::ObserveConfig& observe);
  /// Switches the profiler on (op calls timed, the device's counters where it has them) or off.
  void setProfiling(bool on);
  /// Compares one step with float32: the run's comparison follows. Of a run that has ended the step after its last, of
  /// a run file the one that its last checkpoint stands before.
  void compareWithFloat32();
  /// Rules for the policy, a loss scale, or both, as one undo step.
  void applyFix(const binade::app::FixChoice& fix);

  /// Opens a model, a policy or a run file, by name, else by its first bytes. A model is inspected: modelInspected()
  /// follows. A policy becomes the present run's. A run file is shown read-only.
  void openFile(const QString& file);
  /// Puts everything on an event: the charts on its step, the table on its op calls.
  void selectEvent(int index);

 Q_SIGNALS:
  void problem(const binade::app::Problem& problem);
  /// What was reported as a problem is over: what it was, in place of it.
  void problemOver(const binade::app::Problem& was, const QString& message, const QString& hint);
  void modelInspected(const binade::wire::ModelInfo& model);
  /// A run description was opened and its model inspected.
  void descriptionOpened(const binade::wire::ModelInfo& model, const binade::wire::RunConfig& config,
                         const QString& file);
  /// The engine died in a run that has a checkpoint: resumeFromCheckpoint() would go on from this step.
  void resumeOffered(qint64 step);
  /// A comparison with float32 is being made, or is over.
  void comparing(bool now);
  /// The run made one by itself: the run model has it.
  void comparedByItself();
  /// Something that takes a moment began (a sentence) or ended (an empty one).
  void busy(const QString& what);

 private:
  void connectEngine();
  void connectFigures();
  void later(std::function<void()> change);
  void flush();
  void tellOfScale();
  void connectLog();
  void sayFindings(const std::vector<policy::Finding>& findings, const std::vector<policy::Finding>& said);
  void connectHealth();
  void connectPolicy();
  void engineStopped(const Problem& what);
  void tellOfExaminedStep();
  void takeComparison(const wire::Float32Comparison& comparison);
  void pushScale(double scale, const std::string& id, const QString& text);
  EngineClient::Done reporting();
  void openModel(const QString& file);
  void openRun(const QString& file);
  void openDescription(const QString& file);
  void inspect(const QString& file, std::function<void(const wire::ModelInfo&)> done);
  void report(const Problem& problem);
  /// A run file and a folder of checkpoints of its own.
  void giveNewFiles(wire::RunConfig& config) const;
  void afterThisRun(std::function<void()> next);

  RunModel run_;
  PolicyDocument document_;
  RunDocument description_;
  QUndoGroup undo_;
  Selection selection_;
  RecentFiles recent_;
  LogModel log_;
  EngineClient engine_;                         // last: it goes first, and tells the others nothing then
  policy::Policy policy_at_request_;            ///< the document's when a run was last asked for: later edits are kept
  std::function<void()> next_run_;              ///< begun once the present run has ended
  bool rewinding_ = false;                      ///< the document's change goes along with the checkpoint
  std::optional<Problem> low_scale_;            ///< as it was told
  std::vector<std::function<void()>> arrived_;  ///< figures of the engine that wait for the next frame, in order
  QTimer frame_;
  int runs_ = 0;                                  ///< how often another run was shown, or one from an earlier step on
  bool comparing_ = false;                        ///< a person asked for a comparison
  std::optional<std::int64_t> asked_comparison_;  ///< step of the newest that a person asked for
  bool was_ready_ = false;
  int restarts_ = 0;
  QElapsedTimer since_restart_;
};

}  // namespace binade::app
