// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace binade::wire {

/// A list that a file may write as a single element.
template <class T>
struct OneOrMore {
  std::vector<T> values{};
  friend bool operator==(const OneOrMore&, const OneOrMore&) = default;
};

/// Source and conversion of an argument of forward, or of a target.
struct ColumnConfig {
  /// Arrays of the files or columns of a table: `name`, or `FILE:name` if several files have it. Several are joined
  /// side by side: [rows] and [rows] give [rows, 2].
  OneOrMore<std::string> from{};
  /// `float32`, `int64`, ...; empty: as in the file, except float64 becomes float32 and a target's integers become
  /// int64.
  std::string dtype{};
  OneOrMore<double> mean{};       ///< subtracted after the conversion; one for all, or one per channel
  OneOrMore<double> deviation{};  ///< divisor after that
  /// Shape of one example, `[]` for a single number; empty: as in the file.
  std::optional<std::vector<std::int64_t>> shape{};
  friend bool operator==(const ColumnConfig&, const ColumnConfig&) = default;
};

/// Source of batches.
struct DataConfig {
  std::string kind = "synthetic";  ///< `files`, `idx` or `synthetic`
  std::string folder{};            ///< idx: folder of the four files with MNIST's names, plain or gzip
  double mean = 0;                 ///< idx: subtracted from pixels in 0..1
  double deviation = 1;            ///< idx: divisor after that
  /// synthetic: a SPEC (dtype and shape) for each input of forward: `float32[8,3,32,32]`, `int64[8,16]<1000`, ... The
  /// first dimension of the first one is the batch. RunConfig::batch replaces it, also in others that start with the
  /// same number.
  std::vector<std::string> inputs{};
  std::int64_t classes = 10;  ///< synthetic: labels are drawn from 0 to below this
  /// files: .npy .npz .csv .safetensors, or files of torch.save (.pt .pth .bin .ckpt). Row i of each array
  /// belongs to example i.
  std::vector<std::string> files{};
  std::map<std::string, ColumnConfig> columns{};  ///< files: by argument of forward; empty: each argument by its own
                                                  ///< name
  std::map<std::string, ColumnConfig> targets{};  ///< files: what losses compare with, by names of your choice
  double test = 0;                                ///< files: share of rows held out for evaluations, drawn by seed
  bool shuffle = true;                            ///< files, idx: a new order in each epoch
  std::int64_t prefetch = 2;                      ///< batches prepared in advance on a separate thread; 0: none
  friend bool operator==(const DataConfig&, const DataConfig&) = default;
};

/// A term of the loss: `weight` times the loss of one output.
struct LossConfig {
  /// `cross_entropy nll bce_with_logits mse l1 smooth_l1 huber kl_div cosine_embedding`, or `text`. For bce_with_logits
  /// to kl_div the target has the output's shape.
  std::string kind = "cross_entropy";
  std::string text{};    ///< text: TorchScript, `def loss(output: Tensor, target: Tensor) -> Tensor: ...`
  std::string output{};  ///< output of the model: empty, `[0]`, `out.aux`, `logits`
  std::string target{};  ///< name in DataConfig::targets; empty: the only one
  double weight = 1;
  std::string scaler{};  ///< id of its scaler; empty: the first
  friend bool operator==(const LossConfig&, const LossConfig&) = default;
};

/// Settings for a subset of the parameters.
struct ParameterGroup {
  std::string match{};  ///< `*.bias`, or a module path for all its parameters
  std::optional<double> learning_rate{};
  std::optional<double> weight_decay{};
  friend bool operator==(const ParameterGroup&, const ParameterGroup&) = default;
};

