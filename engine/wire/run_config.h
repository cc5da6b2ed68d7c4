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

/// A list that a file may write as its one element.
template <class T>
struct OneOrMore {
  std::vector<T> values{};
  friend bool operator==(const OneOrMore&, const OneOrMore&) = default;
};

/// What an argument of forward, or a target, is made of.
struct ColumnConfig {
  /// Arrays of the files, or columns of a table: `name`, or `FILE:name` where several files have it. Several are put
  /// side by side: [rows] and [rows] make [rows, 2].
  OneOrMore<std::string> from{};
  /// `float32`, `int64`, ...; empty: as the file has it, but float64 as float32, and a target's whole numbers as int64.
  std::string dtype{};
  OneOrMore<double> mean{};       ///< subtracted after the conversion; one for all, or one for each channel
  OneOrMore<double> deviation{};  ///< then divided by
  /// Of one example, `[]` for a single number; nothing: as the file has it.
  std::optional<std::vector<std::int64_t>> shape{};
  friend bool operator==(const ColumnConfig&, const ColumnConfig&) = default;
};

/// Where batches come from.
struct DataConfig {
  std::string kind = "synthetic";  ///< `files`, `idx` or `synthetic`
  std::string folder{};            ///< idx: the four MNIST-named files, plain or gzip
  double mean = 0;                 ///< idx: subtracted from pixels in 0..1
  double deviation = 1;            ///< idx: then divided by
  /// synthetic: one SPEC for each input of forward, `float32[8,3,32,32]`, `int64[8,16]<1000`, ... The first dimension
  /// of the first is the batch: RunConfig::batch replaces it, there and where another begins with the same number.
  std::vector<std::string> inputs{};
  std::int64_t classes = 10;  ///< synthetic: labels are drawn below this
  /// files: .npy .npz .csv .safetensors, or what torch.save wrote (.pt .pth .bin .ckpt); rows belong together.
  std::vector<std::string> files{};
  std::map<std::string, ColumnConfig> columns{};  ///< files: by argument of forward; empty: each by its own name
  std::map<std::string, ColumnConfig> targets{};  ///< files: what losses compare with, by a name of your own
  double test = 0;                                ///< files: share of the rows held out for evaluations, drawn by seed
  bool shuffle = true;                            ///< files, idx: a new order in each epoch
  std::int64_t prefetch = 2;                      ///< batches made ahead on a thread of their own; 0: none
  friend bool operator==(const DataConfig&, const DataConfig&) = default;
};

/// One part of what backward starts from: `weight` times the loss of one output.
struct LossConfig {
  /// `cross_entropy nll bce_with_logits mse l1 smooth_l1 huber kl_div cosine_embedding`, or `text`. From
  /// bce_with_logits to kl_div the target has the output's shape.
  std::string kind = "cross_entropy";
  std::string text{};    ///< text: TorchScript, `def loss(output: Tensor, target: Tensor) -> Tensor: ...`
  std::string output{};  ///< which output it takes: empty, `[0]`, `out.aux`, `logits`
  std::string target{};  ///< which of the data's targets; empty: the only one
  double weight = 1;
  std::string scaler{};  ///< id of the scaler that scales it; empty: the first
  friend bool operator==(const LossConfig&, const LossConfig&) = default;
};

/// Parameters with settings of their own.
struct ParameterGroup {
  std::string match{};  ///< `*.bias`, or a module's path for all of its parameters
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
  bool fused = false;     ///< sgd, adam, adamw: one kernel over all tensors
  std::vector<ParameterGroup> groups{};
  friend bool operator==(const OptimizerConfig&, const OptimizerConfig&) = default;
};

/// How the learning rate moves; a factor on the rate of every group.
struct ScheduleConfig {
  std::string kind = "constant";  ///< `constant step cosine`
  std::int64_t warmup = 0;        ///< steps over which the rate rises from 1/warmup of itself
  std::int64_t every = 0;         ///< step: steps from one change to the next
  double factor = 0.1;            ///< step: at each change
  double floor = 0;               ///< cosine: share of the rate that is left at the end
  friend bool operator==(const ScheduleConfig&, const ScheduleConfig&) = default;
};

/// Of the unscaled gradients, before the update; 0: not at all.
struct ClipConfig {
  double norm = 0;   ///< most that the norm of all gradients together may be
  double value = 0;  ///< most that one element's magnitude may be
  friend bool operator==(const ClipConfig&, const ClipConfig&) = default;
};

/// PyTorch's own defaults; what PyTorch has not is off.
struct ScalerConfig {
  std::string id{};  ///< in RunConfig::scalers; losses name it
  bool enabled = true;
  double init_scale = 65536;
  double growth_factor = 2;
  double backoff_factor = 0.5;
  std::int64_t growth_interval = 2000;
  double minimum = 0;           ///< the scale never backs off below it; 0: no floor
  double maximum = 0;           ///< nor grows above it; 0: no ceiling
  std::int64_t hysteresis = 1;  ///< overflows in a row before the scale backs off
  bool fixed = false;           ///< `static`: the scale stays, overflowing steps are skipped all the same
  friend bool operator==(const ScalerConfig&, const ScalerConfig&) = default;
};

