// SPDX-License-Identifier: Apache-2.0
#include "tests/diagnose/faults.h"

#include "engine/diagnose/replay.h"
#include "engine/diagnose/trace.h"
#include "engine/graph/samples.h"
#include "engine/train/training_state_guard.h"
#include "tests/run/small_run.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace binade::test {

namespace jit = torch::jit;

namespace {

/// One node of a module's forward, and the name of its site in the flat graph.
struct Place {
  std::string path;
  jit::Module module;
  jit::Node* node;
  std::string site;
};

void places_in(jit::Block* block, const std::string& path, const jit::Module& module, std::map<std::string, int>& next,
               std::vector<Place>& found) {
  for (jit::Node* node : block->nodes()) {
    for (jit::Block* inner : node->blocks()) places_in(inner, path, module, next, found);
    if (!node->kind().is_aten() || node->outputs().size() != 1) continue;
    const std::string op = node->kind().toQualString();
    if (!node->output()->type()->isSubtypeOf(*c10::TensorType::get())) continue;
    const bool takes = std::any_of(node->inputs().begin(), node->inputs().end(), [](const jit::Value* input) {
      return input->type()->isSubtypeOf(*c10::TensorType::get()) || input->type()->kind() == c10::TypeKind::ListType;
    });
    if (!takes || op == "aten::zeros") continue;
    const std::string site = (path.empty() ? "" : path + "/") + op + "#" + std::to_string(next[op]++);
    found.push_back({path, module, node, site});
  }
}

std::vector<Place> placesOf(const graph::Model& model) {
  std::vector<Place> found;
  for (const auto& named : model.module().named_modules()) {
    const auto method = named.value.find_method("forward");
    if (!method) continue;
    std::map<std::string, int> next;
    places_in(method->graph()->block(), named.name, named.value, next, found);
  }
  return found;
}

/// What the results of a sample's sites are: dtype and shape, by site name.
class Results : public graph::SiteHook {
 public:
  void after(graph::Call& call) override {
    if (!call.result(0).isTensor()) return;
    const at::Tensor& tensor = call.result(0).toTensor();
    const std::int64_t row = tensor.dim() == 0 ? 1 : tensor.size(-1);
    all[call.site.key.name()] = {tensor.scalar_type(), tensor.dim(), row, tensor.requires_grad()};
  }
  struct Result {
    at::ScalarType dtype;
    std::int64_t rank;
    std::int64_t row;  ///< size of the last dimension
    bool gradient;
  };
  std::map<std::string, Result> all;
};

const std::map<std::string, Results::Result>& resultsOf(const std::string& sample) {
  static std::map<std::string, std::map<std::string, Results::Result>> known;
  const auto found = known.find(sample);
  if (found != known.end()) return found->second;
  const auto training = train::set_up(healthyRun(sample));
  Results results;
  std::array<graph::SiteHook*, 2> hooks{&results, &training->autocast};
  training->autocast.begin();
  training->forward.run(training->data->next().inputs, hooks);
  training->autocast.end();
  return known[sample] = results.all;
}

/// Puts ops behind a node; the first is a clone, by which its sites are found again.
class Insertion {
 public:
  explicit Insertion(const Place& place)
      : graph_(*place.node->owningGraph()), old_(place.node->output()), here_(place.node->next()) {
    original_ = op("aten::clone", {old_});
  }

  jit::Value* original() const { return original_; }
  jit::Value* op(const char* name, const std::vector<jit::NamedValue>& arguments) {
    last_ = graph_.insert(c10::Symbol::fromQualString(name), arguments);
    return last_;
  }
  jit::Value* zero() { return op("aten::mul", {original_, 0.0}); }
  jit::Value* attribute(jit::Value* self, const std::string& name) {
    return graph_.insertNode(graph_.createGetAttr(self, name))->output();
  }
  jit::Value* self() { return graph_.inputs()[0]; }
  /// The sum of what was there and `fault` goes on, as what was there was.
  void finish(jit::Value* fault) {
    jit::Value* sum = op("aten::add", {original_, fault});
    jit::Value* result = op("aten::type_as", {sum, original_});
    finish_with(result);
  }
  void finish_with(jit::Value* result) { old_->replaceAllUsesAfterNodeWith(result->node(), result); }

