// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/band_track.h"
#include "app/call_forms.h"
#include "app/histogram_track.h"
#include "app/profile_track.h"
#include "app/step_trends.h"
#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/messages.h"
#include "engine/wire/silent_fault.h"
#include "views/long_list.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace binade::app {

/// One optimizer step as the charts need it: a StepRecord without its observations.
struct StepPoint {
  std::int64_t step = 0;
  double loss = 0;
  double scale = 1;
  double next_scale = 1;
  double learning_rate = 0;
  double gradient_norm = 0;
  double seconds = 0;
  double observe_seconds = 0;
  int policy_revision = 0;
  bool found_inf = false;
  bool stepped = true;
};

/// What a scan tells of a tensor at one step: how far it reaches, not where its values lie.
struct ScanPoint {
  std::int64_t step = 0;
  double scale = 1;
  float largest = 0;
  std::uint64_t overflow = 0;
  std::uint64_t non_finite = 0;
  bool censored = false;
  std::uint64_t nan_or_above = 0;  ///< NaN and +inf: what no mask asks for
};

/// A watched tensor, its histograms over the run and its newest scans. Outputs only ever come as scans on a CPU;
/// gradients on the steps between two histograms.
struct TensorTrack {
  static constexpr std::size_t kMostScans = 64;

  wire::WatchedTensor tensor;
  HistogramTrack histograms;
  std::deque<ScanPoint> scans;  ///< oldest first, at most kMostScans

  void addScan(std::int64_t step, double scale, const formats::TensorStats& stats);
};

/// A change of a scaler by a person.
struct ScalerEdit {
  std::int64_t step = 0;
  QString text;
  std::string id;    ///< of several scalers; else empty
  double scale = 1;  ///< from the step on
};

/// Whether an event tells of a step in which something was not finite.
bool isNonFinite(wire::Event::Kind kind);

/// A number of steps, counted in their order.
struct CountedSteps {
  std::int64_t count = 0;
  std::int64_t last = -1;

  /// A step counts once.
  void add(std::int64_t step) {
    if (step != last) ++count;
    last = step;
  }
};

/// Events that are counted and no longer kept.
struct ForgottenEvents {
  CountedSteps steps;       ///< that had any
  CountedSteps non_finite;  ///< in which something was not finite
};

/// Steps of a site whose events are no longer kept, as overflowsAt() counts those that are.
struct ForgottenSteps {
  CountedSteps own;
  CountedSteps cast;
  CountedSteps earlier;
};

/// What one event says of a site's overflows.
struct EventOverflows {
  bool own = false;      ///< a result or a gradient of it went beyond the format that holds it
  bool cast = false;     ///< the cast of an argument did, or of that argument's gradient
  bool earlier = false;  ///< of either kind, before the site's present decision
  QString argument;      ///< of the cast
  QString format;        ///< that it overflowed in
};

/// Everything known about one run, live or read from a file: the one thing the docks show. Notifications of the
/// engine and the rows of a run file go through the same add functions, so both look the same.
/// Lives on the GUI thread. Signals are emitted after the change.
class RunModel : public QObject {
  Q_OBJECT

 public:
  enum class Source { kNone, kLive, kFile };
  static constexpr std::size_t kMostEvents = 10'000;

  explicit RunModel(QObject* parent = nullptr);
  ~RunModel() override;

  Source source() const { return source_; }
  bool isEmpty() const { return source_ == Source::kNone; }
  /// A live run that can still be paused, stepped and edited.
  bool isActive() const;

  /// Whether there are weights to ask for: of a run that goes on, or has ended in this program, or kept a checkpoint.
  bool hasWeights() const { return isActive() || (source_ == Source::kLive && finished_) || !checkpoints_.empty(); }

  const wire::RunConfig& config() const { return started_.config; }
  const wire::ModelInfo& modelInfo() const { return started_.model; }
  const std::vector<wire::SiteInfo>& sites() const { return started_.model.sites; }
  QString device() const { return QString::fromStdString(started_.device); }
  QString runFile() const { return QString::fromStdString(started_.run_file); }
  wire::RunState state() const { return state_; }
  const std::optional<wire::Finished>& finished() const { return finished_; }

