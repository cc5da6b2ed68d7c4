// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace binade::wire {

/// Where batches come from.
struct DataConfig {
  std::string kind = "synthetic";  ///< `idx` or `synthetic`
  std::string folder;              ///< idx: the four MNIST-named files, plain or gzip
  double mean = 0;                 ///< idx: subtracted from pixels in 0..1
  double deviation = 1;            ///< idx: then divided by
  /// synthetic: one SPEC for each input of forward, `float32[8,3,32,32]`, `int64[8,16]<1000`, ... The first dimension
  /// of the first is the batch: RunConfig::batch replaces it, there and where another begins with the same number.
  std::vector<std::string> inputs;
  std::int64_t classes = 10;  ///< synthetic: labels are drawn below this
  friend bool operator==(const DataConfig&, const DataConfig&) = default;
};

struct OptimizerConfig {
  std::string kind = "sgd";  ///< `sgd` or `adam`
  double learning_rate = 0.01;
  double momentum = 0;  ///< sgd
  double weight_decay = 0;
  double beta1 = 0.9;     ///< adam
  double beta2 = 0.999;   ///< adam
  double epsilon = 1e-8;  ///< adam
  friend bool operator==(const OptimizerConfig&, const OptimizerConfig&) = default;
};

/// PyTorch's own defaults.
struct ScalerConfig {
  bool enabled = true;
  double init_scale = 65536;
  double growth_factor = 2;
  double backoff_factor = 0.5;
  std::int64_t growth_interval = 2000;
  friend bool operator==(const ScalerConfig&, const ScalerConfig&) = default;
};

struct ObserveConfig {
  std::string level = "histogram";  ///< `off`, `finite` (counts of non-finite values), `histogram`
  std::int64_t every = 1;           ///< histograms on every n-th step; finite checks on all of them
  friend bool operator==(const ObserveConfig&, const ObserveConfig&) = default;
};

/// One training, as its JSON file says it (schema: resources/schemas/run.schema.json). A plain value.
struct RunConfig {
  std::string name;
  std::string model;  ///< a TorchScript file, or `sample:NAME`
  DataConfig data;
  std::string loss = "cross_entropy";  ///< `cross_entropy` or `mse` (mean square of the output)
  std::string output;                  ///< which output the loss takes: empty, `[0]`, `out.aux`, `logits`
  OptimizerConfig optimizer;
  ScalerConfig scaler;
  policy::Policy policy;
  ObserveConfig observe;
  std::int64_t batch = 64;
  std::int64_t steps = 1000;
  std::int64_t evaluate_every = 0;  ///< 0: only at the end
  std::uint64_t seed = 1;
  std::string device = "cpu";  ///< `cpu` or `cuda`
  std::string run_file;        ///< where to record; empty: nowhere
  std::string caption;         ///< a sentence shown with the charts
  friend bool operator==(const RunConfig&, const RunConfig&) = default;
};

/// Refuses values that no training can use (an unknown loss, a learning rate below 0, no model): throws
/// Error{kBadRun} naming the field; `source` begins the message.
void check(const RunConfig& config, const std::string& source);

/// Whether a gradient scaler can hold this scale: above 0 and finite in float32.
bool is_loss_scale(double scale);

void check(const ObserveConfig& observe, const std::string& source);

/// Reads a run description's text and checks it; `policy` may be an object or a path, relative paths are resolved
/// against `folder`. Throws Error{kBadRun} naming the field, or Error{kBadPolicy}.
RunConfig parse_run(std::string_view text, const std::string& source, const std::string& folder);

/// The run as JSON text that `parse_run` reads back to the same value; ends with a newline.
std::string to_json(const RunConfig& config);

}  // namespace binade::wire
