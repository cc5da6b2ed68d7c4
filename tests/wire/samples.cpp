// SPDX-License-Identifier: Apache-2.0
#include "tests/wire/samples.h"

#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace binade::test {

policy::Policy samplePolicy(int revision) {
  policy::Policy policy;
  policy.name = "tuned " + std::to_string(revision);
  policy.behaviour = policy::Behaviour::kPyTorch211;
  policy.base = policy::Base::kCpuAmp;
  policy.low = formats::kBFloat16;
  policy.execution = policy::Execution::kEmulated;
  policy.ops = {{"aten::layer_norm", formats::kFloat32}, {"aten::gelu", policy::Treatment::kLow}};
  policy.sites.push_back({.match = "layer4.*/aten::conv2d#*",
                          .call = 2,
                          .format = formats::kFloat8E4M3fn,
                          .backward = formats::kFloat8E5M2,
                          .execution = policy::Execution::kEmulated,
                          .overflow = formats::Overflow::kSaturate,
                          .why = "overflows after step 900"});
  policy::SiteRule& last = policy.sites.emplace_back();
  last.match = "fc";
  last.format = formats::Format{4, 9};
  return policy;
}

wire::RunConfig sampleConfig() {
  wire::RunConfig config;
  config.name = "clothes";
  config.model = "sample:cnn";
  config.weights = "/data/before.safetensors";
  config.data = {.kind = "files",
                 .folder = "/data/clothes",
                 .mean = 0,
                 .deviation = 1,
                 .inputs = {"float32[8,3,32,32]", "int64[8,16]<1000"},
                 .classes = 7,
                 .files = {"/data/a.npz", "/data/b.csv"},
                 .columns = {{"x",
                              {.from = {{"left", "right"}},
                               .dtype = "float32",
                               .mean = {{0.2, 0.3}},
                               .deviation = {{0.5}},
                               .shape = {{2, 28, 28}}}}},
                 .targets = {{"label", {.from = {{"b.csv:label"}}, .dtype = "int64"}}},
                 .test = 0.125,
                 .shuffle = false,
                 .prefetch = 3};
  config.losses = {{.kind = "mse", .output = "out.aux", .target = "depth", .weight = 0.25, .scaler = "slow"},
                   {.kind = "text", .text = "def loss(output: Tensor) -> Tensor:\n    return output.sum()\n"}};
  config.optimizer = {.kind = "sgd",
                      .learning_rate = 0.003,
                      .momentum = 0.9,
                      .nesterov = true,
                      .weight_decay = 1e-4,
                      .beta1 = 0.8,
                      .beta2 = 0.99,
                      .epsilon = 1e-6,
                      .amsgrad = true,
                      .alpha = 0.9,
                      .centered = true,
                      .rate_decay = 0.125,
                      .fused = true,
                      .groups = {{.match = "*.bias", .learning_rate = 0.5, .weight_decay = {}},
                                 {.match = "head", .learning_rate = {}, .weight_decay = 0.0}}};
  config.schedule = {.kind = "cosine", .warmup = 10, .every = 7, .factor = 0.3, .floor = 0.01};
  config.clip = {.norm = 1.5, .value = 0.5};
  config.scalers = {{.id = "fast",
                     .enabled = false,
                     .init_scale = 16777216,
                     .growth_factor = 4,
                     .backoff_factor = 0.25,
                     .growth_interval = 200},
                    {.id = "slow", .minimum = 1, .maximum = 1048576, .hysteresis = 3, .fixed = true}};
  config.accumulate = 4;
  config.skipped = "replay";
  config.keep_buffers = true;
  config.batch_norm = "synchronised";
  config.diverged_after = 5;
  config.checkpoint = {.folder = "/runs/clothes", .every = 25, .keep = 7};
  config.resume = "/runs/clothes/step-25.safetensors";
  config.policy = samplePolicy();
  config.observe = {.level = "finite", .every = 5, .inputs = true, .parameters = true};
  config.profile = {.level = "counters", .every = 3, .interval = 20};
  config.batch = 32;
  config.steps = 123;
  config.evaluate_every = 50;
  config.seed = 18446744073709551615ull;
  config.device = "cuda";
  config.run_file = "/runs/clothes.binade";
  config.caption = "Shortened for teaching: größer ist nicht besser.";
  return config;
}

