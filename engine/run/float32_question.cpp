// SPDX-License-Identifier: Apache-2.0
#include "engine/run/float32_question.h"

#include "engine/checkpoint/checkpoint.h"
#include "engine/formats/error.h"
#include "engine/graph/dtype_name.h"
#include "engine/policy/base_policy.h"
#include "engine/run/step.h"
#include "engine/train/device.h"
#include "engine/train/random_state.h"
#include "engine/train/switch_policy.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/linalg_vector_norm.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <numeric>
#include <vector>

namespace binade::run {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMostSteps = 300;  // from the start to the step in question
constexpr std::int64_t kBeyond = 20;      // additional steps, since low formats fail before float32 does
constexpr double kMostSeconds = 60;
constexpr double kRise = 20;    // of the loss over the usual one
constexpr double kGrowth = 30;  // of the weights' norm, where the loss does not fall
constexpr double kStill = 1.5;  // growth of loss and weights below which neither has grown
constexpr double kRates[] = {0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6};
constexpr std::int64_t kToLearn = 200;  // steps with a proposed learning rate, if the run has as many
constexpr double kFalls = 0.1;          // relative decrease of the first loss that counts as learning
constexpr double kBetter = 0.02;        // relative improvement required of a further, lower rate

/// Returns where a training with lifted casts is nevertheless not float32; empty: nowhere.
std::string not_float32(const train::Training& training) {
  const auto& low = training.own_casts->low();
  if (!low.empty()) {
    const auto& [site, dtype] = *low.begin();
    return "the model itself computes in " + graph::dtype_name(dtype) + " at " +
           training.sites[static_cast<std::size_t>(site)]->key.name();
  }
  if (training.own_casts->opaque()) {
    return "the model chooses a call while it runs (" + training.forward.opaque().front() +
           "), and casts inside it are kept";
  }
  for (const auto& [name, parameter] : training.trainable) {
    if (!at::isReducedFloatingType(parameter.scalar_type())) continue;
    return "the model keeps its parameter " + name + " in " + graph::dtype_name(parameter.scalar_type());
  }
  return {};
}

wire::RunConfig in_float32(wire::RunConfig config, double rate, const Float32Question& question) {
  config.policy = policy::float32_throughout();
  config.scaler.enabled = false;
  config.scaler_given = true;
  for (wire::ScalerConfig& scaler : config.scalers) scaler.enabled = false;
  config.observe = {};
  config.observe.level = "off";
  config.observe.live = 0;
  config.profile = {};
  config.checkpoint = {};
  config.run_file.clear();
  config.resume = question.checkpoint;
  config.data.prefetch = 0;
  config.evaluate_every = 0;
  config.optimizer.learning_rate *= rate;
  for (wire::ParameterGroup& group : config.optimizer.groups) {
    if (group.learning_rate) *group.learning_rate *= rate;
  }
  return config;
}

class Asking {
 public:
  Asking(const wire::RunConfig& config, const Float32Question& question) : config_(config), question_(question) {}

  Float32Answer answer() {
    Float32Answer answer;
    if (question_.step - question_.from > kMostSteps) {
      answer.why = "it would take " + std::to_string(question_.step - question_.from) +
                   " steps; with checkpoint.every it can be asked from the last checkpoint";
      return answer;
    }
    const std::int64_t last = std::min(question_.step + kBeyond, std::max(question_.step, config_.steps - 1));
    const Course as_it_is = follow(1, nullptr, last);
    if (as_it_is.cut) {
      answer.why = why_;
      return answer;
    }
    if (as_it_is.diverged && !as_it_is.not_float32.empty()) {
      answer.why = as_it_is.not_float32;
      return answer;
    }
    if (as_it_is.losses.empty()) {
      answer.why = "no example of these steps has a label";
      return answer;
    }
    answer.diverges = as_it_is.diverged;
    answer.at = as_it_is.at;
    answer.loss = as_it_is.losses.back();
    answer.growth = as_it_is.growth;
    if (!as_it_is.diverged) return answer;
    // Rows of the data may do that as well as a learning rate.
    diagnose::ReplacedRows replaced;
    const Course without = follow(1, &replaced, last);
    if (!without.cut && !replaced.empty() && !without.diverged) {
      answer.rows_step = replaced.begin()->first / std::max<std::int64_t>(1, config_.accumulate);
      answer.rows = replaced.begin()->second;
      return answer;
    }
    if (as_it_is.breaks) {
      answer.diverges = false;
      answer.breaks = true;
      return answer;
    }
    find_rate(answer, last);
    return answer;
  }

 private:
  struct Course {
    bool diverged = false;
    bool breaks = false;  ///< not finite, though neither loss nor weights had grown
    bool cut = false;     ///< stopped, or takes too long
    std::int64_t at = 0;
    std::vector<double> losses;  ///< of the steps with a label; empty where none has one, or none was taken
    double growth = 0;
    std::string not_float32;  ///< where, and why
  };

