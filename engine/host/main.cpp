// SPDX-License-Identifier: Apache-2.0
#include "cmake/build_commit.h"
#include "engine/confine/access.h"
#include "engine/files/mapped_file.h"
#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/graph/prints.h"
#include "engine/host/at_least.h"
#include "engine/host/command_confinement.h"
#include "engine/host/commands/commands.h"
#include "engine/host/commands/error_report.h"
#include "engine/host/help_format.h"
#include "engine/host/policy_commands.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/open_cuda.h"
#include "engine/host/process/output_check.h"
#include "engine/host/process/program_folder.h"
#include "engine/host/process/version.h"
#include "engine/host/serve/serve.h"
#include "engine/host/training_commands.h"
#include "engine/host/trial_commands.h"
#include "engine/host/usage_error.h"
#include "engine/policy/base_policy.h"

#include <CLI/CLI.hpp>

#include <torch/version.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace binade;

namespace {

const CLI::Validator kPositive = host::at_least(1, "POSITIVE");
const CLI::Validator kNotNegative = host::at_least(0, "NONNEGATIVE");

/// Reports output that was printed and not written. That makes any command fail.
int checked_output(int code) {
  const std::string why = host::output_failure();
  if (why.empty()) return code;
  std::fprintf(stderr, "binade-engine: Standard output was not written completely: %s\n", why.c_str());
  std::fprintf(stderr, "  Free some space or redirect the output, then run the command again.\n");
  return code == host::kDone ? host::kFailed : code;
}

/// Defines and parses the command line. `run_` is the chosen command.
class CommandLine {
 public:
  CommandLine() : app_("Trains TorchScript models in mixed precision and reports the effect of every number format.") {
    app_.name("binade-engine");
    app_.formatter(std::make_shared<host::OneBlankLine>());  // commands inherit it
    app_.set_version_flag("--version", std::string("binade-engine ") + host::kVersion + " (commit " + build_commit() +
                                           "), LibTorch " + TORCH_VERSION);
    app_.require_subcommand(1);
    app_.footer(std::string("See `binade-engine COMMAND --help` for details of a command.\n") + kExitCodes);
    add_inspect();
    add_sample();
    training_.add_train(app_);
    training_.add_attach(app_, std::bind_front(&CommandLine::add, this));
    training_.add_launch(app_);
    add_data();
    training_.add_demo(app_);
    add_replay();
    add_bundle();
    trials_.add_try(app_);
    add_report();
    add_verify();
    add_compare();
    add_casts();
    trials_.add_search(app_);
    policies_.add_to(app_);
    add_export();
    add_probe();
    add_python();
    add_trust();
    app_.add_subcommand("setup", "Install LibTorch, which binade-engine needs");  // main() runs it
    add_serve();
  }

  int main(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      // --help, --version
      return checked_output(error.get_exit_code() == 0 ? app_.exit(error) : host::usage_error(app_, error));
    }
    const auto command = [this] { return checked_output(reported(run_)); };
    return reported([&] {
      training_.set_trust(confinement_.trusts_all());
      if (confinement_.is_on()) {
        training_.refuse_ranks();
        training_.name_run_file();
        if (app_.got_subcommand("verify")) confinement_.check_executor(verify_, named());
      }
      return confinement_.run(command, named(), training_.make_door());
    });
  }

 private:
  static constexpr const char* kExitCodes =
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused: the file could run code or reach other files,\n4 "
      "LibTorch is not installed, 130 cancelled.";
  static constexpr const char* kModel = "TorchScript file, or sample:NAME (`binade-engine sample` lists them)";
  static constexpr const char* kSpecs =
      "One SPEC per argument of forward. A tensor is DTYPE[SIZES]. Random values: float32[2,3,32,32] is normally "
      "distributed; int64[2,16]<1000 and float32[8,1]<1 range from 0 to below the limit. Given values, for every "
      "DTYPE: float32[2]=0.5,1 or int64[2]=50,40. DTYPE: float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 "
      "bool. Others: list(SPEC,...), tuple(SPEC,...), dict(\"key\": SPEC,...), none, true, 3, 0.5, \"text\". Samples "
      "have default inputs";
  /// More words than any option gets, and few enough that CLI11 does not rewrite `[0]`.
  static constexpr int kManyWords = 1000;

  int reported(const std::function<int()>& run) const {
    try {
      return run();
    } catch (const Error& error) {
      return host::report(error, json_);
    } catch (const std::exception& error) {
      return host::report(
          Error(ErrorCode::kInternal, graph::reason_of(error), "This is a bug in Binade. Please report it."), json_);
    }
  }

  CLI::App* add(CLI::App* parent, const char* name, const char* what, std::function<int()> run) {
    CLI::App* command = parent->add_subcommand(name, what);
    command->footer(kExitCodes);
    command->add_flag("--json", json_, "Print one JSON object per line, each with an `event` field");
    command->callback([this, run = std::move(run)] { run_ = run; });
    return command;
  }