wire::ModelInfo sampleModel() {
  wire::ModelInfo model;
  model.file = "cnn.pt";
  model.type = "Net";
  for (int id = 0; id < 4; ++id) {
    model.sites.push_back({.id = id,
                           .key = {"layer" + std::to_string(id), "helper", "aten::conv2d", "padding", id},
                           .source = "net.py:" + std::to_string(40 + id),
                           .list_rule = "lower",
                           .view = id % 2 == 0,
                           .in_place = id % 2 == 1,
                           .in_loop = id == 2,
                           .inside = id == 3,
                           .own_block = id == 3 ? 1 : -1});
  }
  model.own_blocks.push_back({"cuda-amp", formats::kBFloat16, true, false, "net.py:12", -1});
  model.own_blocks.push_back({"", {}, false, {}, "", 0});
  model.parameters.push_back({"layer0.weight", "float32", {8, 3, 3, 3}, true});
  model.parameters.push_back({"layer0.bias", "float32", {}, true});
  model.buffers.push_back({"norm.num_batches_tracked", "int64", {}, false});
  model.inputs.push_back({"x", "Tensor", "", "float32[N,3,32,32]", "layer0.weight [8,3,3,3]"});
  model.inputs.push_back({"flag", "bool", "True"});
  model.output = "Tuple[Tensor, Tensor]";
  model.warnings = {"The model was traced in train mode.", "It holds device constants."};
  model.flow = {{{-1, 0, 0, "input", "x", {-1, 3, 32, 32}}, {0, 0, 2, "input", "", {}}, {2, 1, 3, "", "rows", {8}}},
                {{wire::ControlInfo::Kind::kLoop, 1, 3, "layer1", "net.py:40"},
                 {wire::ControlInfo::Kind::kIf, 2, 1, "", ""},
                 {wire::ControlInfo::Kind::kElse, 3, 1, "layer1", "net.py:42"}}};
  return model;
}

wire::PolicyApplied samplePolicyApplied(int revision, std::int64_t step) {
  using Kind = policy::Decision::Kind;
  wire::PolicyApplied applied;
  applied.revision = revision;
  applied.step = step;
  applied.policy = samplePolicy(revision);
  int rule = policy::kFromOpChange;
  for (const Kind kind : {Kind::kFormat, Kind::kPromote, Kind::kFollow, Kind::kSetDtype, Kind::kAppendDtype,
                          Kind::kBanned, Kind::kLeave}) {
    applied.decisions.push_back({.kind = kind,
                                 .format = formats::kBFloat16,
                                 .backward = formats::kFloat8E5M2,
                                 .execution = rule % 2 == 0 ? policy::Execution::kNative : policy::Execution::kEmulated,
                                 .overflow = formats::Overflow::kSaturate,
                                 .rule = rule});
    ++rule;
  }
  applied.findings.push_back({policy::Finding::Severity::kNote, 1, "fc runs emulated."});
  applied.findings.push_back({policy::Finding::Severity::kWarning, 0, "layer4.* matches nothing."});
  return applied;
}

wire::RunStarted sampleStarted() {
  return {sampleConfig(), sampleModel(), samplePolicyApplied(1, 0), "/runs/clothes.binade", "CPU, 2 threads", {}};
}

wire::StepRecord sampleStep(std::int64_t step, int tensors) {
  std::minstd_rand random(static_cast<unsigned>(step + 1));
  wire::StepRecord record;
  record.step = step;
  record.loss = step % 7 == 6 ? INFINITY : 2.3 / static_cast<double>(step + 1);
  record.scale = std::ldexp(1.0, 24 - static_cast<int>(step % 5));
  record.next_scale = record.scale / 2;
  record.found_inf = step % 3 == 0;
  record.stepped = !record.found_inf;
  record.learning_rate = 0.1 / 3;
  record.gradient_norm = 1.5 + static_cast<double>(step);
  record.seconds = 0.0123;
  record.observe_seconds = 0.0004;
  record.policy_revision = 1;
  for (int id = 0; id < tensors; ++id) {
    if (step == 0) {
      record.new_tensors.push_back({.id = id,
                                    .site = id % 6 == 5 ? -1 : id % 4,
                                    .kind = static_cast<wire::WatchedTensor::Kind>(id % 6),
                                    .argument = id % 6 >= 2 ? "weight" : "",
                                    .format = formats::kFloat16,
                                    .emulated = id % 2 == 1});
    }
    std::array<float, 64> values{};
    std::normal_distribution<float> normal(0.0f, std::ldexp(1.0f, id % 20 - 10));
    for (float& value : values) value = normal(random);
    values[0] = 0;
    if (id % 4 == 1) values[1] = INFINITY;
    if (id % 4 == 2) values[2] = NAN;
    auto stats = formats::measure(values, formats::kFloat16);
    stats.censored = id % 2 == 0;
    record.observations.push_back({id, stats});
  }
  return record;
}