 private:
  jit::Graph& graph_;
  jit::Value* old_;
  jit::WithInsertPoint here_;
  jit::Value* original_;
  jit::Value* last_ = nullptr;
};

/// Where among the inserted sites the root is, counted from the clone.
int insert(const Place& place, Fault fault) {
  Insertion in(place);
  jit::Value* c = in.original();
  switch (fault) {
    case Fault::kOverflowLow: {
      jit::Value* t = in.op("aten::add", {in.zero(), 300.0});
      in.finish(in.op("aten::mul", {t, t}));
      return 3;
    }
    case Fault::kOverflowBesideMask: {
      jit::Value* t = in.op("aten::add", {in.zero(), 40000.0});
      jit::Value* first = in.op("aten::lt", {in.op("aten::cumsum", {t, -1}), 60000.0});
      jit::Value* masked = in.op("aten::masked_fill", {t, first, -kInfinity});
      in.finish(in.op("aten::softmax", {in.op("aten::add", {masked, t}), -1, c10::IValue()}));
      return 6;
    }
    case Fault::kOverflowWide: {
      jit::Value* t = in.op("aten::add", {in.zero(), 100.0});
      in.finish(in.op("aten::exp", {t}));
      return 3;
    }
    case Fault::kCastOverflow: {
      jit::Value* wide = in.op("aten::to", {c, static_cast<std::int64_t>(at::kFloat), false, false, c10::IValue()});
      jit::Value* t = in.op("aten::add", {in.op("aten::mul", {wide, 0.0}), 100000.0});
      jit::Value* row = in.op("aten::reshape", {t, std::vector<std::int64_t>{1, -1}});
      jit::Value* column = in.op("aten::transpose", {row, 0, 1});
      in.finish(in.op("aten::mm", {row, column}));
      return 6;
    }
    case Fault::kLogOfZero:
      in.finish(in.op("aten::log", {in.zero()}));
      return 2;
    case Fault::kLogOfZeroMasked: {
      jit::Value* log = in.op("aten::log", {in.zero()});
      in.finish(in.op("aten::masked_fill", {log, in.op("aten::isinf", {log}), 0.0}));
      return 2;
    }
    case Fault::kByZero:
      in.finish(in.op("aten::div", {c, in.zero()}));
      return 2;
    case Fault::kByZeroMasked: {
      jit::Value* ratio = in.op("aten::div", {c, in.zero()});
      jit::Value* bad = in.op("aten::logical_not", {in.op("aten::isfinite", {ratio})});
      in.finish(in.op("aten::masked_fill", {ratio, bad, 0.0}));
      return 2;
    }
    case Fault::kSlopeOfRoot:
      in.finish(in.op("aten::sqrt", {in.zero()}));
      return 2;
    case Fault::kMaskedSoftmax: {
      jit::Value* masked = in.op("aten::masked_fill", {c, in.op("aten::eq", {c, c}), -kInfinity});
      in.finish(in.op("aten::softmax", {masked, -1, c10::IValue()}));
      return 3;
    }
    case Fault::kScaleTooHigh:
      in.finish_with(in.op("aten::div", {in.op("aten::mul", {c, 0x1p-12}), 0x1p-12}));
      return 2;
    case Fault::kBadBuffer:
      in.finish(in.attribute(in.self(), "shift"));
      return 1;
    case Fault::kUnderflowForward: {
      jit::Value* small = in.op("aten::mul", {c, 0x1p-25});
      jit::Value* lost = in.op("aten::sub", {in.op("aten::mul", {small, 0x1p25}), c});
      in.finish_with(in.op("aten::add", {c, in.op("aten::detach", {lost})}));
      return 1;
    }
    case Fault::kUnderflowBackward: {
      jit::Value* kept = in.op("aten::detach", {c});
      jit::Value* zero = in.op("aten::sub", {c, kept});
      jit::Value* product = in.op("aten::mul", {in.op("aten::mul", {zero, 0x1p14}), 0x1p-14});
      in.finish_with(in.op("aten::add", {kept, product}));
      return 4;
    }
    case Fault::kBadInput:
    case Fault::kBadWeight:
      break;
  }
  return 0;
}

/// Data of which one number is not finite.
class Poisoned : public batches::BatchSource {
 public:
  Poisoned(std::unique_ptr<batches::BatchSource> data, std::uint64_t seed) : data_(std::move(data)), seed_(seed) {}
  batches::Batch next() override {
    batches::Batch batch = data_->next();
    bool done = false;
    for (const c10::IValue& input : batch.inputs) {
      observe::each_tensor(input, [&](const at::Tensor& tensor) {
        if (done || !tensor.is_floating_point()) return;
        const auto place = static_cast<std::int64_t>(seed_ % static_cast<std::uint64_t>(tensor.numel()));
        tensor.view(-1)[place].fill_(seed_ % 2 == 0 ? kNaN : kInfinity);
        done = true;
      });
    }
    return batch;
  }
  std::int64_t cursor() const override { return data_->cursor(); }
  void seek(std::int64_t cursor) override { data_->seek(cursor); }
  std::int64_t test_batches() const override { return data_->test_batches(); }
  batches::Batch test_batch(std::int64_t index) const override { return data_->test_batch(index); }
  std::int64_t examples() const override { return data_->examples(); }
  std::int64_t test_examples() const override { return data_->test_examples(); }
  const std::vector<batches::TargetInfo>& targets() const override { return data_->targets(); }

