// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/model/run_model.h"
#include "app/present/event_story.h"
#include "app/present/log_model.h"
#include "app/session/edit_recovery.h"
#include "app/session/engine_client.h"
#include "app/session/frame_queue.h"
#include "app/session/policy_document.h"
#include "app/session/recent_files.h"
#include "app/session/run_document.h"
#include "app/session/run_file_loader.h"
#include "app/session/scale_warning.h"
#include "app/session/second_run.h"
#include "app/session/selection.h"

#include <QElapsedTimer>
#include <QObject>
#include <QUndoGroup>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QSettings;

namespace binade::app {

class Attachment;
class Searches;
class Tries;

/// The state of the window: one engine, one run, one policy, one selection, and their interaction. Independent of
/// widgets. Errors are emitted as problem(). Its data survives the end of an engine.
class Session : public QObject {
  Q_OBJECT

 public:
  /// `settings` must outlive the session. Does not start the engine.
  Session(EngineCommand engine, QSettings* settings, QObject* parent = nullptr);
  ~Session() override;

  EngineClient& engine() { return engine_; }
  RunModel& run() { return run_; }
  /// A run file that is compared with the run.
  SecondRun& second() { return second_; }
  PolicyDocument& document() { return document_; }
  /// The configuration of the next run, edited by set-up page and configuration dock.
  RunDocument& description() { return description_; }
  /// Edits of the run (policy, scaler) and of the description; one of the two stacks is active.
  QUndoGroup* undoGroup() { return &undo_; }
  Selection& selection() { return selection_; }
  RecentFiles& recentFiles() { return recent_; }
  LogModel& log() { return log_; }
  /// The connection to a training that was started without this window.
  Attachment& attachment() { return *attachment_; }
  const Attachment& attachment() const { return *attachment_; }
  /// What the engine leaves out because its link is slow; all 0 while the link is fast enough.
  const wire::LinkDetail& linkDetail() const { return link_detail_; }
  /// Whether the run that is shown is a training that the window let go of, and that goes on.
  bool hasLetGo() const { return let_go_; }
  /// Whether the window can be closed without a question: it is attached to a training that has all edits.
  bool isUndisturbed() const;
  /// Policies of the run compared by training.
  Tries& tries() { return *tries_; }
  /// Searches for policies of the run. While one runs no Try starts, and the other way round.
  Searches& searches() { return *searches_; }

  /// Where the policy of the document comes from, if it is saved now: the run with its newest step, and the model.
  policy::Provenance provenance() const;
  /// What the engine computes natively.
  policy::Capabilities capabilities() const;
  /// Whether a run has ended, its engine died, or a run file is shown, so that it can be started with the current
  /// policy.
  bool canStartAgain() const;
  bool canResumeFromCheckpoint() const;
  /// The computer on which the engine runs, as it was given to ssh; empty: this one. Names of models, data and run
  /// files are names of files on that computer.
  QString host() const { return hostOf(engine_.command()); }
  /// Whether a run file is being read.
  bool isOpening() const { return !loader_.file().isEmpty(); }
  /// Whether statistics of an opened run file are still being read. RunModel::statisticsRead() follows if the file is
  /// still shown then.
  bool statisticsFollow() const { return loader_.wholeFollows(); }
  /// The ended run's configuration for requests about its final state, with its newest checkpoint; nullopt while it is
  /// active.
  std::optional<wire::RunConfig> endedRun() const;
  /// Returns why undoAndRewind() is not possible; empty: it is.
  QString whyNoRewind() const;
  /// Reads one batch of the described run's data. `done` is called once, with the batch or a problem.
  void previewData(EngineClient::Previewed done);
  /// A file for the next run of this name, on the computer of the engine.
  QString runFileFor(const QString& name) const;
  /// Returns an unused file name for the next run of this name, in the user's data folder, which is created if missing.
  static QString newRunFile(const QString& name);