namespace {

wire::Diagnosis sampleDiagnosis() {
  const policy::SiteRule rule{.match = "layer3/aten::conv2d#0",
                              .call = 2,
                              .format = formats::kBFloat16,
                              .backward = {},
                              .execution = policy::Execution::kAuto,
                              .overflow = {},
                              .why = "not finite at step 41"};
  return {.verdict = wire::Verdict::kNoScaleWorks,
          .direction = wire::Direction::kBackward,
          .roots = {{.fault = wire::Root::Fault::kSum,
                     .direction = wire::Direction::kBackward,
                     .site = 3,
                     .call = 2,
                     .what = "output",
                     .source = "model.py:42",
                     .format = formats::kFloat16,
                     .inputs = {{"gradient", "float16", 0x1p-24, 65504, 1024, 17, 3, 1}},
                     .rows = wire::BadRows{.batch = 1, .of = 64, .bad = 2, .rows = {3, 17}, .examples = {1203, 88}},
                     .rounded_to = -1}},
          .chain = {{.site = 3,
                     .call = 2,
                     .direction = wire::Direction::kBackward,
                     .tensor = "gradient",
                     .format = formats::kFloat16,
                     .largest = 65504,
                     .non_finite = 3},
                    {.site = 1, .call = 0, .direction = wire::Direction::kBackward, .tensor = "gradient"}},
          .ends = "layer3.weight",
          .evidence = {{1024, {}, false, "boxes", {{"boxes", 1024}, {"masks", 64}}},
                       {.scale = 65536,
                        .rules = {rule},
                        .finite = true,
                        .without = {{"aten::to#0", "net.py:7"}},
                        .ahead = 1,
                        .overflows = "layer4/aten::conv2d#0",
                        .note = "row 3 of the batch replaced by row 2",
                        .failure = "expected a Tensor",
                        .band = wire::ScaleBand{-3, 17, 3, -1, true}}},
          .fix = {.scale = 1024,
                  .scaler = "boxes",
                  .rules = {rule},
                  .outcome = wire::Fix::Outcome::kLost,
                  .tried = {rule},
                  .scales = {{"boxes", 1024}},
                  .raised = true,
                  .without = {{"aten::to#0", "net.py:7"}},
                  .changed = 3,
                  .rate = wire::RateTrial{.rate = 0.001, .first_loss = 2, .last_loss = 1, .steps = 20, .learns = true}},
          .band = wire::ScaleBand{.lowest = 12, .highest = 9, .lowest_site = 3, .highest_site = 1, .bound = true},
          .scaler = "boxes",
          .scale = 65536,
          .message = "No single scale suits this step.",
          .notes = {"It began in batch 2 of the 2 of this step."},
          .bundle = "cnn.step-41.safetensors",
          .seconds = 0.25};
}

/// Each kind of facts in turn, with a kind of event that has them.
std::pair<wire::Event::Kind, wire::Event::Facts> sampleFacts(std::int64_t step) {
  using enum wire::Event::Kind;
  const std::vector<policy::SiteRule> rules{samplePolicy().sites.front()};
  const std::array<std::pair<wire::Event::Kind, wire::Event::Facts>, 9> all{{
      {kForwardOverflow, {}},
      {kNonFiniteLoss,
       wire::NotFinite{.loss = wire::NotFinite::Loss::kNaN, .by_scaler = true, .parameter = "layer3.weight"}},
      {kGradientOverflow, wire::ClipRefused{.parameter = "layer3.bias", .by_norm = false}},
      {kScaleWarning,
       wire::ScaleTrouble{.message = "5 steps in a row were skipped.", .cause = "The loss is not finite."}},
      {kDiverged, wire::Diverged{.is_nan = true, .in_a_row = 9, .scaled = true, .pauses = true}},
      {kOutOfMemory, wire::OutOfMemory{.message = "layer1: out of memory", .in_optimizer = true}},
      {kFixHeld, wire::FixHeld{.rules = rules, .steps = 200}},
      {kFixFailed, wire::FixFailed{.rules = rules, .from = 65536, .since = 3, .to = 0.5, .given = true}},
      {kSilent, wire::SilentFaultFound{.fault = {.what = "weight", .seen = 3, .amount = 0.5}, .more = 2}},
  }};
  return all[static_cast<std::size_t>(step) % all.size()];
}

}  // namespace

