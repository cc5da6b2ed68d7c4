// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/input_guess.h"

#include "engine/graph/dtype_format.h"
#include "engine/graph/dtype_name.h"
#include "engine/graph/shape_trial.h"

#include <torch/csrc/jit/api/module.h>

#include <array>
#include <numeric>
#include <string_view>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

constexpr std::int64_t kBatch = kGuessedBatch;
/// Represent sizes in a template that the layer leaves open.
constexpr std::int64_t kSide = -2;    // side of a picture, equal in each dimension
constexpr std::int64_t kLength = -3;  // length of a sequence
constexpr std::int64_t kSeed = -4;    // side from which a picture is upsampled
constexpr std::int64_t kMostSide = 320;
constexpr std::int64_t kMostLength = 1024;
/// Limit of layers used: the first to use an input is among the first of its kind.
constexpr std::size_t kMostLayers = 24;
constexpr std::size_t kMostWork = 1'000'000;  // nodes; takes about a second

/// A shape that a layer accepts.
struct Template {
  std::string weight;  ///< the weight that it was derived from
  Sizes sizes;         ///< the batch comes first
  std::string dtype = "float32";
  std::int64_t below = 0;  ///< for integers: upper limit of the values
};

std::string input_dtype(const at::Tensor& weight) {
  const at::ScalarType dtype = weight.scalar_type();
  return dtype == at::kDouble || low_format(dtype) ? dtype_name(dtype) : "float32";
}

/// Shapes that the layers of a graph accept, in the order of the text.
class Templates {
 public:
  Templates(const jit::Graph& graph, const ShapeTrial& trial) : trial_(trial) { look(*graph.block()); }
  const std::vector<Template>& all() const { return all_; }

 private:
  void look(const jit::Block& block) {
    for (const jit::Node* node : block.nodes()) {
      if (layers_ == kMostLayers) return;
      const std::string kind = node->kind().toQualString();
      if (kind.starts_with("aten::")) layer(*node, kind.substr(6));
      for (const jit::Block* inner : node->blocks()) look(*inner);
    }
  }

  void add(const jit::Value* value, const at::Tensor& weight, const std::vector<Sizes>& shapes) {
    for (const Sizes& sizes : shapes) all_.push_back({ShapeTrial::name_of(value), sizes, input_dtype(weight), 0});
    ++layers_;
  }

  /// The model's tensor that a value refers to, transposed or not.
  std::pair<const jit::Value*, at::Tensor> weight_of(const jit::Value* value) const {
    const bool turned = std::string_view(value->node()->kind().toQualString()) == "aten::t";
    const jit::Value* const from = turned ? value->node()->input(0) : value;
    const auto held = trial_.fixed(from);
    if (!held || !held->isTensor() || !held->toTensor().defined()) return {from, {}};
    const at::Tensor& tensor = held->toTensor();
    return {from, turned && tensor.dim() == 2 ? tensor.t() : tensor};
  }

  void layer(const jit::Node& node, const std::string& op) {
    constexpr std::array<std::string_view, 4> kRecurrent{"lstm", "gru", "rnn_tanh", "rnn_relu"};
    const auto input = [&](std::size_t i) { return i < node.inputs().size() ? node.input(i) : nullptr; };
    if (op.starts_with("conv") || op == "_convolution") {
      const auto [value, weight] = weight_of(input(1));
      if (!weight.defined() || weight.dim() < 3) return;
      convolution(value, weight, node, op);
    } else if (op == "linear" || op == "addmm" || op == "mm" || op == "matmul") {
      const auto [value, weight] = weight_of(input(op == "addmm" ? 2 : 1));
      if (!weight.defined() || weight.dim() != 2) return;
      const std::int64_t in = weight.size(op == "linear" ? 1 : 0);
      flattened(value, weight, in);  // a model that flattens pixels receives pictures
      add(value, weight, {{kBatch, in}, {kBatch, kLength, in}, {kBatch, kSide, kSide, in}, {kBatch, in, kLength}});
    } else if (op == "embedding") {
      const auto [value, weight] = weight_of(input(0));
      if (!weight.defined() || weight.dim() != 2) return;
      for (const Sizes& sizes : {Sizes{kBatch, kLength}, Sizes{kBatch}, Sizes{kBatch, kLength, 2}}) {
        all_.push_back({ShapeTrial::name_of(value), sizes, "int64", weight.size(0)});
      }
      ++layers_;
    } else if (std::find(kRecurrent.begin(), kRecurrent.end(), op) != kRecurrent.end()) {
      recurrent(node);
    } else if (op.ends_with("_cell")) {
      const auto [value, weight] = weight_of(input(2));
      if (!weight.defined() || weight.dim() != 2) return;
      add(value, weight, {{kBatch, weight.size(1)}, {kBatch, kLength, weight.size(1)}});
    } else if (op == "layer_norm" || op == "batch_norm" || op == "group_norm") {
      const auto [value, weight] = weight_of(input(op == "batch_norm" ? 1 : 2));
      if (weight.defined()) norm(value, weight, op);
    } else if (op == "add" || op == "mul" || op == "sub" || op == "div") {
      for (const std::size_t side : {1, 0}) {
        const auto [value, weight] = weight_of(input(side));
        if (weight.defined() && weight.dim() > 0 && !ShapeTrial::name_of(value).empty()) beside(value, weight);
      }
    }
  }

