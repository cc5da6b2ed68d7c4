// SPDX-License-Identifier: Apache-2.0
#include "tests/app/fake_findings.h"

#include "tests/app/fake_sites.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::test {

namespace {

policy::SiteRule rule(const char* match, const formats::Format& format) {
  policy::SiteRule made;
  made.match = match;
  made.format = format;
  return made;
}

using TensorKind = wire::TensorVerdict::Kind;

wire::TensorVerdict ofInputs(std::int64_t size, std::int64_t padded) {
  return {.kind = TensorKind::kDimensions, .format = "float16", .size = size, .multiple = 8, .padded = padded};
}

std::string powerText(double scale) {
  return "2^" + std::to_string(static_cast<int>(std::log2(scale)));
}

}  // namespace

wire::Diagnosis benignOverflow(double scale) {
  wire::Diagnosis found;
  found.verdict = wire::Verdict::kBenign;
  found.direction = wire::Direction::kBackward;
  wire::Root root;
  root.fault = wire::Root::Fault::kOverflow;
  root.direction = wire::Direction::kBackward;
  root.site = kFc2;
  root.what = "weight";
  root.source = "fashion_cnn.py:32";
  root.format = formats::kFloat16;
  root.inputs = {{"gradient", "float16", 6.1e-5, 6238, 640, 12, 0, 0},
                 {"input", "float16", 0.001, 41.2, 8192, 0, 2, 1}};
  found.roots = {root};
  found.chain = {{kFc2, 0, wire::Direction::kBackward, "gradient", formats::kFloat16, 65504, 3}};
  found.ends = "fc2.weight";
  found.evidence = {
      {scale / 2, {}, true}, {scale, {rule("fc2/aten::linear#0", formats::kFloat32)}, true}, {scale, {}, false}};
  found.fix.scale = scale / 2;
  found.fix.scales = {{std::nullopt, scale / 2}};
  found.fix.outcome = wire::Fix::Outcome::kFinite;
  found.message = "Finite at " + powerText(scale / 2) + ", where no gradient is lost.";
  found.bundle = "demo.binade.events/step-7.safetensors";
  found.seconds = 0.3;
  return found;
}

wire::Diagnosis forwardOverflow() {
  wire::Diagnosis found;
  found.verdict = wire::Verdict::kForwardOverflow;
  wire::Root root;
  root.fault = wire::Root::Fault::kOverflow;
  root.site = kFc1;
  root.what = "output";
  root.format = formats::kFloat16;
  found.roots = {root};
  found.chain = {{kFc1, 0, wire::Direction::kForward, "output", formats::kFloat16, 65504, 12},
                 {kFc2, 0, wire::Direction::kForward, "output", formats::kFloat16, 0, 640},
                 {kLoss, 0, wire::Direction::kForward, "output", formats::kFloat32, 0, 1}};
  found.ends = "loss";
  found.evidence = {{1024, {}, false}, {65536, {rule("fc1/aten::linear#0", formats::kBFloat16)}, true}};
  found.fix.rules = {rule("fc1/aten::linear#0", formats::kBFloat16)};
  found.fix.outcome = wire::Fix::Outcome::kFinite;
  found.seconds = 0.2;
  return found;
}

wire::Event diagnosed(std::int64_t step, wire::Event::Kind kind, double scale, wire::Diagnosis diagnosis) {
  wire::Event event;
  event.step = step;
  event.kind = kind;
  event.scale = scale;
  event.diagnosis = std::move(diagnosis);
  return event;
}

wire::Profile cpuProfile(std::int64_t first, std::int64_t last) {
  wire::Profile profile;
  profile.first_step = first;
  profile.last_step = last;
  profile.steps = last - first + 1;
  profile.step_seconds = 0.02;
  const wire::ProfileSource none{"none", "no-driver", "No NVIDIA driver was found: libcuda.so.1 could not be opened.",
                                 "Run the engine on a machine with an NVIDIA GPU.", ""};
  profile.curve = none;
  profile.tensor = none;
  profile.times = {"cpu-clock", "running", "Measured with the clock of the training thread.", "", "CPU, 2 threads"};
  profile.outside = 0.002;
  const auto site = [](int id, double forward, double backward, bool emulated) {
    wire::SiteProfile made;
    made.site = id;
    made.calls = 1;
    made.forward = forward;
    made.backward = backward;
    made.emulated = emulated;
    made.verdict.kind = wire::TensorVerdict::Kind::kNoGpu;
    return made;
  };
  profile.sites = {site(kConv1, 0.002, 0.004, false), site(kFc1, 0.0008, 0.0012, false),
                   site(kFc2, 0.003, 0.005, true)};
  return profile;
}

