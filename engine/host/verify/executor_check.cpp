// SPDX-License-Identifier: Apache-2.0
#include "engine/host/verify/executor_check.h"

#include "engine/graph/failure.h"
#include "engine/graph/flat_graph.h"
#include "engine/host/verify/verify_side.h"

#include <ATen/Context.h>
#include <torch/csrc/jit/api/module.h>

#include <sstream>

namespace binade::host {

namespace {

constexpr int kCalls = 3;  ///< the executor profiles in the first call and optimises in the second

constexpr const char* kWho = "LibTorch's optimising executor ";

/// Appends, because GCC 12 falsely reports an overlap in `std::string + text`.
std::string of_it(const std::string& what) {
  return std::string(kWho).append(what);
}

std::string in_call(const char* what, int call) {
  return of_it(what) + " of its call " + std::to_string(call + 1);
}

std::string reason_of(const std::exception& error) {
  const Error failure = graph::forward_failure(error);
  std::string text = failure.what();
  for (const std::string_view prefix : {"forward failed: ", "backward failed: "}) {  // the caller names the part
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  }
  while (text.ends_with('.')) text.pop_back();  // the caller ends the sentence
  return text;
}

/// Runs one call of each; returns the difference as a sentence, or an empty string if they agree.
std::string compare(Side& reference, Side& optimised, const VerifyOptions& options, int call) {
  const auto seed = [&] { at::manual_seed(options.seed + static_cast<std::uint64_t>(call)); };
  seed();
  {
    const NativeAutocast autocast(options);
    const c10::IValue output = reference.model.forward(options.inputs(call));
    reference.backward(options, output);
  }
  c10::IValue output;
  try {
    seed();
    const NativeAutocast autocast(options);
    output = optimised.model.module().forward(options.inputs(call));
  } catch (const std::exception& error) {
    return in_call("fails in forward", call) + ": " + reason_of(error);
  }
  try {
    optimised.backward(options, output);
  } catch (const std::exception& error) {
    return in_call("fails in backward", call) + ": " + reason_of(error);
  }
  const auto differs = [&](const std::string& what, double by) {
    std::ostringstream text;
    text << kWho << "differs from the reference in its call " << call + 1 << ": " << what << " by " << by;
    return text.str();
  };
  for (std::size_t i = 0; i < std::min(reference.outputs.size(), optimised.outputs.size()); ++i) {
    const double by = difference(reference.outputs[i], optimised.outputs[i]);
    if (by != 0) return differs("output " + std::to_string(i), by);
  }
  const auto expected = reference.gradients();
  const auto got = optimised.gradients();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double by = difference(expected[i], got[i]);
    if (by != 0) return differs("the gradient of " + reference.parameters[i].first, by);
  }
  return {};
}

}  // namespace

std::string check_executor(const VerifyOptions& options) {
  Side reference(options.load(), options.device);
  Side optimised(options.load(), options.device);
  prepare(reference, optimised, options);
  if (!graph::FlatGraph(reference.model).own_blocks().empty()) {
    return of_it("ignores the model's own autocast blocks, so it was not compared");
  }
  for (int call = 0; call < kCalls; ++call) {
    const std::string found = compare(reference, optimised, options, call);
    if (!found.empty()) return found;
    reference.step();
    optimised.step();
  }
  return {};
}

std::string check_executor_apart(const std::vector<std::string>& arguments) {
  return executor_report(run_apart(arguments));
}

std::string executor_report(const OwnProcess& process) {
  return process.failure.empty() ? process.last_line : of_it(process.failure);
}

}  // namespace binade::host