 private:
  std::unique_ptr<batches::BatchSource> data_;
  std::uint64_t seed_;
};

/// The largest magnitude of gradients in float16 that come into (else leave) the backward of a call, and of all others,
/// at scale 1.
struct Largest {
  double own_in = 0, own_out = 0, others = 0;
};
Largest gradientsOf(train::Training& training, const std::string& root) {
  diagnose::Replay replay(training);
  training.buffers.keep();
  const std::int64_t cursor = training.data->cursor();
  replay.begin(cursor, train::RandomState::of(training.device));
  replay.add(training.data->next());
  training.data->seek(cursor);
  const train::TrainingStateGuard guard(training);
  diagnose::Trace trace;
  replay.run({.scale = 1, .policy = {}, .trace = &trace});
  Largest largest;
  for (const diagnose::TracedNode& node : trace.nodes()) {
    const bool mine = node.call >= 0 && trace.calls()[static_cast<std::size_t>(node.call)].site->key.name() == root;
    for (const observe::Values& seen : node.out) {
      if (seen.dtype != at::kHalf) continue;
      double& of = mine ? largest.own_out : largest.others;
      of = std::max(of, seen.largest);
    }
    for (const observe::Values& seen : node.in) {
      if (!mine || seen.dtype != at::kHalf) continue;
      largest.own_in = std::max(largest.own_in, seen.largest);
    }
  }
  return largest;
}

/// The loss scale at which the inserted call's gradient overflows and no other; 0 where there is none.
double scaleBetween(train::Training& training, const std::string& root) {
  const Largest largest = gradientsOf(training, root);
  const double own = largest.own_out;
  const double others = std::max(largest.others, largest.own_in);
  if (own <= 0 || others <= 0) return 0;
  const double scale = std::exp2(std::ceil(std::log2(65520 / own * 1.05)));
  return scale * others < 65000 ? scale * training.scalers.scale(0) : 0;
}

/// The loss scale at which the inserted call's gradient, a 2^14th of what comes in, is just too small for float16.
double scaleBelow(train::Training& training, const std::string& root) {
  const Largest largest = gradientsOf(training, root);
  return largest.own_in > 0 ? std::exp2(std::round(std::log2(0x1p-10 / largest.own_in))) * training.scalers.scale(0)
                            : 0;
}

bool isOutside(Fault fault) {
  return fault == Fault::kBadInput || fault == Fault::kBadWeight;
}

wire::Verdict verdictOf(Fault fault) {
  using wire::Verdict;
  switch (fault) {
    case Fault::kOverflowLow:
    case Fault::kOverflowBesideMask:
    case Fault::kOverflowWide:
      return Verdict::kForwardOverflow;
    case Fault::kCastOverflow:
      return Verdict::kCastOverflow;
    case Fault::kScaleTooHigh:
      return Verdict::kBenign;
    case Fault::kBadInput:
      return Verdict::kNonFiniteData;
    case Fault::kBadWeight:
      return Verdict::kNonFiniteParameter;
    case Fault::kBadBuffer:
      return Verdict::kPoisonedBuffer;
    default:
      return Verdict::kInvalidOperation;
  }
}

bool suits(const Results::Result& result, Fault fault) {
  if (result.dtype != at::kHalf && result.dtype != at::kFloat) return false;
  if (result.rank < 2 || !result.gradient) return false;
  if (fault == Fault::kOverflowBesideMask && result.row < 2) return false;
  const bool low = fault == Fault::kOverflowLow || fault == Fault::kOverflowBesideMask ||
                   fault == Fault::kScaleTooHigh || fault == Fault::kUnderflowForward ||
                   fault == Fault::kUnderflowBackward;
  return !low || result.dtype == at::kHalf;
}

/// A training of the sample with the fault put behind a random node.
std::optional<Case> inserted(const std::string& sample, Fault fault, std::mt19937_64& random,
                             const std::string& folder) {
  const auto& results = resultsOf(sample);
  const graph::Model model = graph::make_sample(sample, 7);
  std::vector<Place> places = placesOf(model);
  std::erase_if(places, [&](const Place& place) {
    const auto result = results.find(place.site);
    return result == results.end() || !suits(result->second, fault);
  });
  if (places.empty()) return std::nullopt;
  Place& place = places[random() % places.size()];
  if (fault == Fault::kBadBuffer) place.module.register_buffer("shift", at::zeros({}));
  const int offset = insert(place, fault);
  wire::RunConfig config = healthyRun(sample);
  config.model = folder + "/" + sample + ".pt";
  model.module().save(config.model);

  Case made{train::set_up(config), {verdictOf(fault), {}}, place.site, -1};
  train::Training& training = *made.training;
  const auto clone = std::find_if(training.sites.begin(), training.sites.end(),
                                  [](const graph::Site* site) { return site->op == "aten::clone"; });
  const std::string root = (*(clone + offset))->key.name();
  if (fault == Fault::kBadBuffer) {
    for (auto& [name, buffer] : training.model.buffers()) {
      if (!name.ends_with("shift")) continue;
      buffer.fill_(kNaN);
      made.expected.roots = {name};
    }
    return made;
  }
  made.expected.roots = {root};
  made.root = (*(clone + offset))->id;
  if (fault == Fault::kScaleTooHigh || fault == Fault::kUnderflowBackward) {
    const double scale = fault == Fault::kScaleTooHigh ? scaleBetween(training, root) : scaleBelow(training, root);
    if (scale == 0) return std::nullopt;
    training.scalers.set_scale(0, scale);
  }
  return made;
}

std::optional<Case> fromOutside(const std::string& sample, Fault fault, std::mt19937_64& random) {
  Case made{train::set_up(healthyRun(sample)), {verdictOf(fault), {}}, {}, -1};
  train::Training& training = *made.training;
  if (fault == Fault::kBadInput) {
    if (sample == "transformer") return std::nullopt;
    training.data = std::make_unique<Poisoned>(std::move(training.data), random());
    const std::string input = sample == "control-flow" ? "inputs" : "x";
    made.expected.roots = {input};
    made.place = input;
    return made;
  }
  const at::NoGradGuard no_history;
  const auto parameters = training.model.parameters();
  const auto& [name, parameter] = parameters[random() % parameters.size()];
  at::Tensor flat = parameter.view(-1);
  const bool embedding = name == "tokens.weight";  // only rows of tokens that occur count
  if (embedding) {
    flat.fill_(kNaN);
  } else {
    flat[static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(flat.numel()))].fill_(kNaN);
  }
  if (name == "positions" && !embedding) parameter[0].fill_(kNaN);  // rows beyond the sequence are not used
  made.expected.roots = {name};
  made.place = name;
  return made;
}

}  // namespace