  /// Adds a command that opens models.
  CLI::App* add_opening(CLI::App* parent, const char* name, const char* what, std::function<int()> run) {
    CLI::App* command = add(parent, name, what, std::move(run));
    confinement_.add_to(command);
    return command;
  }

  /// The files that the options of the chosen command name. Those of the others are empty.
  host::NamedFiles named() const {
    const std::string command = app_.get_subcommands().front()->get_name();
    const host::TrainOptions& train = training_.options();
    const host::TryOptions& tried = trials_.try_options();
    const host::SearchOptions& search = trials_.search_options();
    host::NamedFiles named;
    named.runs = {train.run, data_.run, replay_.run_file, tried.run, compare_.run, casts_.run, search.run, export_.run};
    named.checkpoints = {train.resume, tried.checkpoint, compare_.resume, search.from};
    named.files = {inspect_.model, verify_.model, export_.model,   export_.policy, train.policy,  replay_.policy,
                   tried.policy,   tried.against, compare_.policy, casts_.policy,  casts_.edited, search.policy};
    const std::vector<std::string> policies = policies_.read_files();
    named.files.insert(named.files.end(), policies.begin(), policies.end());
    named.written.outputs = policies_.written_files();
    named.written.outputs.insert(named.written.outputs.end(), {train.save, train.new_run_file, tried.record});
    if (train.run_file != "none") named.written.outputs.push_back(train.run_file);
    if (export_.out != "-") named.written.outputs.push_back(export_.out);
    if (!search.run.empty()) named.written.folders = {host::search_folder(search)};
    named.trains = training_.are_chosen();
    named.tries = command == "try" && !tried.no_record && tried.record.empty();
    named.demo = named.trains || command == "compare" || command == "casts";
    return named;
  }

  void add_inspect() {
    CLI::App* command =
        add_opening(&app_, "inspect", "List a model's op calls, parameters, inputs, outputs and warnings", [this] {
          inspect_.json = json_;
          return host::inspect(inspect_);
        });
    command->add_option("MODEL", inspect_.model, kModel)->required();
    command
        ->add_option("--base", inspect_.base, "Base list to show: cuda-amp, cpu-amp, apex-o0 to apex-o3, all-float32")
        ->capture_default_str();
    command->footer(
        std::string(
            "The column `list` has the base list's rule for an op call: lower, fp32, set-dtype, "
            "append-dtype,\npromote, banned or custom. `inside`: the op is composed of other ops. `view`: the op "
            "shares its\nargument's memory. Empty: the op follows its arguments. A legend follows the list.\n") +
        kExitCodes);
  }

  void add_sample() {
    CLI::App* command = add(&app_, "sample", "Write a sample model, or list the samples", [this] {
      sample_.json = json_;
      if (sample_.name.empty() != sample_.out.empty()) {
        throw Error(ErrorCode::kUsage, "sample needs NAME and --out FILE, or neither to list the samples",
                    "For example: binade-engine sample cnn --out cnn.pt");
      }
      return host::sample(sample_);
    });
    command->add_option("NAME", sample_.name, "mlp, cnn, resnet, transformer, lstm, control-flow, deep or attention");
    command->add_option("--out", sample_.out, "Output file; must not exist");
    command->add_option("--seed", sample_.seed, "Seed of the weights")->check(kNotNegative)->capture_default_str();
  }

  void add_data() {
    CLI::App* command = add_opening(&app_, "data", "Show the first batch of a run description", [this] {
      data_.json = json_;
      return host::data(data_);
    });
    command->add_option("RUN", data_.run, "Run description (JSON)")->required();
  }

  void add_replay() {
    CLI::App* command =
        add_opening(&app_, "replay", "Replay a recorded step that was not finite, and report the cause", [this] {
          replay_.json = json_;
          return host::replay(replay_);
        });
    command->add_option("RUN", replay_.run_file, "Run file (.binade)")->required();
    command->add_option("--step", replay_.step, "Number of the step")->required()->check(kNotNegative);
    command->add_option("--policy", replay_.policy, "Policy file or base list for the replay");
    command->add_option("--scale", replay_.scale, "Loss scale of the replay: 4096 or 2^12");
  }

  void add_bundle() {
    CLI::App* command = add(&app_, "bundle", "Write a recorded event as a folder that reproduces it", [this] {
      bundle_.json = json_;
      return host::bundle(bundle_);
    });
    command->add_option("RUN", bundle_.run_file, "Run file (.binade)")->required();
    command->add_option("--step", bundle_.step, "Number of the step")->required()->check(kNotNegative);
    command->add_option("--out", bundle_.out, "Output folder; must not exist")->required();
    command->add_flag("--data", bundle_.data, "Also copy the files of data that the run reads");
  }

