// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/spec.h"
#include "engine/graph/samples.h"
#include "engine/graph/unsafe_code.h"
#include "engine/host/commands/commands.h"
#include "engine/host/input/given_inputs.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/verify/executor_check.h"
#include "engine/host/verify/verify.h"
#include "engine/train/device.h"
#include "engine/train/output_path.h"
#include "engine/train/training.h"

#include <nlohmann/json.hpp>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include <cstdio>
#include <optional>
#include <utility>

namespace binade::host {

namespace {

/// Sets device and dtype from `cuda:float16` and the like. Throws Error{kUsage}.
void set_autocast(VerifyOptions& options, const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string device = text.substr(0, colon);
  const std::string dtype = colon == std::string::npos ? "" : text.substr(colon + 1);
  if ((device != "cpu" && device != "cuda") || (dtype != "bfloat16" && dtype != "float16")) {
    throw Error(
        ErrorCode::kUsage, "--autocast " + text + " is not supported",
        "Use cpu:bfloat16, cpu:float16, cuda:bfloat16 or cuda:float16. The reference is LibTorch's own autocast "
        "for that device.");
  }
  if (device == "cuda" && at::getNumGPUs() == 0) {
    throw Error(ErrorCode::kUsage,
                "--autocast " + text + ": LibTorch's CUDA autocast needs a GPU, and none is usable here",
                "Use cpu:bfloat16 or cpu:float16. train runs CUDA's list on any machine and emulates its formats "
                "without a GPU. probe compares that list with LibTorch's.");
  }
  options.device = train::open_device(device);
  options.autocast = dtype == "float16" ? at::kHalf : at::kBFloat16;
}

policy::Behaviour behaviour_of(const std::string& text) {
  for (const policy::Behaviour each : {policy::Behaviour::kFixed, policy::Behaviour::kPyTorch211}) {
    if (text == policy::name(each)) return each;
  }
  throw Error(ErrorCode::kUsage, "--behaviour " + text + " is not a behaviour",
              "Use fixed, the default of train, or pytorch-2.11.");
}

/// Returns whether the engine is identical under `pytorch-2.11`; then the two behaviours explain the difference.
bool identical_as_pytorch(VerifyOptions options) {
  options.behaviour = policy::Behaviour::kPyTorch211;
  try {
    return verify(options).identical;
  } catch (const Error&) {
    return false;  // that behaviour reproduces LibTorch's refusals
  }
}

/// Arguments for the child process that checks LibTorch's optimising executor.
std::vector<std::string> words_for_executor(const VerifyCommand& command) {
  std::vector<std::string> words{"verify", command.model, "--executor-only", command.eval ? "--eval" : "--train"};
  words.insert(words.end(), {"--seed", std::to_string(command.seed)});
  if (!command.autocast.empty()) words.insert(words.end(), {"--autocast", command.autocast});
  if (graph::trusts_all()) words.emplace_back("--trust");
  for (const std::string& path : command.outputs) words.push_back("--output=" + path);
  for (const std::string& input : command.inputs) words.push_back("--input=" + input);
  return words;
}

/// Compares; where the model refuses what was drawn for it, the error says what to draw or give instead.
VerifyReport compared(const VerifyOptions& options, const std::vector<batches::Spec>& specs) {
  try {
    return verify(options);
  } catch (const Error& error) {
    const std::string hint = hint_on_drawn(error.what(), specs);
    if (error.code != ErrorCode::kBadModel || hint.empty()) throw;
    throw Error(error.code, error.what(), error.hint.empty() ? hint : error.hint + " " + hint);
  }
}

/// Returns the output that `--output` names. Throws Error{kUsage}.
at::Tensor chosen_output(const c10::IValue& output, const std::string& path) {
  try {
    return train::select_output(output, path);
  } catch (const Error& error) {
    // The message becomes `--output "x": ...`.
    throw Error(ErrorCode::kUsage, "--" + std::string(error.what()), error.hint);
  }
}

/// `executor`: the report on LibTorch's optimising executor, empty if it agrees, nullopt if not checked. `as_pytorch`:
/// whether a difference vanishes under `pytorch-2.11`.
void print(const VerifyCommand& command, const VerifyReport& report, bool as_pytorch,
           const std::optional<std::string>& executor) {
  std::printf("%s in %s mode, forward and backward, %d step%s: %d of its %d op calls ran.\n", command.model.c_str(),
              command.eval ? "eval" : "train", report.steps, report.steps == 1 ? "" : "s", report.executed,
              report.sites);
  std::printf(
      "The model ran twice from the same seed: in Binade's engine with behaviour %s, and in LibTorch alone%s.\n",
      command.behaviour.c_str(),
      command.autocast.empty() ? "" : (" under its autocast for " + command.autocast).c_str());
  std::printf("Largest difference: outputs %g, gradients %g, parameters %g, buffers %g\n", report.outputs,
              report.gradients, report.parameters, report.buffers);
  if (report.gradients_compared == 0) std::printf("No gradient was compared, because no parameter received one.\n");
  std::printf("%s\n", report.identical ? "Identical to LibTorch, to the bit." : report.first_difference.c_str());
  if (as_pytorch) {
    std::printf(
        "With --behaviour pytorch-2.11 the engine is identical to LibTorch. The difference is intentional in behaviour "
        "fixed.\n");
  }
  if (!executor) return;
  if (executor->empty()) {
    std::printf(
        "LibTorch's optimising executor, which a plain forward() in a program uses, gives identical results.\n");
  } else {
    std::printf("Independent of Binade: %s. A plain forward() in a program uses it.\n", executor->c_str());
  }
}

}  // namespace

int verify_model(const VerifyCommand& command) {
  std::vector<batches::Spec> specs;
  for (const std::string& text : given_inputs(command.model, command.inputs))
    specs.push_back(batches::parse_spec(text));

  VerifyOptions options;
  options.load = [&] { return graph::open_model(command.model); };
  options.inputs = [&](int step) {
    const at::Generator generator =
        at::detail::createCPUGenerator(command.seed + static_cast<std::uint64_t>(step + 1000));
    std::vector<c10::IValue> inputs;
    for (const batches::Spec& spec : specs) {
      inputs.push_back(train::moved(batches::make(spec, generator), options.device));
    }
    return inputs;
  };
  options.outputs = [&](const c10::IValue& output) {
    if (command.outputs.empty()) return tensors_of(output);
    std::vector<at::Tensor> chosen;
    for (const std::string& path : command.outputs) chosen.push_back(chosen_output(output, path));
    return chosen;
  };
  options.train = !command.eval;
  if (!command.autocast.empty()) set_autocast(options, command.autocast);
  options.behaviour = behaviour_of(command.behaviour);
  options.seed = command.seed;
  options.steps = command.steps;

  std::optional<train::Deterministic> deterministic;  // some kernels of a GPU differ from themselves
  if (options.device.is_cuda()) deterministic.emplace();
  if (command.executor_only) {
    std::printf("%s\n", check_executor(options).c_str());
    return kDone;
  }

  const VerifyReport report = compared(options, specs);
  const bool as_pytorch = !report.identical && options.behaviour == policy::Behaviour::kFixed &&
                          !command.autocast.empty() && identical_as_pytorch(options);
  std::string executor = command.executor.value_or("");
  if (command.check_executor && !command.executor) executor = check_executor_apart(words_for_executor(command));
  if (command.json) {
    const nlohmann::ordered_json line{{"event", "verified"},
                                      {"model", command.model},
                                      {"behaviour", command.behaviour},
                                      {"identical", report.identical},
                                      {"identical_as_pytorch", report.identical || as_pytorch},
                                      {"steps", report.steps},
                                      {"loss", report.loss},
                                      {"outputs", report.outputs},
                                      {"gradients", report.gradients},
                                      {"gradients_compared", report.gradients_compared},
                                      {"parameters", report.parameters},
                                      {"buffers", report.buffers},
                                      {"sites", report.sites},
                                      {"executed", report.executed},
                                      {"first_difference", report.first_difference},
                                      {"reference_repeats", report.reference_repeats},
                                      {"optimising_executor", executor}};
    print_json(line);
  } else {
    print(command, report, as_pytorch, command.check_executor ? std::optional(executor) : std::nullopt);
  }
  return report.identical ? kDone : kFailed;
}

std::string report_of_executor(std::string output, int code) {
  return executor_report(outcome_of(std::move(output), code));
}

}  // namespace binade::host
