// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// One function per command of binade-engine. Each prints to standard output (with JSON, one object a line with an
// `event` field), logs to standard error, returns the exit code and throws binade::Error.

namespace binade::host {

class Door;

struct InspectOptions {
  std::string model;
  std::string base = "cuda-amp";
  bool json = false;
};
/// Lists a model's op calls with the base list's rules, its inputs, parameters and buffers.
int inspect(const InspectOptions& options);

struct SampleOptions {
  std::string name;
  std::string out;
  std::uint64_t seed = 1;
  bool json = false;
};
/// Writes a sample model, or lists the samples if `out` is empty. Throws Error{kUsage} if the file exists.
int sample(const SampleOptions& options);

struct VerifyCommand {
  std::string model;
  std::vector<std::string> inputs;
  bool eval = false;
  std::string autocast;              ///< `cpu:bfloat16`
  std::string behaviour = "fixed";   ///< behaviour of the engine, as in a policy
  std::vector<std::string> outputs;  ///< paths of outputs; empty: all tensors
  std::uint64_t seed = 7;
  int steps = 1;
  bool check_executor = true;           ///< also report how LibTorch's optimising executor runs the model
  bool executor_only = false;           ///< print only that report; used for the child process that the command starts
  std::optional<std::string> executor;  ///< that report, if the process that confined this one has it already
  bool json = false;
};
/// Compares the engine with LibTorch bit by bit. Returns kFailed if they differ.
int verify_model(const VerifyCommand& command);
/// The report of a process that ran verify_model() with `executor_only`, from its standard output and its exit code or,
/// if negative, its signal.
std::string report_of_executor(std::string output, int code);

struct ExportOptions {
  std::string model;
  std::string policy;               ///< a policy file
  std::string target;               ///< `torchscript`, or a name of targets::targets()
  std::vector<std::string> inputs;  ///< for torchscript, and for pytorch with `prove`
  std::string out;                  ///< `-`: standard output, for texts
  std::string run;                  ///< a run description: its loss scaler goes into texts, and its data is the input
  bool approximate = false;         ///< write the closest file if the target cannot express the policy
  bool prove = false;               ///< refuse a target that cannot be read back; pytorch: also run it in Python
  bool strict = false;              ///< refuse a policy with a warning, as for a rule that matches nothing
  std::string python;               ///< Python for `prove`; empty: $BINADE_PYTHON, else `python3`
  std::string python_model;         ///< `module.py:make_model` for `prove`; empty: the file does not run in Python
  std::uint64_t seed = 7;
  bool json = false;
};
/// Writes a model with the policy's casts, or the policy as text for another program. The file is proven before it gets
/// its name. Throws Error{kBadPolicy} if the target cannot express the policy and `approximate` is false, and if the
/// policy belongs to another model.
int export_model(const ExportOptions& options);
/// The targets of export_model(), one a line, each with a sentence.
std::string target_list();

struct ExportRunOptions {
  std::string run_file;
  std::string target;  ///< `tensorboard`, `csv`, `perfetto`
  std::string out;     ///< file or folder; must not exist
  bool json = false;
};
/// Whether the name or the first bytes are those of a run file.
bool is_run_file(const std::string& file);
/// Writes a recorded run for another tool. Rows that cannot be read are left out and reported.
int export_run(const ExportRunOptions& options);

struct TrainOptions {
  std::string run;           ///< a run description; empty: the demo
  std::string run_file;      ///< overrides where to record; `none`: no run file
  std::string new_run_file;  ///< where to record if nothing else says it; empty: a new file with the run's name
  std::int64_t steps = 0;
  std::string policy;   ///< a policy file that replaces the run's
  std::string resume;   ///< checkpoint to resume from, or a folder, which means its newest
  std::string save;     ///< file for the trained model as TorchScript; empty: not saved
  std::string profile;  ///< overrides the run's profile level: `off`, `times`, `counters`
  std::int64_t seed = -1;
  double rank_timeout = 300;            ///< seconds that ranks wait for one that is missing
  std::string gradients_over = "auto";  ///< what sums gradients of GPUs: `auto`, `gloo`, `nccl`
  bool attach = true;                   ///< explorers may attach; for launch, which makes no door itself
  Door* door = nullptr;                 ///< where explorers attach; null: nowhere
  bool json = false;
};
/// Names the new run file now, if neither the options nor the run description name one, and makes its folder. A
/// confined process may write named files only. A description that is a pipe is left to train(): it can be read once.
void name_run_file(TrainOptions& options);

/// Trains and records a run, to which explorers may attach meanwhile, as one of its ranks if the environment says so
/// (ranks::place_of_process). Returns kCancelled if it was cancelled. Throws Error{kBadRun} if the training failed, and
/// the recorder's error if the run file is incomplete.
int train(const TrainOptions& options);

struct LaunchOptions {
  TrainOptions train;
  std::int64_t ranks = 0;
  int port = 0;             ///< of the ranks' store; 0: a free one
  bool trust = false;       ///< models open although checks of their code refuse them
  bool keep_going = false;  ///< restart all ranks from the last checkpoint if one ends unexpectedly
};
/// Trains a run on several ranks of this computer, each a process of this program, and waits for them. Returns
/// kCancelled if it was cancelled. Throws Error{kBadRun}, naming the rank, if one ended unexpectedly.
int launch(const LaunchOptions& options);

struct AttachOptions {
  std::string run;  ///< name, process, run file or run description of a training; empty: the only one
  bool list = false;
  bool json = false;  ///< of a list
};
/// Connects standard input and output to a training's socket until that closes, or prints the list of trainings. Throws
/// Error{kBadRun} if there is no such training, and Error{kUsage} if there are several, and on a terminal.
int attach(const AttachOptions& options);

struct ReplayOptions {
  std::string run_file;
  std::int64_t step = 0;
  std::string policy;  ///< policy to replay under, see named_policy(); empty: the policy in force at that step
  std::string scale;   ///< `2^12` or `4096`; empty: the recorded scale
  bool json = false;
};
/// Replays a non-finite step of a recorded run and explains it. Returns kFailed if it is still not finite.
int replay(const ReplayOptions& options);

struct TryOptions {
  std::string run;         ///< a run description, a run file or a checkpoint, see run_state()
  std::string policy;      ///< the policy to try
  std::string against;     ///< the policy to compare with; empty: that of the run's state
  std::string checkpoint;  ///< where to start, or a folder, which means its newest; empty: as `run` says
  std::int64_t steps = 100;
  std::int64_t seeds = 1;
  std::string name;        ///< of the change; empty: made from the policies' differences
  std::string record;      ///< the run file that keeps the Try; empty: `run`, if that is one
  bool no_record = false;  ///< no run file keeps it
  bool json = false;
};
/// Trains two policies from one state of a run and reports whether they can be told apart. Returns kDone for every
/// verdict, kCancelled if it was cancelled.
int try_policy(const TryOptions& options);

struct ReportOptions {
  std::string run_file;
  std::string out;
  bool json = false;
};
/// Writes a report about a recorded run as one HTML file. Throws Error{kUsage} if the file exists.
int report(const ReportOptions& options);

struct BundleOptions {
  std::string run_file;
  std::int64_t step = 0;
  std::string out;    ///< folder; must not exist
  bool data = false;  ///< also copy the files of data
  bool json = false;
};
/// Writes the events of a recorded step as a folder from which they can be reproduced.
int bundle(const BundleOptions& options);

struct ProbeOptions {
  bool json = false;
  bool inner_calls = false;       ///< also audit which ops LibTorch's kernels call inside
  bool inner_calls_only = false;  ///< set in the child process that ask_inner_calls() starts
};
/// Returns kFailed if the op tables differ from the loaded LibTorch, or if that could not be checked in full.
int probe_machine(const ProbeOptions& options);

struct PythonOptions {
  bool where = false;
  bool json = false;
};
/// Prints the folder of the Python package that captures trainings. Throws Error{kBadFile} if it does not exist.
int python(const PythonOptions& options);

struct TrustOptions {
  std::vector<std::string> removed;  ///< by SHA-256 or path; empty: list the models
  bool json = false;
};
/// Lists the trusted models, or ends the trust in some. Throws Error{kUsage} for what is not in the list.
int trust(const TrustOptions& options);

struct DataOptions {
  std::string run;  ///< a run description
  bool json = false;
};
/// Prints the first batch that the run gives the model. Throws, after printing, the error for which train would refuse
/// the run.
int data(const DataOptions& options);

struct CompareOptions {
  std::string run;         ///< a run description; empty: the demo
  std::string policy;      ///< a policy file that replaces the run's
  std::string resume;      ///< checkpoint to compare at, or a folder, which means its newest
  std::int64_t steps = 0;  ///< steps to train before the comparison
  int most = 20;           ///< op calls in the table; JSON lists all
  bool json = false;
};
/// Compares one step under the policy with the same step in float32.
int compare(const CompareOptions& options);

struct SearchOptions {
  std::string run;                  ///< as RunState is named: a run description, a run file or a checkpoint
  std::string goal;                 ///< `time`, `memory`, `casts`, `repair`
  std::vector<std::string> budget;  ///< `30min`, `90s`, `2h`, `40tries`
  std::string policy;               ///< where the search starts; empty: the policy of the run or checkpoint
  std::string from;                 ///< checkpoint that replaces the run's newest
  std::int64_t steps = 100;         ///< of each Try
  std::int64_t seeds = 1;           ///< of each Try
  std::vector<std::string> fixed;   ///< patterns of op calls that must not change
  std::string formats;  ///< `bfloat16,float32`: formats that op calls may be given; empty: see search::Limits
  std::optional<double> evaluation;  ///< the largest loss on the test data that a policy may reach
  std::string out;                   ///< folder; empty: `run` with the ending `.search`
  std::uint64_t seed = 1;
  bool json = false;
};
/// Searches for policies that need less and train alike, or for the smallest repair of one that fails. Goes on with the
/// search in the folder, if it holds the same one. Returns kCancelled if it was cancelled; what was found is kept.
int search(const SearchOptions& options);
/// The folder that a search writes.
std::string search_folder(const SearchOptions& options);

struct CastsOptions {
  std::string run;     ///< a run description; empty: the demo
  std::string policy;  ///< a policy file that replaces the run's
  std::string edited;  ///< another policy file, whose totals are printed for comparison
  std::int64_t steps = 3;
  bool json = false;
};
/// Lists what casts cost, their causes and the edits that remove them.
int casts(const CastsOptions& options);

// Wherever a command takes a policy, it also accepts the name of an unedited base list, such as `cuda-amp`.

struct PolicyOptions {
  std::string policy;
  std::string model;     ///< may be empty
  bool strict = false;   ///< policy_check: warnings make it fail
  bool explain = false;  ///< policy_show: state for every op call why it has its format
  bool json = false;
};
/// Reports findings on a policy. Returns kFailed if there are warnings and `strict` is set.
int policy_check(const PolicyOptions& options);
/// Prints a policy and, with a model, the treatment of every op call.
int policy_show(const PolicyOptions& options);

struct PolicyImportOptions {
  std::string file;
  std::string target;  ///< a name of targets::targets()
  std::string model;
  std::string out;  ///< the policy file; must not exist
  bool json = false;
};
/// Writes the policy that a file of another program states for a model.
int policy_import(const PolicyImportOptions& options);

struct PolicyDiffOptions {
  std::string first;
  std::string second;
  std::string third;    ///< a third policy, or the model if `model` is empty; may be empty
  std::string model;    ///< may be empty
  bool strict = false;  ///< any difference makes it fail
  bool json = false;
};
/// Lists how two policies differ, and with a model, which op calls run differently. Of three policies, the first is the
/// base of the others, and each difference has the side that made it.
int policy_diff(const PolicyDiffOptions& options);

struct PolicyMergeOptions {
  std::string base;
  std::string mine;
  std::string theirs;
  std::string model;   ///< may be empty
  std::string out;     ///< the policy file; must not exist
  std::string prefer;  ///< `mine` or `theirs` decides conflicts; may be empty
  bool json = false;
};
/// Writes a base with the changes of two policies. Lists conflicts, and returns kFailed without writing if one is open.
int policy_merge(const PolicyMergeOptions& options);

struct PolicyRewriteOptions {
  std::string policy;
  std::string model;
  std::string out;  ///< the policy file; must not exist
  bool json = false;
};
/// Writes a policy with fewer rules and the same table for a model, and lists what went and why.
int policy_minimise(const PolicyRewriteOptions& options);
/// Writes a policy with patterns in place of single op calls and the same table for a model.
int policy_generalise(const PolicyRewriteOptions& options);

}  // namespace binade::host