wire::RunStarted sampleStartedOnRanks() {
  wire::RunStarted started = sampleStarted();
  started.ranks = {{0, "node-a", "CPU, 2 threads"}, {1, "node-b", "CPU, 1 thread"}};
  return started;
}

wire::StepRecord sampleStepOfRanks(std::int64_t step, int tensors) {
  wire::StepRecord record = sampleStep(step, tensors);
  record.ranks = {
      {.rank = 0, .seconds = 0.004, .waited = 0.006, .found_inf = false, .rows = {}, .tensor = 41.5},
      {.rank = 1, .seconds = 0.01, .waited = 0.0005, .found_inf = record.found_inf, .rows = {}, .tensor = 38}};
  if (record.found_inf) record.ranks[1].rows = {17, 3};
  return record;
}

wire::Event sampleEvent(std::int64_t step) {
  return {
      .step = step,
      .kind = sampleFacts(step).first,
      .scale = 65536,
      .tensors =
          {{.tensor = 2, .site = 3, .non_finite = 17, .overflow = 18446744073709551615ull, .largest = 64992, .nan = 4},
           {.tensor = 1, .site = 1, .non_finite = 1, .overflow = 2, .largest = 0.5f}},
      .facts = sampleFacts(step).second,
      .diagnosis = sampleDiagnosis()};
}

wire::Profile sampleProfile(std::int64_t step) {
  wire::Profile profile;
  profile.first_step = step;
  profile.last_step = step + 9;
  profile.steps = 10;
  profile.step_seconds = 0.0125;
  profile.curve = {"gpm", "running", "administrators only. Shown meanwhile: NVML's.", "Run as root.", "any tensor"};
  profile.times = {"kernel-records", "dropped", "Kernel records were lost.", "Wait.", "all"};
  profile.tensor = {"none", "no-permission", "administrators only", "Run as root.", "GH100"};
  profile.estimate = false;
  profile.outside = 0.002;
  profile.idle = 0.0015;
  for (int i = 0; i < 3; ++i) {
    profile.bins.push_back({.time = 0.01 * i,
                            .seconds = 0.01,
                            .covered = 0.5,
                            .tensor = 40.0 + i,
                            .hmma = 39.5,
                            .imma = 0.25,
                            .dmma = 0.125,
                            .sm_active = 80,
                            .clock = 1.755e9});
    wire::SiteProfile site{.site = i + 1,
                           .calls = 2,
                           .forward = 0.001 * (i + 1),
                           .backward = 0.002,
                           .accumulate = 0.0001,
                           .observe = 0.0002,
                           .launches = 5,
                           .tensor = 61.5,
                           .tensor_error = 0.75,
                           .confidence = "good",
                           .emulated = true,
                           .kernels = {},
                           .verdict = {.kind = wire::TensorVerdict::Kind::kNoGpu,
                                       .then = wire::TensorVerdict::Kind::kDimensions,
                                       .format = "float16",
                                       .of_outputs = true,
                                       .size = 10,
                                       .multiple = 8,
                                       .padded = 16,
                                       .operations = 1e6,
                                       .per_byte = 12.5}};
    site.kernels.push_back({"nvjet_hsh_256x128", 20, 0.0007, "tensor"});
    profile.sites.push_back(site);
  }
  return profile;
}

wire::CastLedger sampleCasts(int revision, std::int64_t step) {
  using enum wire::CastLine::Cause;
  const wire::CastLine weight{.site = 2,
                              .argument = "weight",
                              .from = formats::kFloat32,
                              .to = formats::kFloat16,
                              .casts = 1,
                              .saved = 1.5,
                              .bytes = 4096,
                              .seconds = 0.001,
                              .cause = kBaseList,
                              .rule = "cuda-amp",
                              .edit_match = "",
                              .edit_format = {}};
  const wire::CastLine input{.site = 3,
                             .argument = "",
                             .from = formats::kFloat16,
                             .to = formats::kFloat32,
                             .casts = 2,
                             .bytes = 512,
                             .seconds = 0.002,
                             .cause = kSiteRule,
                             .rule = "fc*",
                             .widest = true,
                             .single_calls = true,
                             .edit_match = "fc*",
                             .edit_format = formats::kFloat32,
                             .edit_bytes = -8192,
                             .edit_seconds = 0.0005};
  return {revision, step, step + 9, 10, 0.25, {weight, input}};
}

