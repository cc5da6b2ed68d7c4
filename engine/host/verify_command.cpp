// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/samples.h"
#include "engine/host/commands.h"
#include "engine/host/exit_code.h"
#include "engine/host/verify.h"
#include "engine/train/output_path.h"
#include "engine/train/spec.h"

#include <nlohmann/json.hpp>

#include <ATen/CPUGeneratorImpl.h>

#include <cstdio>

namespace binade::host {

namespace {

at::ScalarType autocast_dtype(const std::string& text) {
  if (text == "cpu:bfloat16") return at::kBFloat16;
  if (text == "cpu:float16") return at::kHalf;
  throw Error(ErrorCode::kUsage, "--autocast " + text + " is not DEVICE:FORMAT",
              "Use cpu:bfloat16 or cpu:float16; the reference is LibTorch's own CPU autocast.");
}

}  // namespace

int verify_model(const VerifyCommand& command) {
  std::vector<train::Spec> specs;
  for (const std::string& text : command.inputs) specs.push_back(train::parse_spec(text));

  VerifyOptions options;
  options.load = [&] { return graph::open_model(command.model); };
  options.inputs = [&](int step) {
    const at::Generator generator =
        at::detail::createCPUGenerator(command.seed + static_cast<std::uint64_t>(step + 1000));
    std::vector<c10::IValue> inputs;
    for (const train::Spec& spec : specs) inputs.push_back(train::make(spec, generator));
    return inputs;
  };
  options.outputs = [&](const c10::IValue& output) {
    if (command.output.empty()) return tensors_of(output);
    return std::vector<at::Tensor>{train::select_output(output, command.output)};
  };
  options.train = !command.eval;
  if (!command.autocast.empty()) options.autocast = autocast_dtype(command.autocast);
  options.seed = command.seed;
  options.steps = command.steps;

  const VerifyReport report = verify(options);
  if (command.json) {
    const nlohmann::ordered_json line{{"event", "verified"},
                                      {"model", command.model},
                                      {"identical", report.identical},
                                      {"steps", report.steps},
                                      {"loss", report.loss},
                                      {"outputs", report.outputs},
                                      {"gradients", report.gradients},
                                      {"gradients_compared", report.gradients_compared},
                                      {"parameters", report.parameters},
                                      {"buffers", report.buffers},
                                      {"sites", report.sites},
                                      {"executed", report.executed},
                                      {"first_difference", report.first_difference}};
    std::printf("%s\n", line.dump().c_str());
  } else {
    std::printf("%s: %d of %d op calls ran, %d step%s, %s mode%s\n", command.model.c_str(), report.executed,
                report.sites, report.steps, report.steps == 1 ? "" : "s", command.eval ? "eval" : "train",
                command.autocast.empty() ? "" : (", under autocast " + command.autocast).c_str());
    std::printf("largest difference from native: outputs %g, gradients %g, parameters %g, buffers %g\n", report.outputs,
                report.gradients, report.parameters, report.buffers);
    if (report.gradients_compared == 0) std::printf("No gradient was compared: no parameter got one.\n");
    std::printf("%s\n", report.identical ? "Identical to native, to the bit." : report.first_difference.c_str());
  }
  return report.identical ? kDone : kFailed;
}

}  // namespace binade::host
