// SPDX-License-Identifier: Apache-2.0
#include "tests/interchange/recorded.h"

#include "engine/record/run_writer.h"
#include "tests/wire/samples.h"

#include <cmath>
#include <limits>

namespace binade::test {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

wire::RunStarted startedRun() {
  wire::RunStarted started = sampleStarted();
  started.config.name = "clothes, \"large\"";
  started.config.scalers.clear();
  started.config.losses = {{.kind = "cross_entropy"}};
  started.config.schedule = {};
  started.config.steps = 8;
  started.policy.decisions.resize(started.model.sites.size());
  started.policy.decisions[0].kind = policy::Decision::Kind::kFormat;
  started.policy.decisions[0].format = formats::kFloat16;
  started.policy.decisions[0].backward = formats::kBFloat16;
  return started;
}

wire::StepRecord stepOf(std::int64_t step) {
  wire::StepRecord record;
  record.step = step;
  record.loss = step == 3 ? kNaN : 2.0 / (3.0 + static_cast<double>(step));
  record.scale = std::ldexp(1.0, 16 - static_cast<int>(step / 4));
  record.next_scale = step == 3 ? record.scale / 2 : record.scale;
  record.found_inf = step == 3;
  record.stepped = step != 3;
  record.learning_rate = 0.1;
  record.gradient_norm = step == 3 ? kInfinity : 1.25;
  record.seconds = 0.25;
  record.observe_seconds = 0.125;
  record.policy_revision = 1;
  if (step == 0) {
    using enum wire::WatchedTensor::Kind;
    record.new_tensors = {{0, 1, kParameterGradient, "fc1.weight", formats::kFloat32, false},
                          {1, 2, kOutputGradient, "", formats::kFloat16, true},
                          {2, 1, kOutput, "", formats::kFloat16, false}};
  }
  if (step % 2 == 0) {
    formats::TensorStats scan;
    scan.count = 10;
    scan.largest = 3;
    scan.nan = 2;
    scan.scan = true;
    record.observations = {{0, gradientStats(step)}, {1, scan}, {2, gradientStats(step)}};
  }
  return record;
}

wire::Profile profileOf(std::int64_t first, std::int64_t last) {
  wire::Profile profile;
  profile.first_step = first;
  profile.last_step = last;
  profile.steps = last - first + 1;
  profile.step_seconds = 0.25;
  profile.curve.source = "pm-sampling";
  profile.times.source = "kernel-records";
  profile.tensor.source = "pm-sampling";
  profile.outside = 0.0625;
  profile.idle = 0.03125;
  for (int i = 0; i < 2; ++i) {
    wire::ProfileBin bin;
    bin.time = 0.25 * static_cast<double>(first) + 0.125 * i;
    bin.seconds = 0.125;
    bin.covered = 1;
    if (i == 0) bin.tensor = 40;  // the other was not measured
    bin.sm_active = 80;
    profile.bins.push_back(bin);
  }
  wire::SiteProfile first_call;
  first_call.site = 0;
  first_call.calls = 1;
  first_call.forward = 0.03125;
  first_call.backward = 0.0625;
  first_call.tensor = 61.5;
  first_call.tensor_error = 0.5;
  first_call.kernels = {{"gemm \"a\"", 4, 0.03125, "tensor"}, {"copy", 2, 0.015625, "ordinary"}};
  wire::SiteProfile second_call;
  second_call.site = 2;
  second_call.calls = 2;
  second_call.forward = 0.015625;
  second_call.backward = 0.0078125;
  profile.sites = {first_call, second_call};
  return profile;
}

}  // namespace

formats::TensorStats gradientStats(std::int64_t step) {
  const float shift = std::ldexp(1.0f, static_cast<int>(-step));
  const std::vector<float> values{0, 0.75f * shift, -1.5f * shift, 1.25f * shift, 12.0f * shift, INFINITY};
  return formats::measure(values, formats::kFloat32);
}

std::vector<record::RunRecord> recordedHistory() {
  std::vector<record::RunRecord> history{startedRun()};
  for (std::int64_t step = 0; step < 6; ++step) {
    history.emplace_back(stepOf(step));
    if (step == 3) {
      history.emplace_back(wire::Event{.step = 3,
                                       .kind = wire::Event::Kind::kGradientOverflow,
                                       .scale = 65536,
                                       .facts = wire::NotFinite{.by_scaler = true, .parameter = "fc1.weight"}});
      history.emplace_back(profileOf(1, 3));
    }
    if (step == 4) history.emplace_back(wire::Evaluated{4, kNaN, 0.1 + 0.2});
  }
  history.emplace_back(wire::Rewound{4, "/runs/step-4.safetensors"});
  for (std::int64_t step = 4; step < 8; ++step) history.emplace_back(stepOf(step));
  history.emplace_back(profileOf(6, 7));
  history.emplace_back(wire::Evaluated{7, 0.875, 0.5});
  history.emplace_back(wire::Finished{wire::Outcome::kCompleted, 8, "", ""});
  return history;
}

void recordRun(const std::string& path, const std::vector<record::RunRecord>& history) {
  record::RunWriter writer(path, {.environment = {{"libtorch", "2.11.0"}}});
  for (const record::RunRecord& each : history) writer.add(each);
  writer.close();
}

}  // namespace binade::test