struct CheckpointConfig {
  std::string folder{};    ///< empty: none are kept
  std::int64_t every = 0;  ///< steps from one to the next; 0: at edits and at the end only
  std::int64_t keep = 3;   ///< older ones are deleted
  friend bool operator==(const CheckpointConfig&, const CheckpointConfig&) = default;
};

struct ObserveConfig {
  /// `off`; `finite`: counts of non-finite values; `range`: and magnitudes of everything; `histogram`: exponent
  /// histograms of gradients, and what each named format does to them; `what-if`: of everything, for any format.
  std::string level = "histogram";
  std::int64_t every = 32;      ///< the level holds on every n-th step: what that costs is to stay within 2 %
  std::string between = "off";  ///< and this one, `off` or `finite`, on the others
  std::string sites{};          ///< only op calls that this matches, as a policy's rules do; empty: all
  bool inputs = false;          ///< arguments too, as they are before a cast on their way into an op call
  bool parameters = true;       ///< from level `range` on: parameters, with their gradients once these are unscaled
  /// While a window shows the run, the level also holds on a step that begins this many seconds after the last one it
  /// held on, as long as looking takes no more than a tenth of the time; 0: it does not.
  double live = 0.5;
  /// Where every step is looked at, one in 32 is left bare, so that what looking costs can be told.
  bool measure_cost = true;
  friend bool operator==(const ObserveConfig&, const ObserveConfig&) = default;
};

/// What of a run is profiled.
struct ProfileConfig {
  std::string level = "off";  ///< `off`; `times`: of every op call; `counters`: and the GPU's counters
  std::int64_t every = 1;     ///< op calls are timed on every n-th step
  double interval = 50;       ///< microseconds between samples of the GPU's counters
  friend bool operator==(const ProfileConfig&, const ProfileConfig&) = default;
};

/// One training, as its JSON file says it (schema: resources/schemas/run.schema.json). A plain value.
struct RunConfig {
  std::string name;
  std::string model;    ///< a TorchScript file, or `sample:NAME`
  std::string weights;  ///< safetensors or what torch.save wrote: values to begin with; empty: the model's own
  DataConfig data;
  std::string loss = "cross_entropy";  ///< short for one entry of `losses`: its kind
  std::string output;                  ///< and its output
  std::vector<LossConfig> losses;      ///< several, or one with more to say; empty: the short form
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
  ClipConfig clip;
  ScalerConfig scaler;
  /// `scaler` is written out, if only with its defaults: a value alone would not tell. Apex's levels without a loss
  /// scale ask; see has_scaler().
  bool scaler_given = false;
  std::vector<ScalerConfig> scalers;  ///< one for each id that losses name; empty: `scaler` for all
  policy::Policy policy;
  ObserveConfig observe;
  ProfileConfig profile;
  std::int64_t batch = 64;
  std::int64_t accumulate = 1;       ///< batches whose gradients add up to one step
  std::string skipped = "drop";      ///< what becomes of a skipped step's batches: `drop` or `replay`
  bool keep_buffers = false;         ///< a skipped step leaves buffers (running statistics) as they were
  std::int64_t diverged_after = 20;  ///< losses in a row that are not finite before the run pauses; 0: never
  CheckpointConfig checkpoint;
  std::string resume;  ///< a checkpoint to go on from; empty: begin
  std::int64_t steps = 1000;
  std::int64_t evaluate_every = 0;  ///< 0: only at the end
  std::uint64_t seed = 1;
  std::string device = "cpu";  ///< `cpu` or `cuda`
  std::string run_file;        ///< where to record; empty: nowhere
  std::string caption;         ///< a sentence shown with the charts
  friend bool operator==(const RunConfig&, const RunConfig&) = default;
};

/// The losses that `config` asks for: its `losses`, or the one that `loss` and `output` are short for.
std::vector<LossConfig> losses_of(const RunConfig& config);
/// Its scalers: `scalers`, or the one.
std::vector<ScalerConfig> scalers_of(const RunConfig& config);
/// Whether the run says itself how its loss is scaled.
bool has_scaler(const RunConfig& config);

/// Refuses values that no training can use (an unknown loss, a learning rate below 0, no model): throws
/// Error{kBadRun} naming the field; `source` begins the message.
void check(const RunConfig& config, const std::string& source);

/// Whether a gradient scaler can hold this scale: above 0 and finite in float32.
bool is_loss_scale(double scale);

void check(const ObserveConfig& observe, const std::string& source);
void check(const ProfileConfig& profile, const std::string& source);
void check(const ScalerConfig& scaler, const std::string& source);

/// Reads a run description's text and checks it; `policy` may be an object or a path, relative paths are resolved
/// against `folder`. Throws Error{kBadRun} naming the field, or Error{kBadPolicy}.
RunConfig parse_run(std::string_view text, const std::string& source, const std::string& folder);

/// The run as JSON text that `parse_run` reads back to the same value; ends with a newline.
std::string to_json(const RunConfig& config);

}  // namespace binade::wire