  void convolution(const jit::Value* value, const at::Tensor& weight, const jit::Node& node, const std::string& op) {
    const bool any = op == "_convolution";
    const auto told = any ? trial_.fixed(node.input(6)) : std::nullopt;
    const bool transposed = op.starts_with("conv_transpose") || (told && told->isBool() && told->toBool());
    const auto groups = trial_.fixed(node.input(any ? 8 : 6));
    const std::int64_t channels =
        transposed ? weight.size(0) : weight.size(1) * (groups && groups->isInt() ? groups->toInt() : 1);
    const auto dims = static_cast<std::size_t>(weight.dim() - 2);
    const std::int64_t free = dims == 1 ? kLength : transposed ? kSeed : kSide;
    Sizes first{kBatch, channels};  // as the layer takes it
    first.resize(dims + 2, free);
    Sizes last{kBatch};  // channels last: the model transposes it
    last.resize(dims + 1, free);
    last.push_back(channels);
    std::vector<Sizes> shapes{first, last};
    if (channels == 1) {  // the model adds the channel dimension
      Sizes none{kBatch};
      none.resize(dims + 1, free);
      shapes.push_back(none);
    }
    add(value, weight, shapes);
  }

  /// Pictures whose pixels a linear layer takes as one row.
  void flattened(const jit::Value* value, const at::Tensor& weight, std::int64_t in) {
    for (const std::int64_t channels : {1, 3}) {
      for (std::int64_t side = 2; side * side * channels <= in; ++side) {
        if (side * side * channels != in) continue;
        all_.push_back({ShapeTrial::name_of(value), {kBatch, channels, side, side}, input_dtype(weight), 0});
        if (channels == 1) all_.push_back({ShapeTrial::name_of(value), {kBatch, side, side}, input_dtype(weight), 0});
      }
    }
  }

  void recurrent(const jit::Node& node) {
    const jit::Value* value = node.input(2);
    if (value->node()->kind() == c10::prim::ListConstruct && !value->node()->inputs().empty()) {
      value = value->node()->input(0);
    }
    auto held = trial_.fixed(value);
    if (held && held->isTensorList() && !held->toTensorList().empty()) held = held->toTensorList().get(0);
    if (!held || !held->isTensor() || held->toTensor().dim() != 2) return;
    const std::int64_t in = held->toTensor().size(1);
    add(value, held->toTensor(), {{kBatch, kLength, in}});
  }

  void norm(const jit::Value* value, const at::Tensor& weight, const std::string& op) {
    if (op == "layer_norm") {
      Sizes one{kBatch};
      Sizes more{kBatch, kLength};
      for (const std::int64_t size : weight.sizes()) one.push_back(size), more.push_back(size);
      return add(value, weight, {one, more});
    }
    if (weight.dim() != 1) return;
    add(value, weight,
        {{kBatch, weight.size(0)}, {kBatch, weight.size(0), kLength}, {kBatch, weight.size(0), kSide, kSide}});
  }

  /// A parameter that is added to or multiplied with the input.
  void beside(const jit::Value* value, const at::Tensor& weight) {
    Sizes sizes = weight.sizes().vec();
    while (sizes.size() > 1 && sizes.front() == 1) sizes.erase(sizes.begin());
    Sizes batched{kBatch};
    batched.insert(batched.end(), sizes.begin(), sizes.end());
    Sizes longer{kBatch, kLength};
    longer.insert(longer.end(), sizes.begin(), sizes.end());
    std::vector<Sizes> shapes{batched, longer};
    if (sizes.size() > 1) shapes.push_back(sizes);
    add(value, weight, shapes);
  }

