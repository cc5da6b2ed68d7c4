// SPDX-License-Identifier: Apache-2.0
#include "tests/app/fake_run.h"

#include <algorithm>
#include <cmath>

namespace binade::test {

namespace {

constexpr int kGrowthInterval = 40;
constexpr double kElements = 40000;

struct FakeSite {
  const char* path;
  const char* op;
  const char* list_rule;
  double output_binade;    ///< where its output lies
  double gradient_binade;  ///< where its unscaled gradient lies
  bool executed;
};

constexpr FakeSite kSites[] = {
    {"conv1", "aten::conv2d", "lower", -1, -18, true},
    {"bn1", "aten::batch_norm", "", 0, -17, true},
    {"relu", "aten::relu", "", -1, -17, true},
    {"pool", "aten::max_pool2d", "", 0, -16, true},
    {"layer1.0.conv1", "aten::conv2d", "lower", 1, -16, true},
    {"layer1.0.bn1", "aten::batch_norm", "", 0, -15, true},
    {"layer1.0.conv2", "aten::conv2d", "lower", 1, -14, true},
    {"layer1.0", "aten::add_", "promote", 1, -14, true},
    {"dropout", "aten::dropout", "", 0, -14, false},
    {"avgpool", "aten::adaptive_avg_pool2d", "", -1, -13, true},
    {"fc1", "aten::linear", "lower", 2, -10, true},
    {"fc2", "aten::linear", "lower", 3, -6, true},
    {"loss", "aten::nll_loss", "fp32", 1, -3, true},
};

// A bell of binades around `center`, as normally distributed values have it: steep to the top, a tail to the bottom.
formats::TensorStats bell(double center, const formats::Format& format, std::int64_t step) {
  formats::TensorStats stats;
  stats.count = static_cast<std::uint64_t>(kElements);
  const double wobble =
      0.4 * std::sin(static_cast<double>(step) * 0.7) + 0.3 * std::sin(static_cast<double>(step) * 0.13);
  const double top = center + 3 + wobble;
  double left = kElements;
  for (int b = static_cast<int>(std::floor(top)); b > top - 24 && left >= 1; --b) {
    const double distance = top - 3 - b;
    const double weight = distance < 0 ? std::exp(-distance * distance / 2) : std::exp2(-distance);
    const auto count = static_cast<std::uint32_t>(std::min(left, kElements * 0.35 * weight));
    if (b >= formats::kFirstBinade && b <= formats::kLastBinade) {
      stats.binades[static_cast<std::size_t>(b - formats::kFirstBinade)] = count;
      const double value = 1.5 * std::exp2(b);
      stats.sum_of_squares += count * value * value;
      if (value >= format.overflow_limit()) stats.overflow += count;
      if (value <= format.underflow_limit()) stats.underflow += count;
    }
    left -= count;
  }
  stats.zero = static_cast<std::uint64_t>(left);
  stats.largest = static_cast<float>(std::exp2(top));
  stats.smallest = static_cast<float>(std::exp2(top - 24));
  return stats;
}

// What is left of it where only the ends were looked for, as a CPU's engine does with outputs.
formats::TensorStats scanOf(const formats::TensorStats& whole) {
  formats::TensorStats stats;
  stats.scan = true;
  stats.count = whole.count;
  stats.largest = whole.largest;
  stats.overflow = whole.overflow;
  return stats;
}

}  // namespace

FakeRun::FakeRun() {
  restart(config());
}

wire::ModelInfo FakeRun::model() {
  wire::ModelInfo info;
  info.file = "fashion-cnn.pt";
  info.type = "FashionCnn";
  int id = 0;
  for (const FakeSite& site : kSites) {
    wire::SiteInfo& added = info.sites.emplace_back();
    added.id = id++;
    added.key = {site.path, "", site.op, "", 0};
    added.source = "fashion_cnn.py:" + std::to_string(20 + id);
    added.list_rule = site.list_rule;
  }
  info.parameters = {{"conv1.weight", "float32", {16, 1, 3, 3}, true}, {"fc2.weight", "float32", {10, 128}, true}};
  info.inputs = {{"input", "Tensor", "", "float32[N,1,28,28]", "conv1.weight [16,1,3,3]"}};
  info.output = "Tensor";
  // One op call after the other, and past the second block's convolutions.
  info.flow.emplace();
  for (int to = 0; to < id; ++to)
    info.flow->edges.push_back({to - 1, 0, to, to == id - 1 ? "self" : "input", "x", {-1, 16, 28, 28}});
  info.flow->edges.push_back({3, 0, 7, "other", "x", {-1, 16, 28, 28}});
  return info;
}

wire::RunConfig FakeRun::config() {
  wire::RunConfig config;
  config.name = "demo";
  config.model = "sample:cnn";
  config.data.inputs = {"float32[64,1,28,28]"};
  config.scaler.init_scale = 16777216;
  config.scaler.growth_interval = kGrowthInterval;
  config.observe.every = 1;
  config.observe.between = "finite";
  config.steps = 100000;
  config.caption =
      "Shortened for teaching: starts at 2²⁴, grows every 40 steps. PyTorch's own defaults are 65,536 and 2,000.";
  return config;
}

void FakeRun::restart(const wire::RunConfig& config) {
  step_ = 0;
  since_growth_ = 0;
  scale_ = config.scaler.init_scale;
  has_event_ = false;
  started_ = {};
  started_.config = config;
  started_.model = model();
  started_.device = "CPU, 2 threads";
  policy_ = resolve(config.policy, 0);
  started_.policy = policy_;
  declare_ = true;
  next_tensor_ = 0;
}

wire::PolicyApplied FakeRun::resolve(const policy::Policy& policy, int revision) const {
  std::vector<policy::SiteKey> keys;
  for (const wire::SiteInfo& site : started_.model.sites) keys.push_back(site.key);
  const policy::Resolved resolved = policy::resolve(policy, keys, policy::Capabilities{});
  return {revision, step_, policy, resolved.sites, resolved.findings};
}

wire::PolicyApplied FakeRun::setPolicy(const policy::Policy& policy, int revision) {
  policy_ = resolve(policy, revision);
  declare_ = true;
  return policy_;
}

void FakeRun::setObserve(const wire::ObserveConfig& observe) {
  started_.config.observe = observe;
  declare_ = true;
}

void FakeRun::declareTensors(wire::StepRecord& record) {
  tensors_.clear();
  for (std::size_t i = 0; i < std::size(kSites); ++i) {
    if (!kSites[i].executed) continue;
    const policy::Decision& decision = policy_.decisions[i];
    const auto format = decision.kind == policy::Decision::Kind::kFormat ? decision.format : formats::kFloat16;
    const bool emulated = decision.execution == policy::Execution::kEmulated;
    const int site = static_cast<int>(i);
    tensors_.push_back({next_tensor_++, site, wire::WatchedTensor::Kind::kOutput, "", format, emulated});
    tensors_.push_back({next_tensor_++, site, wire::WatchedTensor::Kind::kOutputGradient, "", format, emulated});
    const bool cast = decision.kind == policy::Decision::Kind::kFormat && format != formats::kFloat32;
    if (!cast || !started_.config.observe.inputs) continue;
    for (const char* argument : {"input", "weight"})
      tensors_.push_back({next_tensor_++, site, wire::WatchedTensor::Kind::kInput, argument, format, emulated});
  }
  if (started_.config.observe.parameters) {
    for (const auto& [site, name] :
         {std::pair{0, "conv1.weight"}, std::pair{11, "fc2.weight"}, std::pair{-1, "gain"}}) {
      using Kind = wire::WatchedTensor::Kind;
      for (const Kind kind : {Kind::kParameter, Kind::kParameterGradient})
        tensors_.push_back({next_tensor_++, site, kind, name, formats::kFloat32, false});
    }
  }
  record.new_tensors = tensors_;
  declare_ = false;
}

formats::TensorStats FakeRun::look(const wire::WatchedTensor& tensor) const {
  using Kind = wire::WatchedTensor::Kind;
  const FakeSite& site = kSites[std::max(0, tensor.site)];
  if (wire::is_scaled(tensor)) return bell(site.gradient_binade + std::log2(scale_), tensor.format, step_);
  if (wire::is_gradient(tensor)) return bell(site.gradient_binade, tensor.format, step_);
  if (tensor.kind == Kind::kParameter) return bell(-5, tensor.format, step_);
  const formats::TensorStats whole = bell(site.output_binade, tensor.format, step_);
  return tensor.kind == Kind::kOutput ? scanOf(whole) : whole;
}

wire::StepRecord FakeRun::next() {
  wire::StepRecord record;
  record.step = step_;
  const auto x = static_cast<double>(step_);
  record.loss = 0.35 + 2 * std::exp(-x / 120) + 0.08 * std::sin(x * 1.7) * std::exp(-x / 500);
  record.scale = scale_;
  record.learning_rate = 0.05;
  record.gradient_norm = 0.8 + 2 * std::exp(-x / 90) + 0.1 * std::sin(x);
  record.seconds = 0.02 + 0.001 * std::sin(x);
  record.observe_seconds = 0.0004;
  record.policy_revision = policy_.revision;
  if (declare_) declareTensors(record);

  has_event_ = false;
  event_ = {};
  for (const wire::WatchedTensor& tensor : tensors_) {
    record.observations.push_back({tensor.id, look(tensor)});
    const formats::TensorStats& stats = record.observations.back().stats;
    if (wire::is_scaled(tensor) && stats.overflow > 0) {
      event_.tensors.push_back({tensor.id, tensor.site, 0, stats.overflow, stats.largest});
    }
  }
  record.found_inf = !event_.tensors.empty();
  record.stepped = !record.found_inf;
  if (record.found_inf) {
    has_event_ = true;
    event_.step = step_;
    event_.scale = scale_;
    event_.facts = wire::NotFinite{.by_scaler = true};
    scale_ /= 2;
    since_growth_ = 0;
    record.gradient_norm = std::numeric_limits<double>::quiet_NaN();
  } else if (grows_ && ++since_growth_ == kGrowthInterval) {
    scale_ *= 2;
    since_growth_ = 0;
  }
  record.next_scale = scale_;
  for (std::size_t i = 0; i < started_.config.scalers.size(); ++i) {
    const bool first = i == 0;
    record.scalers.push_back({first ? record.scale : started_.config.scalers[i].init_scale,
                              first ? record.next_scale : started_.config.scalers[i].init_scale,
                              first && record.found_inf});
  }
  ++step_;
  return record;
}

policy::Policy conv1In(const formats::Format& format) {
  policy::Policy policy;
  policy::SiteRule rule;
  rule.match = "conv1/aten::conv2d#0";
  rule.format = format;
  policy.sites = {rule};
  return policy;
}

}  // namespace binade::test
