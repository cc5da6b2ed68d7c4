// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_data.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace binade::app {

/// Returns whether events of this kind mean that something in the step was not finite.
bool isNonFinite(wire::Event::Kind kind);

/// The overflows of a site in one event.
struct EventOverflows {
  bool own = false;      ///< a result or a gradient exceeded the format that stores it
  bool cast = false;     ///< the cast of an argument, or of its gradient, overflowed
  bool earlier = false;  ///< neither under the site's current decision, but one of them before it
  QString argument;      ///< of the cast
  QString format;        ///< in which it overflowed
};

/// Tells runs apart: by their files, and without files by the order in which the window showed them.
struct RunIdentity {
  QString file;   ///< run file; may be empty
  int shown = 0;  ///< number of runs that were shown before it
  friend bool operator==(const RunIdentity& a, const RunIdentity& b) {
    return a.file == b.file && (!a.file.isEmpty() || a.shown == b.shown);
  }
};

/// Everything known about one run, live or from a file; the only data source of the docks. The engine's notifications
/// and a run file's rows go through the same functions, so the docks show both alike. Used on the thread that created
/// it. Signals are emitted after the change.
class RunModel : public QObject, private RunData {
  Q_OBJECT

 public:
  using Source = RunData::Source;
  static constexpr std::size_t kMostEvents = 10'000;
  /// Number of first events that are never forgotten.
  static constexpr std::size_t kFirstEvents = 500;

  explicit RunModel(QObject* parent = nullptr);
  ~RunModel() override;

  Source source() const { return source_; }
  bool isEmpty() const { return source_ == Source::kNone; }
  /// Whether the files of the run are on another computer, the engine's: never those of a run file.
  bool filesElsewhere() const { return source_ == Source::kLive && files_elsewhere_; }
  /// Sets where the files of live runs are.
  void setFilesElsewhere(bool elsewhere) { files_elsewhere_ = elsewhere; }
  /// A live run that can still be paused, stepped and edited.
  bool isActive() const;

  /// Why the run can be neither edited nor controlled; empty: it can.
  QString whyNoEdit() const;
  /// Sets why live runs cannot be edited although they train, such as another window that edits; empty: they can.
  /// Emits stateChanged() if one is shown.
  void setEditBarred(const QString& why);

  /// Whether weights are available: the run is live, has ended in this program, or kept a checkpoint.
  bool hasWeights() const { return isActive() || (source_ == Source::kLive && finished_) || !checkpoints_.empty(); }

  const wire::RunConfig& config() const { return started_.config; }
  const wire::ModelInfo& modelInfo() const { return started_.model; }
  const std::vector<wire::SiteInfo>& sites() const { return started_.model.sites; }
  QString device() const { return QString::fromStdString(started_.device); }
  QString runFile() const { return QString::fromStdString(started_.run_file); }
  /// Stays the same over a rewind, and where a run file is opened again.
  RunIdentity identity() const { return {runFile(), runs_shown_}; }
  wire::RunState state() const { return state_; }
  const std::optional<wire::Finished>& finished() const { return finished_; }