  void add_report() {
    CLI::App* command =
        add(&app_, "report", "Describe a recorded run in one HTML page: charts, faults, policy, environment", [this] {
          report_.json = json_;
          return host::report(report_);
        });
    command->add_option("RUN", report_.run_file, "Run file (.binade)")->required();
    command->add_option("--out", report_.out, "Output file (.html); must not exist")->required();
  }

  void add_verify() {
    CLI::App* command = add_opening(&app_, "verify", "Compare the engine with LibTorch, bit for bit", [this] {
      verify_.json = json_;
      return host::verify_model(verify_);
    });
    command->add_option("MODEL", verify_.model, kModel)->required();
    command->add_option("--input", verify_.inputs, kSpecs)
        ->type_name("SPEC...")
        ->expected(1, kManyWords)
        ->allow_extra_args(false);
    CLI::Option* eval = command->add_flag("--eval", verify_.eval, "Compare in eval mode");
    command
        ->add_flag_callback(
            "--train", [this] { verify_.eval = false; }, "Compare in train mode (default)")
        ->excludes(eval);
    command->add_option("--autocast", verify_.autocast,
                        "Compare under LibTorch's autocast: cpu:bfloat16, cpu:float16, cuda:bfloat16 or cuda:float16. "
                        "With cuda, both run on the GPU");
    command
        ->add_option("--behaviour", verify_.behaviour,
                     "Behaviour of the engine: fixed, the default of train, or pytorch-2.11 with its known faults")
        ->capture_default_str();
    command
        ->add_option("--output", verify_.outputs,
                     "Outputs that form the loss (default: all): logits, '[0]', '[-1]', out.aux")
        ->type_name("PATH...")
        ->expected(1, kManyWords)
        ->allow_extra_args(false);
    command->add_flag_callback(
        "--no-executor", [this] { verify_.check_executor = false; }, "Do not test LibTorch's optimising executor");
    command->add_flag("--executor-only", verify_.executor_only)->group("");
    command->add_option("--seed", verify_.seed, "Seed of inputs and dropout")
        ->check(kNotNegative)
        ->capture_default_str();
    command->add_option("--steps", verify_.steps, "Number of training steps to compare")
        ->check(kPositive)
        ->capture_default_str();
  }

  void add_compare() {
    CLI::App* command =
        add_opening(&app_, "compare", "Compare one step with the same step in float32, op call by op call", [this] {
          compare_.json = json_;
          return host::compare(compare_);
        });
    command->add_option("RUN", compare_.run, "Run description (default: the demo)");
    command->add_option("--policy", compare_.policy, "Policy file or base list; replaces the run's policy");
    command->add_option("--resume", compare_.resume,
                        "Checkpoint to compare from, or a folder for its newest checkpoint");
    command->add_option("--steps", compare_.steps, "Number of steps to train first")
        ->check(kNotNegative)
        ->capture_default_str();
    command->add_option("--most", compare_.most, "Number of op calls to list; --json lists all")
        ->check(kPositive)
        ->capture_default_str();
  }

  void add_casts() {
    CLI::App* command =
        add_opening(&app_, "casts", "List the cost of casts, their causes and the edits that remove them", [this] {
          casts_.json = json_;
          return host::casts(casts_);
        });
    command->add_option("RUN", casts_.run, "Run description (default: the demo)");
    command->add_option("--policy", casts_.policy, "Policy file or base list; replaces the run's policy");
    command->add_option("--edited", casts_.edited, "Policy file or base list for a second set of totals");
    command->add_option("--steps", casts_.steps, "Number of steps to train")->check(kPositive)->capture_default_str();
  }