 public Q_SLOTS:
  void startEngine();
  void restartEngine();
  /// Stops waiting for the engine's answers. Where a run was requested, the engine is restarted: it would start the run
  /// later.
  void cancelWaiting();
  /// Ends the engine and the run in progress, and starts this engine in its place.
  void connectTo(const binade::app::EngineCommand& engine);

  /// Ends the engine, or lets go of a training, and attaches to another training: `engine` is an attachCommand().
  /// `watch`: even if nobody edits it.
  void attachTo(const binade::app::EngineCommand& engine, bool watch = false);
  /// Lets go of the training, which goes on, and starts the engine that was used before.
  void letGo();

  /// Starts the demo; an active run is stopped first.
  void runDemo();
  void startRun(const binade::wire::RunConfig& config);
  /// As startRun(); an active run is stopped first.
  void replaceRun(const binade::wire::RunConfig& config);
  /// Drops a start that waits for the end of the active run, which is stopped all the same. False: none waits.
  bool dropWaitingStart();
  void startAgain();
  /// Resumes the ended run from its last checkpoint, with the current policy.
  void resumeFromCheckpoint();
  /// Undoes the newest edit and the training since then, using the checkpoint saved at the edit.
  void undoAndRewind();
  void pause();
  void resume();
  void step();
  void stop();
  /// Sets the loss scale, of the scaler with this id if there are several, as one undo step. Undo does not undo
  /// training.
  void setScale(double scale, const std::string& id = {});
  /// Changes a scaler's parameters from the next step on, as one undo step.
  void tuneScaler(const binade::wire::ScalerConfig& scaler);
  /// Takes a live run back to this checkpoint, or starts an ended one from it as a new run. The policy stays: it is the
  /// document's in both cases.
  void rewindTo(const QString& file);
  /// Saves a checkpoint before the next step.
  void saveCheckpoint();
  /// Rewinds a live run to this checkpoint, or resumes an ended run from it as a new one.
  void resumeFrom(const QString& file);
  /// Saves the model with its trained weights as TorchScript: the current ones, those at the end of an ended run, or
  /// those of a run file's last checkpoint. `done` is called on success; a failure is emitted as problem().
  void saveModel(const QString& file, const std::function<void()>& done = {});
  /// Starts the described run with the window's policy; an active run is stopped first.
  void startDescribed();
  /// Sets what is observed from the next step on.
  void setObserve(const binade::wire::ObserveConfig& observe);
  /// Switches the profiler (times of op calls, device counters if available) on or off.
  void setProfiling(bool on);
  /// Compares one step with float32; the result is added to the run. For an ended run it is the step after its last,
  /// for a run file the one after its last checkpoint.
  void compareWithFloat32();
  /// Measures what a policy would save if it replaced the one in force; savingsMeasured() follows. For an ended run as
  /// compareWithFloat32(). Without weights nothing happens.
  void measureSavings(const binade::policy::Policy& policy);
  /// Measures what each format with scales does to an operand of the next step; whatIfMeasured() follows. Does nothing
  /// if no run is active.
  void measureWhatIf(const binade::wire::AskWhatIf& question);
  /// Applies rules, a loss scale, or both, as one undo step.
  void applyFix(const binade::app::FixChoice& fix);

