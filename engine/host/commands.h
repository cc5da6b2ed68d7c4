// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// One function a command of binade-engine. Each prints on standard output (JSON: one object a line with an `event`
// field), logs on standard error, returns the exit code and throws binade::Error.

namespace binade::host {

struct InspectOptions {
  std::string model;
  std::string base = "cuda-amp";
  bool json = false;
};
int inspect(const InspectOptions& options);

struct SampleOptions {
  std::string name;
  std::string out;
  std::uint64_t seed = 1;
  bool json = false;
};
int sample(const SampleOptions& options);

struct VerifyCommand {
  std::string model;
  std::vector<std::string> inputs;
  bool eval = false;
  std::string autocast;              ///< `cpu:bfloat16`
  std::string behaviour = "fixed";   ///< of the engine, as in a policy
  std::vector<std::string> outputs;  ///< paths; none: all tensors
  std::uint64_t seed = 7;
  int steps = 1;
  bool check_executor = true;  ///< also tell what LibTorch's optimising executor does with the model
  bool executor_only = false;  ///< print only that: what the command starts itself for
  bool json = false;
};
int verify_model(const VerifyCommand& command);

struct ExportOptions {
  std::string model;
  std::string policy;  ///< a policy file
  std::string target;  ///< `torchscript`
  std::vector<std::string> inputs;
  std::string out;
  bool approximate = false;  ///< write the nearest where the target cannot express the policy
  std::uint64_t seed = 7;
  bool json = false;
};
int export_model(const ExportOptions& options);

struct TrainOptions {
  std::string run;       ///< a run description; empty: the demo
  std::string run_file;  ///< overrides where to record; `none`: nowhere
  std::int64_t steps = 0;
  std::string policy;   ///< a policy file that replaces the run's
  std::string resume;   ///< a checkpoint to go on from, or a folder: the newest in it
  std::string save;     ///< where to save the trained model as TorchScript; empty: nowhere
  std::string profile;  ///< a level in place of the run's: `off`, `times`, `counters`
  std::int64_t seed = -1;
  bool json = false;
};
int train(const TrainOptions& options);

struct ReplayOptions {
  std::string run_file;
  std::int64_t step = 0;
  std::string policy;  ///< a policy to replay under, as named_policy() takes it; empty: the one that was in force
  std::string scale;   ///< `2^12` or `4096`; empty: the step's
  bool json = false;
};
/// Replays a step of a recorded run that was not finite, and says why. kFailed where it is not finite still.
int replay(const ReplayOptions& options);

struct ProbeOptions {
  bool json = false;
  bool inner_calls_only = false;  ///< of the process that it starts: see ask_inner_calls()
};
/// kFailed where the op tables are not those of the LibTorch that is loaded.
int probe_machine(const ProbeOptions& options);

struct DataOptions {
  std::string run;  ///< a run description
  bool json = false;
};
/// What the run gives the model; throws, once that is shown, what train would refuse the run for.
int data(const DataOptions& options);

struct CompareOptions {
  std::string run;         ///< a run description; empty: the demo
  std::string policy;      ///< a policy file that replaces the run's
  std::string resume;      ///< a checkpoint whose step is compared, or a folder: the newest in it
  std::int64_t steps = 0;  ///< to train first
  int most = 20;           ///< op calls in the table; JSON has all
  bool json = false;
};
/// One step under the policy beside the same in float32.
int compare(const CompareOptions& options);

struct CastsOptions {
  std::string run;     ///< a run description; empty: the demo
  std::string policy;  ///< a policy file that replaces the run's
  std::string edited;  ///< another, whose totals are put beside it
  std::int64_t steps = 3;
  bool json = false;
};
/// What casts cost, why they are made and which edit removes them.
int casts(const CastsOptions& options);

// Wherever a command takes a policy, the name of a base list does too: `cuda-amp`, unedited.

struct PolicyOptions {
  std::string policy;
  std::string model;    ///< may be empty
  bool strict = false;  ///< check: warnings fail
  bool json = false;
};
int policy_check(const PolicyOptions& options);
int policy_show(const PolicyOptions& options);

struct PolicyDiffOptions {
  std::string first;
  std::string second;
  std::string model;    ///< may be empty
  bool strict = false;  ///< a difference fails
  bool json = false;
};
/// What two policies say otherwise, and what op calls of a model run otherwise.
int policy_diff(const PolicyDiffOptions& options);

struct PolicyConvertOptions {
  std::string policy;
  std::string model;    ///< whose op calls are compared; may be empty
  std::string base;     ///< empty: the policy's own
  std::string out;      ///< empty: standard output
  bool strict = false;  ///< write nothing where not all can be kept
  bool json = false;
};
/// The policy in this version's form, over another base list where one is named.
int policy_convert(const PolicyConvertOptions& options);

}  // namespace binade::host
