// SPDX-License-Identifier: Apache-2.0
#include "engine/host/input/given_inputs.h"

#include "engine/batches/open_data.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "engine/host/input/read_run.h"

#include <ATen/CPUGeneratorImpl.h>

#include <sstream>

namespace binade::host {

namespace {

/// `x: Tensor`, or `lengths: Optional[Tensor] = None`.
std::string text_of(const c10::Argument& argument) {
  std::ostringstream text;
  text << argument.name() << ": " << argument.type()->annotation_str();
  if (const auto& value = argument.default_value()) text << " = " << *value;
  return text.str();
}

/// `or_else` ends the hint on missing SPECs.
std::vector<std::string> specs_for(const std::string& model, const std::vector<std::string>& given,
                                   const std::string& or_else) {
  if (!given.empty()) return given;
  if (const graph::Sample* sample = graph::find_sample(model); sample != nullptr) return sample->inputs;
  const graph::FlatGraph flat(graph::open_model(model));
  std::string takes;
  const auto& arguments = flat.schema().arguments();
  for (std::size_t i = 1; i < arguments.size(); ++i) {  // argument 0 is self
    takes += (takes.empty() ? "" : ", ") + text_of(arguments[i]);
  }
  throw Error(ErrorCode::kUsage, "--input is missing: forward of " + model + " takes (" + takes + ")",
              "Give one SPEC for each argument without a default, for example --input 'float32[2,3,224,224]'. See "
              "--help for the forms of a SPEC." +
                  or_else);
}

}  // namespace

std::vector<std::string> given_inputs(const std::string& model, const std::vector<std::string>& given) {
  return specs_for(model, given, {});
}

std::vector<c10::IValue> example_inputs(const std::string& model, const std::vector<std::string>& given,
                                        const std::string& run, std::uint64_t seed) {
  if (given.empty() && !run.empty()) {
    const graph::FlatGraph flat(graph::open_model(model));
    return batches::open_data(read_run(run), flat.schema())->next().inputs;
  }
  std::vector<c10::IValue> inputs;
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  constexpr const char* kOrRun = " Or name a run description with --run, whose first batch is then the input.";
  for (const std::string& spec : specs_for(model, given, kOrRun)) {
    inputs.push_back(batches::make(batches::parse_spec(spec), generator));
  }
  return inputs;
}

std::string hint_on_drawn(std::string_view message, std::vector<batches::Spec> specs) {
  const auto draws = [&specs](bool whole) {
    for (batches::Spec& spec : specs) {
      for (const batches::TensorSpec* tensor : batches::tensors_of(spec)) {
        if (tensor->values.empty() && tensor->dtype != at::kBool &&
            c10::isIntegralType(tensor->dtype, false) == whole) {
          return true;
        }
      }
    }
    return false;
  };
  const auto says = [message](std::string_view part) { return message.find(part) != std::string_view::npos; };
  if (says("between 0 and 1") && draws(false)) {
    return "Floating-point inputs are normally distributed. Use values from 0 to 1, --input 'float32[8,1]<1', or give "
           "values, 'float32[2]=0,1'.";
  }
  if ((says("out of bounds") || says("out of range")) && draws(true)) {
    return "Integers are below 10 by default. Give a limit, --input 'int64[2,16]<5', or values, 'int64[2]=0,3'.";
  }
  return {};
}

}  // namespace binade::host