  /// A training that stays finite may not learn, for example if all units of a layer are dead. So rates are compared by
  /// the loss they reach, over more steps than the divergence took.
  void find_rate(Float32Answer& answer, std::int64_t last) {
    const std::int64_t to_learn = std::max(last, std::min(question_.from + kToLearn, config_.steps) - 1);
    for (const double rate : kRates) {
      const Course slower = follow(rate, nullptr, to_learn);
      if (slower.diverged) continue;
      // The run must reach the step at which the training diverges at the original rate.
      if (slower.losses.empty() || (slower.cut && slower.at < answer.at)) break;
      const double first = slower.losses.front();
      const double reached = mean_of_last(slower.losses);
      if (answer.rate > 0 && !(reached < answer.rate_last - kBetter * std::abs(first))) {
        if (answer.learns || slower.cut) break;
        continue;
      }
      answer.rate = rate;
      answer.rate_steps = static_cast<std::int64_t>(slower.losses.size());
      answer.rate_first = first;
      answer.rate_last = reached;
      answer.learns = reached < first - kFalls * std::abs(first);
      if (slower.cut) break;
    }
  }

  /// Over the last quarter, since single batches vary.
  static double mean_of_last(const std::vector<double>& losses) {
    const auto count = static_cast<std::ptrdiff_t>((losses.size() + 3) / 4);
    return std::accumulate(losses.end() - count, losses.end(), 0.0) / static_cast<double>(count);
  }

  bool may_go_on() {
    if (question_.cancelled && question_.cancelled()) {
      why_ = "it was stopped";
      return false;
    }
    if (std::chrono::duration<double>(Clock::now() - start_).count() <= kMostSeconds) return true;
    why_ = "it takes more than a minute";
    return false;
  }

  Course follow(double rate, diagnose::ReplacedRows* replaced, std::int64_t last) {
    const auto training = train::set_up(in_float32(config_, rate, question_));
    if (!question_.checkpoint.empty()) {
      checkpoint::load_checkpoint(*training, question_.checkpoint);
      train::switch_policy(*training, policy::float32_throughout(), 0);
    }
    if (replaced != nullptr) training->data = diagnose::without_outlier_rows(std::move(training->data), *replaced);
    training->own_casts = std::make_unique<observe::LiftedNarrowings>();
    Stepper stepper(*training, /*replays=*/false);
    Course course;
    if (question_.progress) {
      question_.progress(
          "Checking whether the same steps diverge in float32: " + std::to_string(last + 1 - question_.from) +
          " steps" + (rate == 1 ? "" : " at a lower learning rate"));
    }
    for (std::int64_t step = question_.from; step <= last; ++step) {
      course.cut = !may_go_on();
      if (course.cut) break;
      StepOutcome outcome;
      try {
        outcome = stepper.run(step);
      } catch (const Error& error) {
        if (training->own_casts->lifted().empty()) throw;
        why_ = "without its own casts the model does not run: " + std::string(error.what());
        course.cut = true;
        break;
      }
      const double loss = outcome.record.loss;
      course.at = step;
      if (!std::isfinite(loss) && outcome.without_label) continue;  // a fault of the data, not a divergence
      course.losses.push_back(loss);
      const double usual = std::max(std::abs(question_.usual_loss.value_or(0)), std::abs(course.losses.front()));
      if (!std::isfinite(loss) || loss > kRise * std::max(usual, 1e-3)) {
        course.diverged = true;
        break;
      }
    }
    course.growth = question_.first_norm > 0 ? norm_of_weights(*training) / question_.first_norm : 0;
    course.breaks = has_broken(course);
    course.not_float32 = not_float32(*training);
    // Weights that begin small, or that targets far from 0 need large, grow while a training learns.
    const bool falls = !course.losses.empty() && mean_of_last(course.losses) < course.losses.front();
    course.diverged = course.diverged || !std::isfinite(course.growth) || (course.growth > kGrowth && !falls);
    return course;
  }

  /// Whether the last loss is not finite, and the training showed no sign of it before.
  static bool has_broken(const Course& course) {
    if (course.losses.empty() || std::isfinite(course.losses.back()) || !(course.growth < kStill)) return false;
    const double first = std::abs(course.losses.front());
    return std::all_of(course.losses.begin(), course.losses.end() - 1,
                       [first](double loss) { return loss <= kStill * std::max(first, 1e-3); });
  }

  const wire::RunConfig& config_;
  const Float32Question& question_;
  const Clock::time_point start_ = Clock::now();
  std::string why_ = "it takes too long";
};

}  // namespace

double norm_of_weights(const train::Training& training) {
  const at::NoGradGuard no_history;
  double squares = 0;
  for (const auto& [name, parameter] : training.trainable) {
    const at::Tensor values = parameter.detach();
    if (!values.defined() || values.is_sparse() || !values.is_floating_point()) continue;
    const at::ScalarType wide = values.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    squares += std::pow(at::linalg_vector_norm(values, 2, {}, false, wide).item<double>(), 2);
  }
  return std::sqrt(squares);
}

Float32Answer ask_float32(const wire::RunConfig& config, const Float32Question& question) {
  const train::RandomState random = train::RandomState::of(train::open_device(config.device));
  Float32Answer answer;
  try {
    answer = Asking(config, question).answer();
  } catch (const std::exception& error) {
    answer.diverges.reset();
    answer.why = error.what();
  }
  random.restore();
  return answer;
}

}  // namespace binade::run