  /// Older ones are on disk and are read on access.
  const views::LongList<StepPoint>& steps() const { return steps_; }
  /// The values of all steps for charts. The object stays the same while its content changes.
  const StepSeries& stepSeries() const { return step_series_; }
  /// The steps that were skipped or after which the loss scale changed; of several scalers, the first one's.
  const views::LongList<StepPoint>& markedSteps() const { return marked_steps_; }
  /// Summary of all steps.
  const StepTrends& trends() const { return trends_; }
  /// Each scaler's values in a step (an index of steps()), in configuration order; empty if there is only one scaler.
  std::vector<wire::ScalerStep> scalersAt(std::size_t index) const;
  /// The processes of a run on several, by rank; empty: one process.
  const std::vector<wire::RankInfo>& rankInfos() const { return started_.ranks; }
  /// What they differ in, step by step.
  const RankTrack& ranks() const { return ranks_; }
  const std::vector<ScalerEdit>& scalerEdits() const { return scaler_edits_; }
  /// The loss scale of the next step, including one set by the user since the newest step. For several scalers that of
  /// this id, or the first.
  double scaleNow(const std::string& id = {}) const;
  /// Index of the newest step at or before `step`; -1: none.
  int indexOfStep(std::int64_t step) const;
  /// The first and the newest events of a run, at most kMostEvents, since a run may overflow in every step.
  const std::vector<wire::Event>& events() const { return events_; }
  /// Whether an event is of the shown steps; see shownStep().
  bool isShown(const wire::Event& event) const { return isShown(event.step); }
  /// Whether a step is among the shown ones, or later than the newest while that one is shown.
  bool isShown(std::int64_t step) const { return !shown_ || step <= shown_->point.step; }
  EventOverflows overflowsIn(const wire::Event& event, int site) const;
  /// Returns whether a first cause is the cast of an argument (forward) or of its gradient (backward): its format is
  /// not the one in which the op call computed at that step.
  bool isInCast(const wire::Root& root, std::int64_t step) const;
  /// Events dropped between the first and the newest.
  const ForgottenEvents& forgottenEvents() const { return forgotten_; }
  /// The steps of those events in which a site overflowed.
  ForgottenSteps forgottenAt(int site) const;
  const std::vector<wire::Evaluated>& evaluations() const { return evaluations_; }
  /// Policies in the order in which they came into force; the first is the initial one.
  const std::vector<wire::PolicyApplied>& policies() const { return policies_; }
  /// Everything done to the run, in the order in which it was done; the only list that a rewind does not shorten.
  const RunPast& past() const { return past_; }
  /// Tries of the run, in the order in which they were made.
  const std::vector<wire::Trial>& trials() const { return trials_; }
  /// The user's notes by step. A rewind keeps them.
  const std::vector<wire::Note>& notes() const { return notes_; }
  /// Checkpoints of the run, in the order in which they were saved.
  const std::vector<wire::CheckpointInfo>& checkpoints() const { return checkpoints_; }
  /// The checkpoint saved before the newest edit came into force; null: none.
  const wire::CheckpointInfo* checkpointAtEdit() const;

  // Views show the run as it was at one step: the newest, unless showStep() chose an earlier one. The functions up to
  // the next blank line answer for that step; all others, for the whole run.
  /// The step chosen by showStep(), which is a recorded one; nullopt: the newest, whichever that is.
  std::optional<std::int64_t> shownStep() const;
  /// The number of steps up to the shown one, and the values of the shown one. There must be steps.
  std::size_t shownSteps() const { return shown_ ? shown_->steps : steps_.size(); }
  StepPoint shownPoint() const { return shown_ ? shown_->point : steps_.back(); }
  /// What the ranks did in the last steps up to the shown one.
  wire::RankTotals shownRanks() const { return ranks_.recent(shownSteps()); }
  /// Summary of the steps up to the shown one.
  const StepTrends& shownTrends() const { return shown_ ? shown_->trends : trends_; }
  /// The policy in force. There must be a run.
  const wire::PolicyApplied& shownPolicy() const;
  /// A scaler's settings; its initial scale is that of the run.
  wire::ScalerConfig shownScaler(const wire::ScalerConfig& scaler) const;
  /// The newest times of op calls; without sites if there are none.
  const wire::Profile& shownProfile() const;
  /// The ledger of the policy in force, or the newest one before; null: none.
  const wire::CastLedger* shownCasts() const;
  /// The newest observed step with quantized operands; null: none.
  const wire::QuantizedStep* shownQuantized() const { return quantized_.at(shownStep()); }
  /// The newest report on silent faults, ranked; nullopt if it came later.
  const std::optional<wire::SilentReport>& shownSilent() const;
  /// Index of a tensor's newest histogram, which may be one of several steps that include the shown one; -1: none.
  int shownColumn(const TensorTrack& track) const;
  /// A tensor's newest scan; null: none.
  const ScanPoint* shownScan(const TensorTrack& track) const;
  /// The step of the last observation of a tensor; -1: none.
  std::int64_t lastSeen(const TensorTrack& track) const;
  /// The decision for a site by the policy in force; null: unknown.
  const policy::Decision* decision(int site) const;
  /// The first step from which on a site had that decision; 0: always, or unknown.
  std::int64_t decidedSince(int site) const;
  /// The step since which a site's decision differs from the initial policy; nullopt if it does not differ.
  std::optional<std::int64_t> changedAt(int site) const;
  /// Steps with observations since that policy came into force.
  std::int64_t observedUnderPolicy() const;
  /// Ids of the tensors watched at a site: of each kind and argument the one declared last, or an older one that is
  /// observed again.
  const std::vector<int>& tensorsOf(int site) const;