  const ShapeTrial& trial_;
  std::vector<Template> all_;
  std::size_t layers_ = 0;
};

/// Values for the open size of a template.
struct Values {
  std::vector<std::int64_t> usual;
  std::int64_t most = 0;  ///< all values below this are tried if the usual ones fit no template
};

Values values_for(const Sizes& sizes) {
  const auto has = [&](std::int64_t mark) { return std::find(sizes.begin(), sizes.end(), mark) != sizes.end(); };
  if (has(kSeed)) return {{1, 4, 7, 8}, 64};
  if (has(kSide) && sizes.size() >= 5) return {{16, 32, 64}, 64};
  if (has(kSide)) {
    const bool one_channel = std::find(sizes.begin(), sizes.end(), 1) != sizes.end() || sizes.size() < 4;
    std::vector<std::int64_t> usual =
        one_channel ? std::vector<std::int64_t>{28, 32, 64, 224} : std::vector<std::int64_t>{32, 224, 64, 28};
    usual.insert(usual.end(), {96, 128, 256, 299, 227, 48});
    return {std::move(usual), kMostSide};
  }
  if (has(kLength)) return {{16, 64, 32, 128, 256, 512, 1024, 16000}, kMostLength};
  return {{0}, 0};
}

Sizes filled(const Sizes& sizes, std::int64_t value) {
  Sizes all = sizes;
  for (std::int64_t& each : all) each = each == kSide || each == kLength || each == kSeed ? value : each;
  return all;
}

std::string text_of(const Sizes& sizes) {
  std::string text;
  for (const std::int64_t size : sizes) {
    text += (text.empty() ? "" : ",") + (size == kBatch ? std::string("N") : std::to_string(size));
  }
  return "[" + text + "]";
}

/// The first weight that the input meets, and the first linear one after it, which may have determined a size.
std::string said_by(const std::vector<MetWeight>& met) {
  std::string text = met.front().name + " " + text_of(met.front().sizes);
  const auto linear = std::find_if(met.begin() + 1, met.end(), [](const auto& each) { return each.sizes.size() == 2; });
  const bool settles = met.front().sizes.size() > 2 && linear != met.end();
  return settles ? text + ", " + linear->name + " " + text_of(linear->sizes) : text;
}

/// The first shape of a template that the model accepts, with one of `values` for its open size.
std::optional<InputGuess> fitting(ShapeTrial& trial, const jit::Value* input, const Template& wanted,
                                  const std::vector<std::int64_t>& values) {
  for (const std::int64_t value : values) {
    const Sizes sizes = filled(wanted.sizes, value);
    if (trial.work() > kMostWork) return std::nullopt;
    if (!trial.run(input, sizes)) continue;
    if (trial.met().empty() || trial.met().front().name != wanted.weight) return std::nullopt;
    std::string spec = wanted.dtype + text_of(sizes);
    if (wanted.below > 0) spec += "<" + std::to_string(wanted.below);
    return InputGuess{std::move(spec), said_by(trial.met()), sizes};
  }
  return std::nullopt;
}

/// Usual sizes of every template come before unusual ones of any: a picture whose side happens to equal its number of
/// channels would fit wherever the model transposes it.
std::optional<InputGuess> guess(ShapeTrial& trial, const jit::Value* input, const std::vector<Template>& templates) {
  for (const Template& each : templates) {
    if (auto found = fitting(trial, input, each, values_for(each.sizes).usual)) return found;
  }
  for (const Template& each : templates) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(std::max<std::int64_t>(values_for(each.sizes).most - 1, 0)));
    std::iota(all.begin(), all.end(), 2);
    if (auto found = fitting(trial, input, each, all)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::optional<InputGuess>> guess_inputs(const Model& model, const FlatGraph& flat) {
  const jit::Graph& graph = flat.graph();
  const c10::IValue self = model.module()._ivalue();
  ShapeTrial trial(graph, self);
  const Templates templates(graph, trial);
  std::vector<std::optional<InputGuess>> guesses;
  for (std::size_t i = 1; i < graph.inputs().size(); ++i) {  // the first input is self
    const jit::Value* const input = graph.inputs()[i];
    guesses.emplace_back();
    if (input->type()->kind() == c10::TypeKind::TensorType) guesses.back() = guess(trial, input, templates.all());
  }
  return guesses;
}

}  // namespace binade::graph