wire::Profile gpuProfile(std::int64_t first, std::int64_t last) {
  wire::Profile profile = cpuProfile(first, last);
  profile.curve = {"pm-sampling", "running", "Counted by the device's own counters.", "", "tensor pipe, sm_90"};
  profile.tensor = {"pm-sampling", "running", "Counters joined to kernels by least squares.", "", ""};
  profile.times = {"kernel-records", "running", "From kernel records.", "", ""};
  for (std::int64_t i = 0; i < 4 * profile.steps; ++i) {
    wire::ProfileBin bin;
    bin.time = 0.01 * static_cast<double>(i);
    bin.seconds = 0.01;
    bin.covered = 1;
    bin.tensor = i % 4 == 3 ? wire::kNotMeasured : 20 + 10 * static_cast<double>(i % 4);
    bin.hmma = bin.tensor;
    bin.sm_active = 92;
    bin.clock = 1.59e9;
    profile.bins.push_back(bin);
  }
  for (wire::SiteProfile& site : profile.sites) {
    site.emulated = false;
    site.tensor = site.site == kConv1 ? 13.1 : 64.4;
    site.tensor_error = 1.5;
    site.confidence = "good";
    site.verdict = site.site == kConv1 ? ofInputs(3, 8) : wire::TensorVerdict{.kind = TensorKind::kUsed};
    site.kernels = {{"sm90_xmma_fprop_f16", 1, 0.001, "tensor"}, {"nchwToNhwcKernel", 2, 0.0001, "ordinary"}};
    site.launches = 3;
  }
  profile.sites.back().tensor = wire::kNotMeasured;
  return profile;
}

wire::Profile lifelikeProfile(std::int64_t first, std::int64_t last) {
  wire::Profile profile = gpuProfile(first, last);
  profile.curve.detail = "tensor pipe, sm_89";
  profile.estimate = true;
  profile.step_seconds = 0.0181;
  profile.outside = 0.0016;
  profile.bins.clear();
  constexpr int kBinsAStep = 8;
  for (std::int64_t i = 0; i < kBinsAStep * profile.steps; ++i) {
    const double at = static_cast<double>(first * kBinsAStep + i);
    const double forward = i % kBinsAStep < 3 ? 0.55 : 1.0;  // backward keeps them busier
    wire::ProfileBin bin;
    bin.time = 0.01 * at;
    bin.seconds = 0.01;
    bin.covered = 1;
    bin.tensor = std::max(1.0, forward * (42 + 9 * std::sin(at * 0.9) + 4 * std::sin(at * 0.011)));
    bin.hmma = bin.tensor;
    bin.sm_active = 92.3;
    bin.clock = 1.59e9;
    profile.bins.push_back(bin);
  }
  struct Made {
    int site;
    double forward, backward, tensor, error;
    const char* confidence;
    wire::TensorVerdict verdict;
  };
  const double none = wire::kNotMeasured;
  const wire::TensorVerdict used{.kind = TensorKind::kUsed};
  const wire::TensorVerdict notMatrix{.kind = TensorKind::kNotMatrix};
  const Made made[] = {{4, 0.0011, 0.0024, 61.8, 1.1, "good", used},
                       {6, 0.0010, 0.0023, 63.9, 1.3, "good", used},
                       {0, 0.0009, 0.0016, 13.1, 2.4, "fair", ofInputs(1, 8)},
                       {1, 0.0007, 0.0012, 0.0, none, "good", notMatrix},
                       {5, 0.0006, 0.0010, 0.0, none, "good", notMatrix},
                       {10, 0.0004, 0.0007, 47.1, 3.8, "fair", {.kind = TensorKind::kMemoryBound, .per_byte = 38}},
                       {2, 0.0003, 0.0005, 0.0, none, "good", notMatrix},
                       {11, 0.00009, 0.00016, 8.2, 6.5, "low", {.kind = TensorKind::kTooSmall, .operations = 5.2e6}},
                       {12, 0.00003, 0.00005, none, none, "none", {.kind = TensorKind::kNotMeasured}}};
  profile.sites.clear();
  for (const Made& each : made) {
    wire::SiteProfile site;
    site.site = each.site;
    site.calls = 1;
    site.forward = each.forward;
    site.backward = each.backward;
    site.tensor = each.tensor;
    site.tensor_error = each.error;
    site.confidence = each.confidence;
    site.verdict = each.verdict;
    site.launches = 3;
    site.kernels = {{"sm80_xmma_fprop_implicit_gemm_f16f16_f16f32", 1, each.forward * 0.9, "tensor"},
                    {"nchwToNhwcKernel", 2, each.forward * 0.05, "ordinary"}};
    profile.sites.push_back(site);
  }
  return profile;
}