  /// The newest policy's decision for a site; null: unknown.
  const policy::Decision* newestDecision(int site) const;
  /// The decision for a site of the policy in force at a step; null: unknown.
  const policy::Decision* decisionAt(int site, std::int64_t step) const;

  /// The safe loss scales at each step with histograms of gradients.
  const BandTrack& band() const { return band_; }
  const ProfileTrack& profile() const { return profile_; }
  /// The cost of casts: the newest ledger of each policy revision, in the order in which they came into force.
  const std::vector<wire::CastLedger>& casts() const { return casts_; }
  /// The newest comparison of a step with float32.
  const std::optional<wire::Float32Comparison>& comparison() const { return comparison_; }

  /// The newest report on silent faults, ranked.
  const std::optional<wire::SilentReport>& silent() const { return silent_; }

  /// Watched tensors by id.
  const std::map<int, TensorTrack>& tensors() const { return tensors_; }
  const TensorTrack* tensor(int id) const;
  /// Whether a tensor scales with the loss scale of steps(). Unknown, hence false, with several scalers.
  bool movesWithScale(const wire::WatchedTensor& tensor) const {
    return wire::is_scaled(tensor) && started_.config.scalers.size() < 2;
  }
  /// Whether an observed step has arrived.
  bool hasObservations() const { return observed_steps_ > 0; }
  /// Whether a site is known to be executed: observed, timed, compared, cast for, or named by an event.
  bool isExecuted(int site) const;
  /// The op call that makes the first tensor that an op call takes; -1: an argument of forward, or it is unknown.
  int firstProducer(int site) const;
  /// Events that name a site, as a tensor or a first cause: indices of events(), ascending.
  const std::vector<int>& eventsOf(int site) const;
  /// Short forms of each site's name.
  const CallForms& callForms() const { return call_forms_; }

  /// Steps per second over the newest steps; 0 before two steps are known.
  double stepRate() const;

  /// Shows a run that another model has read, in place of the present one. Emits reset() and stateChanged().
  void show(RunData&& run);
  /// Takes the statistics of tensors from `whole`, the same run read with all of them, into a run that was read with
  /// the newest only. Emits statisticsRead(). Does nothing if another run is shown meanwhile.
  void addStatistics(RunData&& whole);
  /// Gives the run to show() of another model; this one is empty afterwards, without a signal.
  RunData take();

  // What a run reports, from an engine or a file; the rest of its notifications changes nothing here.
  void add(const wire::StepBatch& batch) { addSteps(batch.steps); }
  void add(const wire::Event& event) { addEvent(event); }
  void add(const wire::Evaluated& evaluated) { addEvaluation(evaluated); }
  void add(const wire::PolicyApplied& applied) { addPolicy(applied); }
  void add(const wire::ScalerChanged& change) { addScaler(change); }
  void add(const wire::CheckpointInfo& saved) { addCheckpoint(saved); }
  void add(const wire::Rewound& rewound) { rewind(rewound.step, rewound.file); }
  void add(const wire::StateChanged& state) { setState(state); }
  void add(const wire::Profile& profile) { addProfile(profile); }
  void add(const wire::CastLedger& ledger) { addCasts(ledger); }
  void add(const wire::SilentReport& report) { setSilent(report); }
  void add(const wire::Float32Comparison& comparison) { setComparison(comparison); }
  void add(const wire::QuantizedStep& quantized) { addQuantized(quantized); }
  void add(const wire::Trial& trial) { addTrial(trial); }
  void add(const wire::Note& note) { addNote(note); }
  void add(const wire::Finished& finished) { finish(finished); }
  void add(const auto& /*other*/) {}