/// LibTorch's optimizers, with PyTorch's defaults.
struct OptimizerConfig {
  std::string kind = "sgd";  ///< `sgd adam adamw rmsprop adagrad`, or `none`: gradients only
  double learning_rate = 0.01;
  double momentum = 0;    ///< sgd, rmsprop
  double dampening = 0;   ///< sgd
  bool nesterov = false;  ///< sgd
  double weight_decay = 0;
  double beta1 = 0.9;     ///< adam, adamw
  double beta2 = 0.999;   ///< adam, adamw
  double epsilon = 1e-8;  ///< adam, adamw, rmsprop; adagrad
  bool amsgrad = false;   ///< adam, adamw
  double alpha = 0.99;    ///< rmsprop: decay of the mean square
  bool centered = false;  ///< rmsprop
  double rate_decay = 0;  ///< adagrad
  bool fused = false;     ///< sgd, adam, adamw: one kernel for all tensors
  std::vector<ParameterGroup> groups{};
  friend bool operator==(const OptimizerConfig&, const OptimizerConfig&) = default;
};

/// Learning-rate schedule; multiplies the rate of every group.
struct ScheduleConfig {
  std::string kind = "constant";  ///< `constant step cosine`
  std::int64_t warmup = 0;        ///< steps in which the rate rises from 1/warmup of its value
  std::int64_t every = 0;         ///< step: number of steps between changes
  double factor = 0.1;            ///< step: factor at each change
  double floor = 0;               ///< cosine: share of the rate that remains at the end
  friend bool operator==(const ScheduleConfig&, const ScheduleConfig&) = default;
};

/// Clipping of the unscaled gradients before the update; 0: none.
struct ClipConfig {
  double norm = 0;   ///< maximum norm of all gradients together
  double value = 0;  ///< maximum magnitude of one element
  friend bool operator==(const ClipConfig&, const ClipConfig&) = default;
};

/// Defaults are PyTorch's; features that PyTorch lacks are off.
struct ScalerConfig {
  std::string id{};  ///< id in RunConfig::scalers, used by losses
  bool enabled = true;
  double init_scale = 65536;
  double growth_factor = 2;
  double backoff_factor = 0.5;
  std::int64_t growth_interval = 2000;
  double minimum = 0;           ///< lower bound of the scale; 0: none
  double maximum = 0;           ///< upper bound of the scale; 0: none
  std::int64_t hysteresis = 1;  ///< consecutive overflows before the scale backs off
  bool fixed = false;           ///< `static` in files: the scale never changes; overflowing steps are still skipped
  friend bool operator==(const ScalerConfig&, const ScalerConfig&) = default;
};

struct CheckpointConfig {
  std::string folder{};    ///< empty: no checkpoints
  std::int64_t every = 0;  ///< steps between checkpoints; 0: only at edits and at the end
  std::int64_t keep = 3;   ///< number kept; older ones are deleted
  friend bool operator==(const CheckpointConfig&, const CheckpointConfig&) = default;
};

struct ObserveConfig {
  /// `off`; `finite`: largest magnitudes, overflow and non-finite counts; `range`: also smallest magnitudes, zeros and
  /// norms; `histogram`: for gradients also exponent histograms and the effect of each named format, for other tensors
  /// as `finite` unless they may underflow; `what-if`: for every tensor the effect of any format at any scale.
  std::string level = "histogram";
  std::int64_t every = 32;      ///< the level applies to every n-th step, to keep the cost within 2 %
  std::string between = "off";  ///< level of the other steps: `off` or `finite`
  std::string sites{};          ///< only op calls that match, as in a site rule; empty: all
  bool inputs = false;          ///< also arguments, before their casts
  bool parameters = true;       ///< from level `range` on: parameters, and their gradients once unscaled
  /// While a window shows the run, the level also applies to a step that starts at least this many seconds after the
  /// last one it applied to. The interval grows where observing would take more than a tenth of the time. 0: never.
  double live = 0.5;
  /// If every step is observed, one in 32 is left out to measure the cost of observing.
  bool measure_cost = true;
  friend bool operator==(const ObserveConfig&, const ObserveConfig&) = default;
};

