// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/preview.h"

#include "engine/batches/open_data.h"
#include "engine/files/array_file.h"
#include "engine/graph/dtype_name.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"

#include <ATen/ops/isfinite.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <sstream>

namespace binade::batches {

namespace {

/// More kinds of whole numbers than this in a batch are no labels.
constexpr std::size_t kMostLabels = 1000;
constexpr std::int64_t kFirstValues = 6;

std::vector<wire::LabelCount> count_labels(const at::Tensor& values) {
  const at::Tensor flat = values.to(at::kLong).flatten().contiguous();
  std::map<std::int64_t, std::int64_t> counts;
  for (std::int64_t i = 0; i < flat.numel(); ++i) {
    ++counts[flat.const_data_ptr<std::int64_t>()[i]];
    if (counts.size() > kMostLabels) return {};
  }
  std::vector<wire::LabelCount> all;
  for (const auto& [label, count] : counts) all.push_back({label, count});
  return all;
}

wire::DataColumn described(const std::string& name, const at::Tensor& tensor, bool is_target) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  wire::DataColumn column{.name = name,
                          .target = is_target,
                          .dtype = graph::dtype_name(tensor.scalar_type()),
                          .shape = {},
                          .first = {},
                          .labels = {}};
  column.shape = tensor.sizes().vec();
  const at::Tensor wide = (tensor.is_complex() ? tensor.abs() : tensor).to(at::kDouble);
  const at::Tensor finite = wide.masked_select(at::isfinite(wide));
  const bool any = finite.numel() > 0;
  column.lowest = any ? finite.min().item<double>() : kNone;
  column.highest = any ? finite.max().item<double>() : kNone;
  column.mean = any ? finite.mean().item<double>() : kNone;
  column.non_finite = wide.numel() - finite.numel();
  const at::Tensor example = tensor.dim() > 0 && tensor.size(0) > 0 ? wide.select(0, 0) : wide;
  const at::Tensor flat = example.flatten().narrow(0, 0, std::min<std::int64_t>(example.numel(), kFirstValues));
  for (std::int64_t i = 0; i < flat.numel(); ++i) column.first.push_back(flat[i].item<double>());
  if (is_target && c10::isIntegralType(tensor.scalar_type(), true)) column.labels = count_labels(tensor);
  return column;
}

/// An argument that is no tensor shows its value where a dtype stands.
wire::DataColumn described(const std::string& name, const c10::IValue& value) {
  if (value.isTensor()) return described(name, value.toTensor(), false);
  std::ostringstream text;
  text << value;
  return {.name = name, .target = false, .dtype = text.str(), .shape = {}, .first = {}, .labels = {}};
}

}  // namespace

wire::DataPreview preview(BatchSource& source, const c10::FunctionSchema& forward, std::int64_t batch) {
  const Batch first = source.peek(0);
  wire::DataPreview preview;
  for (std::size_t i = 0; i < first.inputs.size(); ++i) {
    const bool named = i + 1 < forward.arguments().size();
    const std::string name = named ? forward.arguments()[i + 1].name() : "input " + std::to_string(i);
    preview.columns.push_back(described(name, first.inputs[i]));
  }
  for (const auto& [name, target] : first.targets) preview.columns.push_back(described(name, target, true));
  preview.examples = source.examples();
  preview.test_examples = source.test_examples();
  preview.batches = preview.examples / batch;
  return preview;
}

wire::DataArrays arrays_of(const std::vector<std::string>& files) {
  wire::DataArrays all;
  for (const std::string& file : files) {
    const std::unique_ptr<files::ArrayFile> arrays = files::open_arrays(file);  // it holds the names
    for (const std::string& name : arrays->names()) all.arrays.push_back({file, name});
  }
  return all;
}

wire::DataPreview preview(const wire::RunConfig& config, const files::Progress& progress) {
  const graph::Model model = graph::open_model(config.model, config.seed);
  const graph::FlatGraph forward(model);
  wire::RunConfig one = config;
  one.data.prefetch = 0;
  const auto source = open_data(one, forward.schema(), progress);
  return preview(*source, forward.schema(), config.batch);
}

}  // namespace binade::batches