 public Q_SLOTS:
  /// Shows the run as it was at a step, or at the newest one before it; nullopt: as it is. Emits shownStepChanged() and
  /// frame(). The next reset() shows the newest step again.
  void showStep(std::optional<std::int64_t> step);
  void clear();
  void begin(const binade::wire::RunStarted& started, binade::app::RunModel::Source source);
  // Data that arrives before begin() is ignored.
  void addSteps(const std::vector<binade::wire::StepRecord>& records);
  void addEvent(const binade::wire::Event& event);
  void addEvaluation(const binade::wire::Evaluated& evaluated);
  void addPolicy(const binade::wire::PolicyApplied& applied);
  /// Updates the configuration, except its initial scale.
  void addScaler(const binade::wire::ScalerChanged& change);
  void addCheckpoint(const binade::wire::CheckpointInfo& saved);
  /// The run continues from an earlier step: drops later data and emits reset(). `file`: the checkpoint.
  void rewind(std::int64_t step, const std::string& file = {});
  void setState(const binade::wire::StateChanged& state);
  /// Sets what the engine observes from now on.
  void setObserve(const binade::wire::ObserveConfig& observe);
  /// Sets what the engine measures from now on.
  void setProfile(const binade::wire::ProfileConfig& profile);
  void addProfile(const binade::wire::Profile& profile);
  void addCasts(const binade::wire::CastLedger& ledger);
  void setSilent(const binade::wire::SilentReport& report);
  void setComparison(const binade::wire::Float32Comparison& comparison);
  void addQuantized(const binade::wire::QuantizedStep& quantized);
  void finish(const binade::wire::Finished& finished);
  /// Adds a Try. One that continues the newest, incomplete one (the same policies, steps and checkpoint) replaces it.
  void addTrial(const binade::wire::Trial& trial);
  /// Adds a note in place of that of its step; one without text removes it.
  void addNote(const binade::wire::Note& note);
  /// Changes between these two calls are shown together: frame() is emitted once, at the outermost end.
  void beginFrame();
  void endFrame();

 Q_SIGNALS:
  /// A group of changes is complete. Docks that show figures of the whole run update now, all from the same state; none
  /// has a timer of its own.
  /// Outside of beginFrame() and endFrame() it is emitted from the event loop.
  void frame();
  /// Views show another step, or follow the newest one again. frame() follows.
  void shownStepChanged();
  /// Everything has changed: a run started or was closed.
  void reset();
  /// The statistics of all steps are there, in place of those of the newest step.
  void statisticsRead();
  /// Steps from index `first` on are new.
  void stepsAdded(int first);
  /// Tensors were declared, or had their first histogram.
  void tensorsAdded();
  void observeChanged();
  void eventAdded(int index);
  /// Events are removed, and later ones move to lower indices: announced before, and after with eventsGone().
  /// eventsMoved() follows once every model of the events has been updated.
  void eventsAboutToGo(int first, int count);
  void eventsGone(int first, int count);
  void eventsMoved(int first, int count);
  void scalerEdited(int index);
  void checkpointAdded();
  void evaluationAdded(int index);
  void policyAdded(int index);
  void stateChanged();
  void profileChanged();
  void castsChanged();
  void comparisonChanged();
  void quantizedChanged();
  void silentChanged();
  void trialsChanged();
  void notesChanged();

 private:
  /// The run as it was at an earlier step, as far as it is not found anew at each request.
  struct Shown {
    StepPoint point;
    std::size_t steps = 0;
    StepTrends trends;
    std::size_t policy = 0;                      ///< an index of policies_
    std::map<int, std::vector<int>> tensors_of;  ///< by site; only of sites whose tensors were declared again later
  };
  std::optional<Shown> shown_;

  bool files_elsewhere_ = false;
  QString edit_barred_;
  int frames_open_ = 0;
  bool frame_due_ = false;
  int runs_shown_ = 0;  ///< RunIdentity::shown

  std::size_t stepsBefore(std::int64_t step) const;
  const policy::Decision* decisionOf(std::size_t policy, int site) const;
  std::map<int, std::vector<int>> tensorsThen(std::int64_t step) const;
  std::optional<formats::Format> heldNow(const wire::WatchedTensor& tensor) const;
  void keepScalers(const wire::StepRecord& record);
  void dropFrom(std::int64_t step);
  void indexEvent(int index);
  void indexEvents();
  void forgetEvents();
  void count(const wire::Event& event);
  void markExecuted(int site);
  void frameLater();
  void declare(const wire::WatchedTensor& tensor);
  void makeCurrent(const wire::WatchedTensor& tensor);
  bool takeUpAgain(const wire::StepRecord& record);
};

}  // namespace binade::app