  /// Opens a file, identified by name, else by its first bytes. A model is inspected; modelInspected() follows. A
  /// policy becomes the current run's. A run file is read on another thread and then shown read-only: opened() or
  /// openFailed() follows. Only one is read at a time: the one before is cancelled.
  void openFile(const QString& file);
  /// Has the engine read a model, on its own computer; modelInspected() follows.
  void openModel(const QString& file);
  /// Makes edits that a crashed program had not saved the window's. A description needs its model, which the engine
  /// reads: descriptionOpened() follows. `done` is called unless that fails, which is emitted as problem().
  void recover(const binade::app::UnsavedEdits& edits, const std::function<void()>& done);
  /// Reads a run file to be compared with the run; without a run, opens it. A failure is emitted as problem().
  void compareWithRun(const QString& file);
  /// Gives the described run the policy of the document, as one undo step of the description.
  void useOpenedPolicy();
  /// Stops reading run files. What is shown stays.
  void cancelOpening();
  /// Trusts the model of the newest modelRefused(), and opens it again as it was opened.
  void trustRefusedModel();
  /// Selects an event: charts show its step, tables its op calls.
  void selectEvent(int index);
  /// Selects the last non-finite event until the shown step, unless an event is selected. All views keep an earlier
  /// step that the user has chosen.
  void selectLastFault();

 Q_SIGNALS:
  void problem(const binade::app::Problem& problem);
  /// A problem reported earlier is over; the message replaces it.
  void problemOver(const binade::app::Problem& was, const QString& message, const QString& hint);
  void modelInspected(const binade::wire::ModelInfo& model);
  /// The engine was not started because its system cannot confine it; problem() was emitted. `why` is what it said.
  void engineNotConfined(const QString& why);
  /// The engine of this computer could not be started because LibTorch is not installed; it can install it.
  void libtorchMissing();
  /// A model was refused because of the code that the problem lists; problem() was emitted.
  void modelRefused(const QString& file, const binade::app::Problem& problem);
  /// A run description was opened and its model inspected.
  void descriptionOpened(const binade::wire::ModelInfo& model, const binade::wire::RunConfig& config,
                         const QString& file);
  /// A policy file was opened, and its policy is the document's.
  void policyOpened();
  /// A message to the user that is no problem.
  void noticed(const QString& message, const QString& hint);
  /// The file of a lesson was opened. The session does not read it.
  void lessonOpened(const QString& file);
  /// A run file is being read: the share of 0 to 1 read so far.
  void opening(const QString& file, double share);
  /// A run file is shown.
  void opened(const QString& file);
  /// A run file is not shown: it was cancelled, or problem() was emitted.
  void openFailed(const QString& file);
  /// The engine died in a run with a checkpoint: resumeFromCheckpoint() would continue from this step.
  void resumeOffered(qint64 step);
  /// A comparison with float32 has started or ended.
  void comparing(bool now);
  /// The answer to the newest measureWhatIf().
  void whatIfMeasured(const std::variant<binade::wire::WhatIf, binade::app::Problem>& answer);
  /// The answer to the newest measureSavings().
  void savingsMeasured(const std::variant<binade::wire::Savings, binade::app::Problem>& answer);
  /// The run has made a comparison by itself; the run model contains it.
  void comparedByItself();
  /// A run that was requested will not start: another start took its place, or none is in progress any more because
  /// of a refusal, a failure or a restart of the engine. The problem, if any, was reported before.
  void startAbandoned();
  /// What the engine leaves out because its link is slow has changed.
  void linkDetailChanged();
  /// Longer work has started (a sentence) or ended (an empty string).
  void busy(const QString& what);