wire::Savings sampleSavings(std::int64_t step) {
  wire::Savings savings;
  savings.policy_revision = 3;
  savings.step = step;
  savings.sites = {1, 2};
  savings.before = {.casts = 12, .bytes = 8192, .seconds = 0.25, .emulated = true};
  savings.after = {.casts = 8, .bytes = 4096, .seconds = 0.125, .emulated = true};
  savings.products = {{.site = 2,
                       .m = 8,
                       .n = 16,
                       .k = 32,
                       .batches = 2,
                       .calls = 3,
                       .before = formats::kFloat16,
                       .after = formats::kBFloat16}};
  savings.estimates = {{.gpu = "A100", .before = 0.5, .after = 0.25}};
  return savings;
}

wire::Float32Comparison sampleComparison(std::int64_t step) {
  return {step,
          0.5,
          0.25,
          1024,
          {{1, 2, 0.125, 0.0625, true, 0.5, 0.75, 0.375, 0.25, 0.375, 0.75, 3, 0.03125, 0.015625},
           {3, 1, 1, 1, false, {}, {}, 0.5, 0, 0, 1}},
          {{wire::ReferenceNote::Kind::kLiftedCast, 1, "", ""},
           {wire::ReferenceNote::Kind::kLowResult, 3, "", "bfloat16"},
           {wire::ReferenceNote::Kind::kParameter, -1, "weight", "float16"},
           {wire::ReferenceNote::Kind::kBuffer, -1, "kept", "float16"},
           {wire::ReferenceNote::Kind::kInput, -1, "x", "bfloat16"},
           {wire::ReferenceNote::Kind::kOpaque, -1, "", ""},
           {wire::ReferenceNote::Kind::kCastsKept, -1, "half it must be", ""}}};
}

namespace {

wire::SilentFacts sampleSilentFacts(std::int64_t step) {
  return {.share = 0.125,
          .count = 90,
          .of = 1000,
          .output = "1",
          .of_argument = true,
          .step = step,
          .zeroed = 0.0625,
          .lowest_scale = -3,
          .highest_scale = 12,
          .largest = 700,
          .logit_error = 0.25,
          .before = 3,
          .before_step = 1,
          .update_over_weight = 0.0009765625,
          .epsilon = 1e-8,
          .loss = 8.5,
          .usual_loss = 2.25,
          .spreads = 123,
          .gradient_ratio = 40,
          .scale = 0.5,
          .wrong = 0.375,
          .harmless = true,
          .where = "fc2 (linear)",
          .unmeasured = "no memory",
          .in_loop = true,
          .alive_in_float32 = true,
          .origin = 1,
          .origin_added = 0.0625,
          .origin_becomes = 0.5,
          .infinite_site = 2,
          .operand = "grad_weight gradient",
          .quantized_format = "nvfp4",
          .snr_db = 18.5,
          .stale = 1.25,
          .alternative = "nvfp4+stochastic",
          .alternative_share = 0.0009765625,
          .alternative_snr_db = 17.25,
          .buffer = "mean",
          .buffer_since = "It is so since step 2."};
}

}  // namespace

wire::SilentReport sampleSilentReport(std::int64_t step) {
  wire::SilentReport report;
  report.policy_revision = 2;
  report.first_step = 3;
  report.last_step = step;
  report.observed_steps = 7;
  for (int i = 0; i < 7; ++i) {
    const auto kind = static_cast<wire::SilentFault::Kind>(i);
    report.faults.push_back({.kind = kind,
                             .direction = i % 2 == 0 ? wire::Direction::kBackward : wire::Direction::kForward,
                             .site = i - 1,
                             .what = "weight",
                             .format = formats::kFloat16,
                             .first_step = 4,
                             .last_step = step - 1,
                             .seen = 5,
                             .observed_steps = 6,
                             .amount = 0.5 / (i + 1),
                             .unit = static_cast<wire::SilentFault::Unit>(i + 2),
                             .bound = i == 3,
                             .facts = sampleSilentFacts(step),
                             .worst_step = step - 2,
                             .fix = {.scale = 4096, .rules = {samplePolicy().sites.front()}, .text = "Raise it."}});
  }
  report.hidden = {{.reason = wire::SilentGap::Reason::kSuspected, .count = 3, .fault = report.faults.front()},
                   {.reason = wire::SilentGap::Reason::kFusedLogits, .site = 1, .largest = 12},
                   {.reason = wire::SilentGap::Reason::kUnmeasured, .what = "whether it counts", .why = "no memory"}};
  report.updates = {{"fc1.weight", formats::kBFloat16, step - 1, 1000, 900, 70, 0.25, 0.0009765625},
                    {"fc1.bias", formats::kFloat32, step, 10, 0, 0, 0, std::numeric_limits<double>::infinity()}};
  return report;
}

}  // namespace binade::test