/// Profiling of a run.
struct ProfileConfig {
  std::string level = "off";  ///< `off`; `times`: of every op call; `counters`: also the GPU's counters
  std::int64_t every = 1;     ///< op calls are timed on every n-th step
  double interval = 100;      ///< microseconds between samples of the GPU's counters
  friend bool operator==(const ProfileConfig&, const ProfileConfig&) = default;
};

/// One training, as its JSON file describes it (schema: resources/schemas/run.schema.json). A plain value.
struct RunConfig {
  std::string name;
  std::string model;    ///< a TorchScript file, or `sample:NAME`
  std::string weights;  ///< initial values, from safetensors or a file of torch.save; empty: the model's own
  DataConfig data;
  std::string loss = "cross_entropy";  ///< short for one entry of `losses`: its kind
  std::string output;                  ///< short for one entry of `losses`: its output
  std::vector<LossConfig> losses;      ///< full form; empty: the short form applies
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
  ClipConfig clip;
  ScalerConfig scaler;
  /// The description has a `scaler` with default values only, which `scaler` alone cannot show. Apex's levels without a
  /// loss scale depend on it; see has_scaler().
  bool scaler_given = false;
  std::vector<ScalerConfig> scalers;  ///< one per id that losses use; empty: `scaler` for all losses
  policy::Policy policy;
  ObserveConfig observe;
  ProfileConfig profile;
  std::int64_t batch = 64;       ///< of all ranks together
  std::int64_t accumulate = 1;   ///< batches whose gradients are accumulated in one step
  std::string skipped = "drop";  ///< treatment of a skipped step's batches: `drop` or `replay`
  bool keep_buffers = false;     ///< a skipped step restores buffers (running statistics)
  /// Statistics of a batch norm in train mode on several ranks: `local`, of the rank's own examples, or `synchronised`,
  /// of the whole batch.
  std::string batch_norm = "local";
  std::int64_t diverged_after = 20;  ///< consecutive non-finite losses after which the run pauses; 0: never
  CheckpointConfig checkpoint;
  std::string resume;  ///< checkpoint to continue from; empty: start anew
  std::int64_t steps = 1000;
  std::int64_t evaluate_every = 0;  ///< 0: only at the end
  std::uint64_t seed = 1;
  std::string device = "cpu";  ///< `cpu` or `cuda`
  std::string run_file;        ///< file that the run is recorded in; empty: none
  std::string caption;         ///< a sentence shown with the charts
  friend bool operator==(const RunConfig&, const RunConfig&) = default;
};

/// Losses of the run: `losses`, or the one described by `loss` and `output`.
std::vector<LossConfig> losses_of(const RunConfig& config);
/// Scalers of the run: `scalers`, or the single one.
std::vector<ScalerConfig> scalers_of(const RunConfig& config);
/// Whether the run specifies its loss scaling itself.
bool has_scaler(const RunConfig& config);

/// Throws Error{kBadRun} naming the field for a value that no training can use: an unknown loss, a negative learning
/// rate, no model. `source` begins the message; it may be empty.
void check(const RunConfig& config, const std::string& source);

/// Whether a gradient scaler can hold this scale: positive and finite in float32.
bool is_loss_scale(double scale);

/// As check(RunConfig), for parts that can change during a run.
void check(const ObserveConfig& observe, const std::string& source);
void check(const ProfileConfig& profile, const std::string& source);
void check(const ScalerConfig& scaler, const std::string& source);

/// Parses and checks the text of a run description. `policy` may be an object, a path or the name of a base list;
/// relative paths are resolved against `folder`. Throws Error{kBadRun} naming the field, or Error{kBadPolicy}.
RunConfig parse_run(std::string_view text, const std::string& source, const std::string& folder);

/// The run as JSON text, which `parse_run` reads back to an equal value; ends with a newline.
std::string to_json(const RunConfig& config);

}  // namespace binade::wire