const std::vector<Fault>& allFaults() {
  static const std::vector<Fault> all{Fault::kOverflowLow,   Fault::kOverflowBesideMask, Fault::kOverflowWide,
                                      Fault::kCastOverflow,  Fault::kLogOfZero,          Fault::kLogOfZeroMasked,
                                      Fault::kByZero,        Fault::kByZeroMasked,       Fault::kSlopeOfRoot,
                                      Fault::kMaskedSoftmax, Fault::kScaleTooHigh,       Fault::kBadInput,
                                      Fault::kBadWeight,     Fault::kBadBuffer};
  return all;
}

const char* name(Fault fault) {
  static const std::map<Fault, const char*> names{{Fault::kOverflowLow, "overflow in float16"},
                                                  {Fault::kOverflowBesideMask, "overflow beside a mask"},
                                                  {Fault::kOverflowWide, "overflow in float32"},
                                                  {Fault::kCastOverflow, "cast overflow"},
                                                  {Fault::kLogOfZero, "log 0"},
                                                  {Fault::kLogOfZeroMasked, "log 0, masked"},
                                                  {Fault::kByZero, "x/0"},
                                                  {Fault::kByZeroMasked, "x/0, masked"},
                                                  {Fault::kSlopeOfRoot, "sqrt' at 0"},
                                                  {Fault::kMaskedSoftmax, "masked softmax"},
                                                  {Fault::kScaleTooHigh, "scale too high"},
                                                  {Fault::kBadInput, "NaN input"},
                                                  {Fault::kBadWeight, "NaN weight"},
                                                  {Fault::kBadBuffer, "poisoned buffer"},
                                                  {Fault::kUnderflowForward, "underflow, forward"},
                                                  {Fault::kUnderflowBackward, "underflow, backward"}};
  return names.at(fault);
}