  void add_export() {
    CLI::App* command =
        add_opening(&app_, "export", "Export a model with a policy's casts, or the policy for another program", [this] {
          export_.json = json_;
          if (host::is_run_file(export_.model)) return export_recorded_run();
          if (export_.policy.empty()) {
            throw Error(
                ErrorCode::kUsage, "--policy is required for a model",
                policy::names_of_policies() +
                    "\n  For example: binade-engine export model.pt --policy cuda-amp --to csv --out calls.csv");
          }
          return host::export_model(export_);
        });
    command->add_option("MODEL", export_.model, std::string(kModel) + ". Or a run file (.binade)")->required();
    command->add_option("--policy", export_.policy, "Policy file or base list; required for a model");
    command->add_option("--to", export_.target, "Target; see the list below")->required();
    command->add_option("--input", export_.inputs, kSpecs)
        ->type_name("SPEC...")
        ->expected(1, kManyWords)
        ->allow_extra_args(false);
    command->add_option("--out", export_.out, "Output file; must not exist. `-` prints the text")->required();
    command->add_option(
        "--run", export_.run,
        "Run description (JSON): texts get its loss scaler, and without --input its first batch is the input");
    command->add_flag("--approximate", export_.approximate,
                      "Approximate rules that the target cannot express, instead of refusing");
    command->add_flag("--strict", export_.strict,
                      "Exit with code 1 on a warning, as for a rule that matches no op call; notes do not count");
    command->add_flag("--prove", export_.prove, "Refuse a target that cannot be read back and compared");
    command->add_option("--python-model", export_.python_model,
                        "module.py:make_model, which returns the nn.Module: --prove runs pytorch's file on it");
    command->add_option("--python", export_.python,
                        "Python with torch 2.11 for --prove; default: $BINADE_PYTHON, else python3");
    command->add_option("--seed", export_.seed, "Seed of inputs and dropout")
        ->check(kNotNegative)
        ->capture_default_str();
    command->footer("Targets:\n" + host::target_list() +
                    "\nTargets for a run file:\n  tensorboard  a folder with an event file\n  csv          a folder of "
                    "tables\n  perfetto     a trace of the profiled steps\n\n" +
                    kExitCodes);
  }

  int export_recorded_run() {
    if (!export_.policy.empty()) {
      throw Error(ErrorCode::kUsage, "--policy does not apply to a run file, which holds its own policy",
                  "Leave out --policy.");
    }
    return host::export_run({export_.model, export_.target, export_.out, json_});
  }

  void add_probe() {
    CLI::App* command =
        add(&app_, "probe", "Report what works on this machine, and whether the op tables match LibTorch", [this] {
          probe_.json = json_;
          return host::probe_machine(probe_);
        });
    command->add_flag("--inner-calls", probe_.inner_calls,
                      "Also check the table of ops that call listed ops inside: makes small calls of all ops, which "
                      "takes some seconds");
    command->add_flag("--inner-calls-only", probe_.inner_calls_only)->group("");
  }

  void add_python() {
    CLI::App* command = add(&app_, "python", "Print the folder of the Python package that captures trainings", [this] {
      python_.json = json_;
      return host::python(python_);
    });
    command->add_flag("--where", python_.where, "Print the folder; `pip install` of it installs the package");
  }

  void add_trust() {
    CLI::App* command =
        add(&app_, "trust", "List the models that open although checks of their code refuse them", [this] {
          trust_.json = json_;
          return host::trust(trust_);
        });
    command->add_flag("--list")->description("List them (default)");
    command->add_option("--remove", trust_.removed, "End the trust in models, by SHA-256 or path")
        ->type_name("MODEL...");
  }

  void add_serve() {
    CLI::App* command = app_.add_subcommand("serve", "Serve an explorer over standard input and output");
    command->footer(kExitCodes)->callback([this] { run_ = [this] { return host::serve(confinement_of_serve_); }; });
    const auto flag = [this, command](const char* name, host::Confinement value, const char* what) {
      return command->add_flag_callback(
          name, [this, value] { confinement_of_serve_ = value; }, what);
    };
    flag("--confined-if-possible", host::Confinement::kIfPossible, "Confine engines as far as the system can do it")
        ->excludes(flag("--unconfined", host::Confinement::kNone, "Do not confine engines; see docs/security.md"));
  }

  CLI::App app_;
  std::function<int()> run_;
  bool json_ = false;
  host::Confinement confinement_of_serve_ = host::Confinement::kRequired;
  host::CommandConfinement confinement_;
  const host::PolicyCommands::Add add_opening_ = std::bind_front(&CommandLine::add_opening, this);
  host::InspectOptions inspect_;
  host::SampleOptions sample_;
  host::TrainingCommands training_{add_opening_, json_, kExitCodes};
  host::ReplayOptions replay_;
  host::ReportOptions report_;
  host::BundleOptions bundle_;
  host::VerifyCommand verify_;
  host::DataOptions data_;
  host::CompareOptions compare_;
  host::CastsOptions casts_;
  host::TrialCommands trials_{add_opening_, json_, kExitCodes};
  host::PolicyCommands policies_{add_opening_, json_, kExitCodes, kModel};
  host::ExportOptions export_;
  host::ProbeOptions probe_;
  host::PythonOptions python_;
  host::TrustOptions trust_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "setup") return host::run_setup(argv + 1);
  graph::print_to_standard_error();
  files::guard_mapped_files();
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // line-buffered, so that a reader of a pipe gets each line at once
  host::open_cuda();                              // must precede any question to LibTorch about CUDA
  const int code = checked_output(CommandLine().main(argc, argv));
  // All objects of Binade have been destroyed. LibTorch's static destructors would clear the dispatch tables of its
  // operators, for a tenth of a second, and some race with running threads.
  std::fflush(nullptr);
  std::_Exit(code);
}