wire::CastLedger casts(int revision, std::int64_t step) {
  wire::CastLedger ledger;
  ledger.policy_revision = revision;
  ledger.first_step = step;
  ledger.last_step = step + 9;
  ledger.steps = 10;
  ledger.step_seconds = 0.02;
  const auto line = [](int id, const char* argument, double count, double saved, double bytes, double seconds) {
    wire::CastLine made;
    made.site = id;
    made.argument = argument;
    made.from = formats::kFloat32;
    made.to = formats::kFloat16;
    made.casts = count;
    made.saved = saved;
    made.bytes = bytes;
    made.seconds = seconds;
    made.rule = "cuda-amp";
    return made;
  };
  ledger.lines = {line(kFc1, "weight", 1, 0, 4096, 0.00005), line(kFc2, "input", 1, 0, 32768, 0.0004),
                  line(kLoss, "self", 2, 1, 2560, 0.0001)};
  ledger.lines[1].edit_match = "fc2/aten::linear#0";
  ledger.lines[1].edit_format = formats::kFloat32;
  std::swap(ledger.lines[2].from, ledger.lines[2].to);
  ledger.lines[1].edit_bytes = -30208;
  ledger.lines[1].edit_seconds = -0.00038;
  return ledger;
}

wire::Savings savings(std::int64_t step) {
  wire::Savings measured;
  measured.step = step;
  measured.sites = {10};
  measured.before = {.casts = 12, .bytes = 819'200, .seconds = 0.012};
  measured.after = {.casts = 9, .bytes = 409'600, .seconds = 0.014};
  measured.products = {
      {.site = 10, .m = 64, .n = 128, .k = 256, .before = formats::kFloat16, .after = formats::kFloat32}};
  measured.estimates = {{.gpu = "A100", .before = 2e-6, .after = 4e-6}};
  return measured;
}

wire::Float32Comparison comparison(std::int64_t step) {
  wire::Float32Comparison compared;
  compared.step = step;
  compared.loss = 0.4412;
  compared.float32_loss = 0.4409;
  compared.scale = 65536;
  compared.sites = {{kConv1, 1, 0.0005, 0.0005, true, 0.02, 0.9991, 0.011},
                    {5, 1, 0.0005, 0, true, {}, {}, {}},
                    {kFc1, 1, 0.081, 0.08, true, 0.01, 0.9999, 0.0},
                    {kFc2, 1, 0.0812, 0.0012, false, 0.008, 0.9999, {}}};
  return compared;
}

wire::QuantizedStep quantized(std::int64_t step) {
  wire::QuantizedStep made{step, {}};
  wire::QuantizedOperand gradient{
      kFc1, policy::Product::kGradWeight, policy::Operand::kGradient, "nvfp4+stochastic", 1, {}, {}};
  gradient.stats.values = 2000;
  gradient.stats.non_zero = 1600;
  gradient.stats.to_zero = 400;
  gradient.stats.blocks = 125;
  gradient.stats.zero_blocks = 5;
  gradient.stats.outlier_blocks = 12;
  gradient.stats.scales[static_cast<std::size_t>(-9 - scaled::BlockStats::kFirstBinade)] = 30;
  gradient.stats.scales[static_cast<std::size_t>(-7 - scaled::BlockStats::kFirstBinade)] = 90;
  gradient.stats.largest = 0.03125F;
  gradient.stats.signal = 10;
  gradient.stats.noise = 1;
  wire::QuantizedOperand weight{kFc2, policy::Product::kForward, policy::Operand::kWeight, "fp8_delayed", 1, {}, 1.5};
  weight.stats.values = weight.stats.non_zero = 640;
  weight.stats.saturated = 20;
  weight.stats.blocks = 1;
  weight.stats.scales[static_cast<std::size_t>(-8 - scaled::BlockStats::kFirstBinade)] = 1;
  weight.stats.largest = 5;
  weight.stats.signal = 1000;
  weight.stats.noise = 1;
  wire::QuantizedOperand input{kConv1, policy::Product::kForward, policy::Operand::kInput, "mxfp8", 1, {}, {}};
  input.stats.values = 32;
  input.stats.blocks = input.stats.zero_blocks = 1;
  made.operands = {gradient, weight, input};
  return made;
}

wire::WhatIf whatIf(std::int64_t step, const wire::AskWhatIf& asked) {
  wire::WhatIf answer{step, asked.site, asked.product, asked.operand, "mxfp8", {}, {}, {}};
  answer.format = asked.format.empty() ? "mxfp8" : asked.format;
  scaled::BlockStats stats;
  stats.values = stats.non_zero = 64;
  stats.blocks = 2;
  stats.outlier_blocks = 1;
  stats.signal = 1000;
  stats.noise = 1;
  answer.effects.push_back({"mxfp8", stats});
  stats.noise = 100;
  stats.to_zero = 16;
  answer.effects.push_back({"mxfp4", stats});
  wire::QuantizedBlock block{3, 32, 1, 0.25, 10, std::vector<float>(32, 0.1F), std::vector<float>(32, 0)};
  block.values[5] = block.quantized[5] = 1.5F;
  answer.blocks.push_back(block);
  block = {4, 0, 1, 0.25, 30, std::vector<float>(32, 0.5F), std::vector<float>(32, 0.5F)};
  answer.blocks.push_back(block);
  return answer;
}

wire::SilentReport silentReport() {
  using Kind = wire::SilentFault::Kind;
  using Unit = wire::SilentFault::Unit;
  const auto fault = [](Kind kind, int site, const char* what, double amount, Unit unit) {
    wire::SilentFault made;
    made.kind = kind;
    made.site = site;
    made.what = what;
    made.format = formats::kFloat16;
    made.first_step = 4;
    made.last_step = 18;
    made.seen = 9;
    made.observed_steps = 12;
    made.amount = made.facts.share = amount;
    made.unit = unit;
    return made;
  };
  wire::SilentReport report;
  report.first_step = 0;
  report.last_step = 19;
  report.observed_steps = 12;
  report.faults = {fault(Kind::kUnderflow, kConv1, "weight", 0.124, Unit::kGradientNorm),
                   fault(Kind::kUpdateLost, -1, "fc2.weight", 0.031, Unit::kUpdateNorm),
                   fault(Kind::kLossSpike, -1, "loss", 0.6, Unit::kLoss),
                   fault(Kind::kLargeLogits, kFc1, "logits", 0.02, Unit::kSoftmaxWeight)};
  report.faults[0].direction = wire::Direction::kBackward;
  report.faults[0].facts.of_argument = true;
  report.faults[0].facts.lowest_scale = 20;
  report.faults[0].fix.scale = 1048576;
  report.faults[1].bound = true;
  report.faults[1].facts.count = 900;
  report.faults[1].facts.of = 1200;
  report.faults[1].facts.update_over_weight = 0.0001;
  report.faults[2].last_step = 15;
  report.faults[2].facts.step = 15;
  report.faults[2].facts.loss = 2.4;
  report.faults[2].facts.usual_loss = 0.96;
  report.faults[2].facts.spreads = 12;
  report.faults[2].facts.of = 50;
  report.faults[3].facts.largest = 8192;
  report.faults[3].facts.logit_error = 2;
  report.faults[3].fix.rules = {rule("fc1/aten::linear#0", formats::kFloat32)};
  report.hidden = {{.reason = wire::SilentGap::Reason::kFusedLogits, .site = kFc1}};
  return report;
}

}  // namespace binade::test