wire::RunConfig healthyRun(const std::string& sample) {
  static const std::map<std::string, std::string> inputs{
      {"mlp", "float32[4,1,28,28]"},    {"cnn", "float32[4,1,28,28]"},
      {"resnet", "float32[2,3,16,16]"}, {"transformer", "int64[4,8]<1000"},
      {"lstm", "float32[4,1,28,28]"},   {"control-flow", "dict(\"x\": float32[4,16], \"context\": float32[4,8])"}};
  wire::RunConfig config = smallRun(10);
  config.model = "sample:" + sample;
  config.data.inputs = {inputs.at(sample)};
  config.data.prefetch = 0;
  config.batch = sample == "resnet" ? 2 : 4;
  if (sample == "control-flow") config.output = "[0]";
  config.scaler.init_scale = 1024;
  config.observe.level = "off";
  return config;
}

std::optional<Case> makeCase(const std::string& sample, Fault fault, std::uint64_t seed, const std::string& folder) {
  std::mt19937_64 random(seed);
  if (isOutside(fault)) return fromOutside(sample, fault, random);
  constexpr int kTries = 6;  // a scale between two calls is not everywhere
  for (int i = 0; i < kTries; ++i) {
    if (auto made = inserted(sample, fault, random, folder)) return made;
  }
  return std::nullopt;
}

std::set<std::string> rootsOf(const wire::Diagnosis& diagnosis, const train::Training& training) {
  using F = wire::Root::Fault;
  std::set<std::string> names;
  for (const wire::Root& root : diagnosis.roots) {
    const bool outside =
        root.fault == F::kData || root.fault == F::kParameter || root.fault == F::kBuffer || root.site < 0;
    names.insert(outside ? root.what : training.sites[static_cast<std::size_t>(root.site)]->key.name());
  }
  return names;
}

}  // namespace binade::test
