// SPDX-License-Identifier: Apache-2.0
#include "engine/trial/trials.h"

#include "engine/batches/shuffle.h"
#include "engine/casts/tried_forward.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/formats/error.h"
#include "engine/graph/known_ops.h"
#include "engine/train/device.h"
#include "engine/train/random_state.h"
#include "engine/train/switch_policy.h"
#include "engine/trial/arm.h"
#include "engine/trial/change_name.h"
#include "engine/trial/data_check.h"
#include "engine/trial/judge.h"
#include "engine/trial/one_ulp.h"
#include "engine/trial/start_state.h"
#include "engine/trial/step_cost.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace binade::trial {

namespace {

constexpr std::int64_t kMostSteps =
    1'000'000'000;                        // over all seeds, so that the data's cursor stays far from its limit
constexpr std::uint64_t kSeedStream = 3;  // of batches::mix: 1 and 2 are those of drawn data
constexpr std::uint64_t kNoiseStream = 4;
constexpr int kPartialPause = 50;  // times the duration of a report, until the next partial one

using Clock = std::chrono::steady_clock;

/// Puts LibTorch's random state back at the end of a scope.
class KeptRandom {
 public:
  explicit KeptRandom(c10::Device device) : state_(train::RandomState::of(device)) {}
  ~KeptRandom() { state_.restore(); }
  KeptRandom(const KeptRandom&) = delete;
  KeptRandom& operator=(const KeptRandom&) = delete;

 private:
  const train::RandomState state_;
};

wire::RunConfig for_trials(wire::RunConfig config, const std::string& checkpoint) {
  config.observe = {};
  config.observe.level = "off";
  config.observe.live = 0;
  config.profile = {};
  config.checkpoint = {};
  config.run_file.clear();
  config.resume = checkpoint;
  config.evaluate_every = 0;
  return config;
}

void check_order(const Order& order, std::int64_t accumulate) {
  if (order.steps < 1) {
    throw Error(ErrorCode::kBadRun, "A Try of " + std::to_string(order.steps) + " steps shows nothing",
                "Give 1 step or more; 100 are usual.");
  }
  if (order.seeds < 1) {
    throw Error(ErrorCode::kBadRun, "A Try with " + std::to_string(order.seeds) + " seeds shows nothing",
                "Give 1 seed or more.");
  }
  if (order.steps > kMostSteps / order.seeds / std::max<std::int64_t>(accumulate, 1)) {
    throw Error(
        ErrorCode::kBadRun,
        "A Try of " + std::to_string(order.steps) + " steps with " + std::to_string(order.seeds) + " seeds is too long",
        "Give fewer steps or seeds.");
  }
}

bool same_bits(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return true;
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Without rules that match no op call of the training, which are not tried either.
policy::Policy without_idle_rules(policy::Policy policy, const train::Training& training) {
  std::erase_if(policy.sites, [&training](const policy::SiteRule& rule) {
    return std::none_of(training.sites.begin(), training.sites.end(),
                        [&rule](const graph::Site* site) { return policy::matches(rule.match, site->key); });
  });
  return policy;
}

/// The name of what turns one policy into another on a training.
std::string name_on(const train::Training& training, const policy::Policy& before, const policy::Policy& after) {
  const policy::Policy old = without_idle_rules(before, training);
  const policy::Policy tried = without_idle_rules(after, training);
  return old == tried ? change_name(before, after) : change_name(old, tried);
}

/// Without what does not change a training.
policy::Policy nameless(policy::Policy policy) {
  policy.name.clear();
  policy.provenance = {};
  for (policy::SiteRule& rule : policy.sites) rule.why.clear();
  return policy;
}

wire::TrialArm with_cost(wire::TrialArm arm, const StepCost& cost) {
  arm.casts = cost.casts;
  arm.cast_bytes = cost.cast_bytes;
  arm.peak_bytes = cost.peak_bytes;
  return arm;
}

/// When the next partial result is due.
class PartialClock {
 public:
  explicit PartialClock(Clock::duration every) : every_(every), next_(Clock::now() + every) {}

  bool is_due() const { return Clock::now() >= next_; }

  /// Calls `report`. A slow one, such as a write to a slow disk, delays the next.
  template <class Report>
  void run(const Report& report) {
    const Clock::time_point begun = Clock::now();
    report();
    const Clock::time_point ended = Clock::now();
    next_ = ended + std::max(every_, kPartialPause * (ended - begun));
  }

 private:
  Clock::duration every_;
  Clock::time_point next_;
};

}  // namespace

struct Trials::State {
  /// Which training of a Try.
  struct Which {
    policy::Policy policy;
    bool moved = false;  ///< with parameters moved by one unit in the last place
    std::int64_t steps = 0;
    std::int64_t seed = 0;
    friend bool operator==(const Which&, const Which&) = default;
  };