 private:
  friend class Attachment;
  void connectEngine();
  void useOwnEngine();
  /// Lets go of the training, without another engine.
  void leaveTraining();
  /// Returns whether the end of the engine was that of a connection to a training, and was dealt with.
  bool keepAttached(const Problem& what);
  void continueRun(const std::vector<wire::RunNotification>& history, bool replace);
  void takePolicy(const wire::PolicyApplied& applied);
  void takeLinkDetail(const wire::LinkDetail& detail);
  void endEngine(const QString& why);
  /// Everything that the engine reports, in its order.
  void receive(const wire::RunNotification& notification);
  void takeStarted(const wire::RunStarted& started);
  void takeFinished(const wire::Finished& finished);
  void connectLog();
  void logAboutRun(const char* level, const QString& text);
  void logRun();
  void logPolicy(std::size_t index);
  void logEvaluation(const wire::Evaluated& evaluated);
  void logFindings(const std::vector<policy::Finding>& findings, const std::vector<policy::Finding>& logged);
  void connectPolicy();
  void engineStopped(const Problem& stopped);
  void reportExaminedStep();
  void takeComparison(const wire::Float32Comparison& comparison);
  void pushScale(double scale, const std::string& id, const QString& text);
  EngineClient::Done reporting();
  void offerTrust(const QString& file, const Problem& problem, std::function<void()> again);
  /// For a request that starts a run.
  EngineClient::Done starting();
  void endStart();
  void endBusy();
  /// The engine is gone, and with it all that it was starting.
  void forgetStarts();
  void announceNoStart();
  void openRun(const QString& file);
  /// Returns why no run file can be shown now.
  std::optional<Problem> runInTheWay(const QString& file) const;
  void failOpening(const QString& file, const Problem& problem);
  /// `revision`: of the policy when the file was chosen.
  void showRun(LoadedRun& loaded, int revision);
  void openDescription(const QString& file);
  void noteRun();
  void notePolicy(const QString& file);
  /// Adds the statistics of a run that were read after it was shown.
  void addStatistics(LoadedRun& whole);
  /// Reports that the next run starts with the document's policy and not with `replaced`, that of `described`, unless
  /// they are equal.
  void announceOpenedPolicy(const policy::Policy& replaced, const QString& described);
  void inspect(const QString& file, std::function<void(const wire::ModelInfo&)> done);
  void report(const Problem& problem);
  /// Why a file that is not here cannot be opened while the engine runs on another computer.
  Problem farFile(const QString& file) const;
  /// Adds to a problem with a file that the engine reads on which computer it is read.
  Problem withHost(Problem problem) const;
  /// Assigns a new run file and a new checkpoint folder.
  void giveNewFiles(wire::RunConfig& config) const;
  void afterThisRun(std::function<void()> next);

  RunModel run_;
  SecondRun second_{&run_};
  PolicyDocument document_;
  RunDocument description_;
  QUndoGroup undo_;
  Selection selection_;
  RecentFiles recent_;
  LogModel log_;
  policy::Policy policy_at_request_;  ///< the document's at the last request for a run; later edits are kept
  std::function<void()> next_run_;    ///< started once the current run has ended
  struct Refused {
    QString file;
    Problem problem;
    std::function<void()> again;
  };
  Refused refused_;           ///< of the newest modelRefused()
  int pending_starts_ = 0;    ///< requested runs that have neither started nor failed
  bool was_started_ = false;  ///< the current run of the engine has started
  bool keep_policy_ = false;  ///< the run that is starting from a checkpoint gets the document's policy
  bool rewinding_ = false;    ///< the document's change belongs to the rewind
  ScaleWarning scale_warning_;
  FrameQueue frame_;                              ///< data from the engine, in order
  int what_ifs_asked_ = 0;                        ///< number of calls of measureWhatIf()
  int savings_asked_ = 0;                         ///< number of calls of measureSavings()
  int inspections_ = 0;                           ///< number of models that the engine was asked about
  int opened_policies_ = 0;                       ///< number of policy files that were opened
  int runs_ = 0;                                  ///< number of times another run, or a rewound one, was shown
  bool comparing_ = false;                        ///< the user requested a comparison
  std::optional<std::int64_t> asked_comparison_;  ///< step of the newest requested comparison
  bool was_ready_ = false;
  int restarts_ = 0;
  QElapsedTimer since_restart_;
  RunFileLoader loader_;
  Attachment* attachment_;    ///< a child of this object
  EngineCommand own_engine_;  ///< the one before attachTo()
  bool let_go_ = false;
  wire::LinkDetail link_detail_;
  std::unique_ptr<Tries> tries_;
  std::unique_ptr<Searches> searches_;
  EngineClient engine_;  // last: destroyed first, while everything that its callbacks use still exists
};

}  // namespace binade::app