  /// Older ones lie on disk: each is read when it is asked for.
  const views::LongList<StepPoint>& steps() const { return steps_; }
  /// What they say together.
  const StepTrends& trends() const { return trends_; }
  /// Each scaler in a step (an index of steps()), in the order of the configuration, where there are several; empty
  /// where there is one.
  std::vector<wire::ScalerStep> scalersAt(std::size_t index) const;
  const std::vector<ScalerEdit>& scalerEdits() const { return scaler_edits_; }
  /// The loss scale of the next step: a person's, where it was set since the newest step. Of several scalers that of
  /// this id, or the first.
  double scaleNow(const std::string& id = {}) const;
  /// Index of the newest step at or before `step`; -1 where there is none.
  int indexOfStep(std::int64_t step) const;
  /// The first of a run and the newest, at most kMostEvents: a run may overflow at every step, for hours.
  const std::vector<wire::Event>& events() const { return events_; }
  EventOverflows overflowsIn(const wire::Event& event, int site) const;
  /// Whether a first cause lies in the cast of an argument, forward, or of its gradient, backward: its format is not
  /// the one that the op call computed in at that step.
  bool isInCast(const wire::Root& root, std::int64_t step) const;
  /// The events that stood between the first and the newest.
  const ForgottenEvents& forgottenEvents() const { return forgotten_; }
  /// The overflows of a site that they told of: before its present decision, and under it.
  ForgottenSteps forgottenAt(int site) const;
  const std::vector<wire::Evaluated>& evaluations() const { return evaluations_; }
  /// Policies in the order in which they came into force; the first is the one the run started with.
  const std::vector<wire::PolicyApplied>& policies() const { return policies_; }
  /// Checkpoints that the run kept, in the order in which they were saved.
  const std::vector<wire::CheckpointInfo>& checkpoints() const { return checkpoints_; }
  /// The one kept before the newest edit came into force; null where there is none.
  const wire::CheckpointInfo* checkpointAtEdit() const;
  /// The decision of the newest policy for a site; nothing where it is not known.
  const policy::Decision* decision(int site) const;
  /// The decision of the policy that was in force at a step; nothing where it is not known.
  const policy::Decision* decisionAt(int site, std::int64_t step) const;
  /// The step from which on a site does what the newest policy has it do; 0 where it always did, or it is not known.
  std::int64_t decidedSince(int site) const;
  /// The step from which on the newest decision of a site differs from the run's first policy; nothing while it does
  /// not.
  std::optional<std::int64_t> changedAt(int site) const;

  /// The safe loss scales at each step that brought histograms of gradients.
  const BandTrack& band() const { return band_; }
  const ProfileTrack& profile() const { return profile_; }
  /// What casts cost: the newest of each policy revision, in the order in which they came into force.
  const std::vector<wire::CastLedger>& casts() const { return casts_; }
  /// The newest comparison of a step with float32.
  const std::optional<wire::Float32Comparison>& comparison() const { return comparison_; }

  /// What is wrong without being infinite, as the newest report ranks it.
  const std::optional<wire::SilentReport>& silent() const { return silent_; }

  /// Watched tensors by id.
  const std::map<int, TensorTrack>& tensors() const { return tensors_; }
  const TensorTrack* tensor(int id) const;
  /// The tensors watched at a site now, by id: of each kind and argument the one declared last, or
  /// an older one that is seen again instead.
  const std::vector<int>& tensorsOf(int site) const;
  /// Whether a tensor moves with the loss scale that steps() tells of. Of several scalers each has other gradients:
  /// which, the run does not tell.
  bool movesWithScale(const wire::WatchedTensor& tensor) const {
    return wire::is_scaled(tensor) && started_.config.scalers.size() < 2;
  }
  /// Whether the first observed step has come.
  bool hasObservations() const { return observed_steps_ > 0; }
  /// Whether the run was seen to execute a site: it was observed, timed, compared, cast for, or named by an event.
  bool isExecuted(int site) const;
  /// Steps with observations since the newest policy came into force.
  std::int64_t observedUnderPolicy() const { return observed_steps_ - observed_before_; }
  /// The events that name a site, as a tensor of it or as a first cause: indexes of events(), ascending.
  const std::vector<int>& eventsOf(int site) const;
  /// How each site's name is shown where there is little room.
  const CallForms& callForms() const { return call_forms_; }