  std::unique_ptr<train::Training> training;
  std::optional<StartState> start;
  policy::Policy policy;
  std::string checkpoint;
  std::int64_t first_step = 0;
  std::vector<std::string> notes;
  std::deque<std::pair<Which, wire::TrialArm>> made;
  std::deque<std::pair<policy::Policy, StepCost>> costs;
  bool warm = false;  ///< a step was made before
  std::optional<std::vector<SiteProduct>> products;

  void begin(const policy::Policy& under);
  const StepCost& cost(const policy::Policy& under);
  const wire::TrialArm* find(const Which& which) const;
  ArmRun make(const policy::Policy& under, const Which& which, const ArmWatch& watch);
  void check_repetition(const StepCost& cost, const wire::TrialArm& arm);
  std::vector<std::string> findings(const wire::Trial& trial) const;
  std::vector<wire::TrialEstimate> estimates(const policy::Policy& before, const policy::Policy& after);
};

/// From the start, under a policy. Throws Error{kBadPolicy} for one that names an unknown op.
void Trials::State::begin(const policy::Policy& under) {
  graph::check_ops(under, "policy");
  start->restore(*training);
  train::switch_policy(*training, under, 0);
}

/// Measured in a step of its own, so that the steps that are timed are not slowed down.
const StepCost& Trials::State::cost(const policy::Policy& under) {
  const policy::Policy key = nameless(under);
  for (const auto& [known, cost] : costs) {
    if (known == key) return cost;
  }
  if (!warm) {  // the first step of a training allocates what it keeps, which is no cost of the policy
    begin(under);
    warm = measure_step(*training, first_step).loss.has_value();
  }
  begin(under);
  costs.emplace_back(key, measure_step(*training, first_step));
  return costs.back().second;
}

const wire::TrialArm* Trials::State::find(const Which& which) const {
  const auto found = std::find_if(made.begin(), made.end(), [&which](const auto& each) { return each.first == which; });
  return found == made.end() ? nullptr : &found->second;
}

ArmRun Trials::State::make(const policy::Policy& under, const Which& which, const ArmWatch& watch) {
  ArmRun run;
  try {
    const StepCost& needed = cost(under);
    begin(under);
    if (which.seed > 0) {
      const auto seed = static_cast<std::uint64_t>(which.seed);
      training->data->seek(start->cursor() + which.seed * which.steps * training->config.accumulate);
      train::seed(batches::mix(training->config.seed, kSeedStream, seed));
    }
    if (which.moved) {
      move_by_one_ulp(*training,
                      batches::mix(training->config.seed, kNoiseStream, static_cast<std::uint64_t>(which.seed)));
    }
    run = run_arm(*training, first_step, which.steps, [&](std::int64_t made, const ArmSoFar& so_far) {
      return watch(made, [&] { return with_cost(so_far(), needed); });
    });
    run.arm = with_cost(std::move(run.arm), needed);
    if (!which.moved && which.seed == 0) check_repetition(needed, run.arm);
  } catch (const std::exception& error) {
    run.arm.failure = failure_of(error);
  }
  return run;
}

/// The step that was measured and the first step of the arm start from the same state, so they must agree.
void Trials::State::check_repetition(const StepCost& cost, const wire::TrialArm& arm) {
  if (!cost.loss || arm.losses.empty() || same_bits(*cost.loss, arm.losses.front())) return;
  std::string note =
      "the first step gives another loss when it is repeated from the same state: the model draws random numbers that "
      "cannot be set back, or the device adds in no fixed order. The noise band contains this";
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
}

/// Warnings on the policy tried that the policy before does not have: a rule that matches nothing, for example.
std::vector<std::string> Trials::State::findings(const wire::Trial& trial) const {
  const auto before = train::resolve(*training, trial.before, 0);
  const auto after = train::resolve(*training, trial.after, 0);
  std::vector<std::string> all;
  for (const policy::Finding& finding : after->findings) {
    const auto same = [&finding](const policy::Finding& each) { return each.message == finding.message; };
    if (finding.severity != policy::Finding::Severity::kWarning) continue;
    if (std::none_of(before->findings.begin(), before->findings.end(), same)) all.push_back(finding.message);
  }
  return all;
}

/// For policies that have run. Empty if a product runs in a format without quoted figures.
std::vector<wire::TrialEstimate> Trials::State::estimates(const policy::Policy& before, const policy::Policy& after) {
  if (!products) {
    begin(policy);
    products = find_products(*training);
  }
  std::vector<wire::TrialEstimate> all;
  if (products->empty()) return all;
  const StepCost& old = cost(before);
  const StepCost& tried = cost(after);
  if (!old.loss || !tried.loss) return all;
  const auto old_products = with_formats(*products, *train::resolve(*training, before, 0));
  const auto tried_products = with_formats(*products, *train::resolve(*training, after, 0));
  const auto quoted = [](const profiler::StepProduct& product) { return profiler::is_quoted(product.format); };
  if (!std::all_of(old_products.begin(), old_products.end(), quoted)) return all;
  if (!std::all_of(tried_products.begin(), tried_products.end(), quoted)) return all;
  for (const profiler::QuotedPeak& gpu : profiler::quoted_peaks()) {
    all.push_back({.gpu = std::string(gpu.gpu),
                   .before = profiler::step_seconds(gpu, old_products, old.cast_bytes),
                   .after = profiler::step_seconds(gpu, tried_products, tried.cast_bytes)});
  }
  return all;
}

Trials::Trials(const wire::RunConfig& run, const std::string& checkpoint, const files::Progress& progress)
    : state_(std::make_unique<State>()) {
  const KeptRandom random(train::open_device(run.device));
  state_->checkpoint = checkpoint;
  if (!checkpoint.empty()) state_->notes = check_data(run, checkpoint);
  state_->training = train::set_up(for_trials(run, checkpoint), progress);
  if (!checkpoint.empty()) {
    checkpoint::Resumed resumed = checkpoint::load_checkpoint(*state_->training, checkpoint);
    state_->first_step = resumed.step;
    for (std::string& note : resumed.notes) state_->notes.push_back(std::move(note));
  }
  state_->policy = state_->training->config.policy;
  state_->start.emplace(*state_->training);
}

Trials::~Trials() = default;

wire::Trial Trials::run(const Order& order) {
  State& state = *state_;
  check_order(order, state.training->config.accumulate);
  const KeptRandom random(state.training->device);
  const train::Deterministic deterministic;
  wire::Trial trial;
  trial.name = order.name.empty() ? name_on(*state.training, order.before, order.after) : order.name;
  trial.before = order.before;
  trial.after = order.after;
  trial.checkpoint = state.checkpoint;
  trial.first_step = state.first_step;
  trial.steps = order.steps;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  trial.made = std::chrono::duration_cast<std::chrono::seconds>(now).count();

  trial.emulated_before = casts::is_emulated(*train::resolve(*state.training, order.before, 0));
  trial.emulated_after = casts::is_emulated(*train::resolve(*state.training, order.after, 0));
  const std::vector<std::string> findings = state.findings(trial);

  const std::int64_t all = 3 * order.seeds * order.steps;
  std::int64_t ended = 0;  // steps of the trainings that have ended, as if all had been made
  const auto go_on = [&](std::int64_t made) { return !order.progress || order.progress(ended + made, all); };
  const auto judge_so_far = [&] {
    trial.notes = state.notes;
    trial.notes.insert(trial.notes.end(), findings.begin(), findings.end());
    judge(trial);
  };
  PartialClock partial(order.partial_every);
  /// Returns whether to make the next training.
  const auto train_arm = [&](const policy::Policy& under, bool moved, std::int64_t seed, wire::TrialArm& arm) {
    const State::Which which{.policy = nameless(under), .moved = moved, .steps = order.steps, .seed = seed};
    if (const wire::TrialArm* known = state.find(which)) {
      arm = *known;
      trial.complete = go_on(order.steps);
    } else {
      ArmRun run = state.make(under, which, [&](std::int64_t made, const ArmSoFar& so_far) {
        if (order.partial && partial.is_due()) {
          partial.run([&] {
            arm = so_far();
            trial.complete = false;
            judge_so_far();
            order.partial(trial);
          });
        }
        return go_on(made);
      });
      arm = run.arm;
      trial.complete = !run.cancelled;
      if (trial.complete) state.made.emplace_back(which, std::move(run.arm));
    }
    ended += order.steps;
    return trial.complete && arm.failure.empty();
  };

  for (std::int64_t seed = 0; seed < order.seeds && trial.complete; ++seed) {
    wire::TrialSeed& arms = trial.seeds.emplace_back();
    arms.seed = seed;
    const bool runs = train_arm(order.before, false, seed, arms.before) &&
                      train_arm(order.after, false, seed, arms.after) &&
                      train_arm(order.before, true, seed, arms.noise);
    if (runs && trial.estimates.empty()) trial.estimates = state.estimates(order.before, order.after);
    judge_so_far();
    if (order.learnt) order.learnt(trial);
    if (!runs) break;
  }
  return trial;
}

double Trials::seconds_now(const policy::Policy& policy, std::int64_t steps) {
  const KeptRandom random(state_->training->device);
  const train::Deterministic deterministic;
  state_->begin(policy);
  // Ends at the last step, before the evaluation.
  const ArmRun run = run_arm(*state_->training, state_->first_step, steps,
                             [steps](std::int64_t made, const ArmSoFar&) { return made < steps; });
  return run.arm.failure.empty() ? run.arm.seconds : wire::kNotMeasured;
}

const policy::Policy& Trials::policy() const {
  return state_->policy;
}

std::int64_t Trials::first_step() const {
  return state_->first_step;
}

const std::vector<std::string>& Trials::notes() const {
  return state_->notes;
}

train::Training& Trials::training() {
  state_->begin(state_->policy);
  return *state_->training;
}

}  // namespace binade::trial
