// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/lesson_run_config.h"

#include "app/lessons/sample_training.h"
#include "app/model/translate.h"
#include "app/session/fashion_data.h"
#include "engine/policy/base_policy.h"

#include <algorithm>

namespace binade::app {

namespace {

constexpr std::int64_t kObservedSteps = 50;  // enough columns for a heat map

void setData(wire::RunConfig& config, bool pictures, const std::string& fashion) {
  if (!pictures) {
    config.caption = tr("This model trains on random data, made from a fixed seed.").toStdString();
  } else if (fashion.empty()) {
    config.caption = tr("Fashion-MNIST is not installed, so the pictures and their classes are random. The loss cannot "
                        "fall as far as the lesson says.")
                         .toStdString();
  } else {
    config.data.kind = "idx";
    config.data.folder = fashion;
    config.data.mean = kFashionMean;
    config.data.deviation = kFashionDeviation;
  }
}

// What is observed must not depend on the time that a step takes.
wire::ObserveConfig observed(const lessons::Experiment& experiment) {
  wire::ObserveConfig observe;
  observe.every = experiment.kind == lessons::RunKind::kDiagnose ? 1 : 1 + (experiment.steps - 1) / kObservedSteps;
  observe.live = 0;
  if (experiment.show == lessons::RunView::kScaledTail) observe.level = "what-if";  // exact at every scale
  observe.measure_cost = false;
  return observe;
}

}  // namespace

wire::RunConfig lessonRunConfig(const lessons::Experiment& experiment, const lessons::Training& training,
                                const QString& lesson, const std::string& fashion) {
  const SampleTraining& sample = *findSampleTraining(experiment.sample);
  wire::RunConfig config;
  config.name = lesson.toStdString() + ", " + training.name;
  config.model = "sample:" + sample.name;
  setData(config, sample.pictures, fashion);
  config.output = sample.output;
  config.optimizer.kind = sample.optimizer;
  config.optimizer.learning_rate = experiment.learning_rate.value_or(sample.learning_rate);
  config.optimizer.momentum = sample.momentum;
  config.batch = sample.batch;
  config.policy = policy::base_policy(policy::name(training.policy)).value_or(policy::Policy{});
  // Without a scale of the lesson's, Apex's levels have their own.
  if (training.scale) {
    config.scaler.init_scale = *training.scale;
    config.scaler.fixed = true;
  }
  config.observe = observed(experiment);
  config.steps = experiment.steps;
  // The engine itself stops after that step. The window hears of it when further steps have run.
  if (experiment.kind == lessons::RunKind::kDiagnose) config.diverged_after = 1;
  return config;
}

}  // namespace binade::app
