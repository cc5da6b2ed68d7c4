// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/open_data.h"

#include "engine/batches/file_data.h"
#include "engine/batches/idx_data.h"
#include "engine/batches/prefetch.h"
#include "engine/batches/synthetic_data.h"
#include "engine/formats/error.h"
#include "engine/graph/samples.h"

#include <span>

namespace binade::batches {

namespace {

/// A sample says itself what it takes.
std::vector<std::string> inputs_of(const wire::RunConfig& config) {
  const graph::Sample* sample = graph::find_sample(config.model);
  return config.data.inputs.empty() && sample != nullptr ? sample->inputs : config.data.inputs;
}

[[noreturn]] void refuse_missing(const c10::FunctionSchema& forward) {
  std::string takes;
  for (std::size_t i = 1; i < forward.arguments().size(); ++i) {  // the first is self
    const c10::Argument& argument = forward.arguments()[i];
    takes += (takes.empty() ? "" : ", ") + argument.name() + ": " + argument.type()->annotation_str();
  }
  throw Error(ErrorCode::kBadRun, "data is missing: the run has no input for forward(" + takes + ")",
              "Name files with \"data\": {\"kind\": \"files\", \"files\": [...]}, or use random data with one SPEC per "
              "argument: \"data\": {\"inputs\": [\"float32[64,1,28,28]\"]}. The first dimension is the batch.")
      .at("data");
}

std::unique_ptr<BatchSource> open_source(const wire::RunConfig& config, const c10::FunctionSchema& forward,
                                         const files::Progress& progress, Shard shard) {
  if (config.data.kind == "idx")
    return std::make_unique<IdxData>(config.data, config.batch, config.seed, progress, shard);
  if (config.data.kind == "files") {
    const std::span<const c10::Argument> arguments = forward.arguments();
    auto data =
        std::make_unique<FileData>(config.data, arguments.subspan(1), config.batch, config.seed, progress, shard);
    data->check_finite(progress);
    return data;
  }
  const std::vector<std::string> inputs = inputs_of(config);
  if (inputs.empty()) refuse_missing(forward);
  return std::make_unique<SyntheticData>(inputs, config.batch, config.data.classes, config.seed, shard);
}

}  // namespace

std::unique_ptr<BatchSource> open_data(const wire::RunConfig& config, const c10::FunctionSchema& forward,
                                       const files::Progress& progress, Shard shard) {
  auto source = open_source(config, forward, progress, shard);
  if (config.data.prefetch == 0) return source;
  return std::make_unique<Prefetched>(std::move(source), config.data.prefetch);
}

}  // namespace binade::batches