  /// Steps a second over the newest steps; 0 before two steps are known.
  double stepRate() const;
  /// Share of the newest steps' time that went into observing, 0..1.
  double observeShare() const;

 public Q_SLOTS:
  void clear();
  void begin(const binade::wire::RunStarted& started, binade::app::RunModel::Source source);
  // What comes before begin() belongs to no run and is left out.
  void addSteps(const std::vector<binade::wire::StepRecord>& records);
  void addEvent(const binade::wire::Event& event);
  void addEvaluation(const binade::wire::Evaluated& evaluated);
  void addPolicy(const binade::wire::PolicyApplied& applied);
  /// The configuration follows; its initial scale stays what it was.
  void addScaler(const binade::wire::ScalerChanged& change);
  void addCheckpoint(const binade::wire::CheckpointInfo& saved);
  /// The run goes on from an earlier step: what was told from there on is forgotten, and reset() says so.
  void rewind(std::int64_t step);
  void setState(const binade::wire::StateChanged& state);
  /// What the engine watches from now on.
  void setObserve(const binade::wire::ObserveConfig& observe);
  /// What it measures from now on.
  void setProfile(const binade::wire::ProfileConfig& profile);
  void addProfile(const binade::wire::Profile& profile);
  void addCasts(const binade::wire::CastLedger& ledger);
  void setSilent(const binade::wire::SilentReport& report);
  void setComparison(const binade::wire::Float32Comparison& comparison);
  void finish(const binade::wire::Finished& finished);
  /// What is added between these two is shown together: frame() follows once, at the outermost end.
  void beginFrame();
  void endFrame();

 Q_SIGNALS:
  /// What came together is in. Docks that show figures of the whole run look now, all of them at the same run: outside
  /// of beginFrame() and endFrame() that is when the event loop is next entered.
  void frame();
  /// Everything is different: a run began, or was closed.
  void reset();
  /// Steps from index `first` on are new.
  void stepsAdded(int first);
  /// Tensors were declared, or had their first histogram.
  void tensorsAdded();
  void observeChanged();
  void eventAdded(int index);
  /// Events from `first` on go: those behind them are known by lower indexes afterwards. eventsGone comes
  /// when they have gone, eventsMoved when every model of them knows.
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
  void silentChanged();

 private:
  Source source_ = Source::kNone;
  wire::RunStarted started_;
  wire::RunState state_ = wire::RunState::kIdle;
  std::optional<wire::Finished> finished_;
  views::LongList<StepPoint> steps_;
  StepTrends trends_;
  views::LongList<wire::ScalerStep> scalers_;  ///< of every step all, one step after the other; empty with one scaler
  std::size_t scalers_a_step_ = 0;
  std::vector<ScalerEdit> scaler_edits_;
  std::vector<wire::Event> events_;
  std::vector<wire::Evaluated> evaluations_;
  std::vector<wire::CheckpointInfo> checkpoints_;
  std::vector<wire::PolicyApplied> policies_;
  std::map<int, TensorTrack> tensors_;
  std::map<int, std::vector<int>> tensors_of_site_;
  std::map<int, std::vector<int>> events_of_site_;
  ForgottenEvents forgotten_;
  std::map<int, ForgottenSteps> forgotten_of_site_;
  std::vector<bool> executed_;  ///< by site
  CallForms call_forms_;
  int frames_open_ = 0;
  bool frame_due_ = false;
  std::int64_t observed_steps_ = 0;
  std::int64_t observed_before_ = 0;  ///< the newest policy
  BandTrack band_;
  ProfileTrack profile_;
  std::vector<wire::CastLedger> casts_;
  std::optional<wire::Float32Comparison> comparison_;
  std::optional<wire::SilentReport> silent_;

  std::size_t stepsBefore(std::int64_t step) const;
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
