// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/policy/decision_text.h"
#include "engine/targets/literal_text.h"
#include "engine/targets/scaler_text.h"
#include "engine/targets/target_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace binade::targets {

namespace {

constexpr std::string_view kCppPolicy = "constexpr const char* kPolicy = R\"";
constexpr std::string_view kCppScaler = "constexpr binade::scaler::Options kScaler{";

constexpr const char* kCppHead = R"HEADER(
// Needs Binade's C++ library: find_package(Binade), then link Binade::autocast and Binade::scaler.
//
//   TunedModel model("%MODEL%");
//   binade::scaler::GradScaler scaler(kScaler);
//   {
//     const binade::autocast::CastScope scope(model.casts());  // a weight is cast once in it; backward stays outside
//     loss = torch::cross_entropy_loss(model.forward({x}).toTensor().to(at::kFloat), y);
//   }
//   scaler.scale(loss).backward();
//
// model.check({x}) returns a line for each op call that this program treats otherwise than Binade did.
#pragma once

)HEADER";

/// Headers that the text includes. They are no lines of this file, which must not include LibTorch.
constexpr auto kCppIncludes = std::to_array<std::string_view>(
    {"\"engine/autocast/autocast.h\"", "\"engine/autocast/cast_scope.h\"", "\"engine/autocast/resolve_executions.h\"",
     "\"engine/graph/dtype_format.h\"", "\"engine/graph/flat_graph.h\"", "\"engine/policy/decide.h\"",
     "\"engine/policy/decision_text.h\"", "\"engine/policy/resolve.h\"", "\"engine/scaler/scaler_options.h\"", "",
     "<ATen/core/grad_mode.h>", "", "<cstddef>", "<iterator>", "<map>", "<memory>", "<string>", "<utility>",
     "<vector>"});

constexpr const char* kCppTail = R"HEADER(
/// A TorchScript model that runs with the policy. Op calls keep their names, so rules for single ones apply. Not
/// thread-safe. Errors of the file and of the policy are thrown as binade::Error.
class TunedModel {
 public:
  /// Loads `file`. To change the device, call model().to() before the first forward, and pass the same device here.
  explicit TunedModel(const std::string& file, c10::DeviceType device = at::kCPU,
                      const binade::policy::Capabilities& capabilities = {})
      : model_(binade::graph::Model::load(file)), forward_(model_), casts_(device) {
    std::vector<const binade::graph::Site*> sites;
    for (const auto& site : forward_.sites()) sites.push_back(site.get());
    const binade::policy::Policy rules = binade::policy::parse_policy(kPolicy, "the policy of this program");
    table_ = std::make_shared<const binade::policy::Resolved>(
        binade::autocast::resolve_for(rules, sites, capabilities));
    casts_.set_policy(table_);
  }

  /// Runs forward on positional inputs. Keep a CastScope of casts() open around forward and loss.
  c10::IValue forward(std::vector<c10::IValue> inputs) {
    binade::graph::SiteHook* const hooks[] = {&casts_};
    return forward_.run(std::move(inputs), hooks);
  }

  /// Runs forward once, without gradients, and compares each op call with kOpCalls: its treatment here, and the dtypes
  /// of the arguments that its op received. Returns a line for each op call that differs and for each that did not run.
  /// Empty: this program treats the model as Binade did. Call it outside of a CastScope.
  std::vector<std::string> check(std::vector<c10::IValue> inputs) {
    Received received;
    {
      const at::NoGradGuard no_gradients;
      const binade::autocast::CastScope scope(casts_);
      binade::graph::SiteHook* const hooks[] = {&casts_, &received};  // the second one receives what the first one cast
      forward_.run(std::move(inputs), hooks);
    }
    std::vector<std::string> lines;
    const auto& sites = forward_.sites();
    for (std::size_t i = 0; i < sites.size() || i < std::size(kOpCalls); ++i) {
      const std::string line = i >= sites.size()            ? std::string(kOpCalls[i].name) + ": the model has no such op call"
                               : i >= std::size(kOpCalls) ? sites[i]->key.name() + ": the policy was written without it"
                                                          : difference(*sites[i], kOpCalls[i], received);
      if (!line.empty()) lines.push_back(line);
    }
    return lines;
  }

  binade::graph::Model& model() { return model_; }
  binade::autocast::Autocast& casts() { return casts_; }

 private:
  /// The dtypes of the floating-point arguments of each op call, by site, in all its executions.
  struct Received : binade::graph::SiteHook {
    void before(binade::graph::Call& call) override {
      std::vector<at::ScalarType>& dtypes = by_site[call.site.id];
      for (std::size_t i = 0; i < call.site.inputs; ++i) add(call.argument(i), dtypes);
    }
    static void add(const c10::IValue& argument, std::vector<at::ScalarType>& dtypes) {
      if (argument.isTensor() && argument.toTensor().defined() && argument.toTensor().is_floating_point()) {
        dtypes.push_back(argument.toTensor().scalar_type());
      } else if (argument.isTensorList()) {
        for (const at::Tensor& tensor : argument.toTensorVector()) add(tensor, dtypes);
      }
    }
    std::map<int, std::vector<at::ScalarType>> by_site;
  };

  std::string difference(const binade::graph::Site& site, const OpCall& expected, const Received& received) const {
    const std::string name = site.key.name();
    if (name != expected.name) return name + ": the policy was written for " + expected.name + " in its place";
    if (site.view) return {};  // no treatment casts it
    binade::policy::Decision decision = table_->sites[static_cast<std::size_t>(site.id)];
    decision.execution = binade::policy::Execution::kNative;  // how a format is computed is up to this machine
    // On CUDA the list casts the arguments of cuDNN's op, which LibTorch calls inside the layer.
    const bool follows = decision.kind == binade::policy::Decision::Kind::kFollow && decision.rule == binade::policy::kFromBase;
    if (follows && binade::policy::is_recurrent_layer(site.op)) return {};
    const std::string treatment = binade::policy::decision_text(decision);
    if (treatment != expected.treatment) return name + ": " + treatment + " here, and " + expected.treatment + " in Binade";
    const auto found = received.by_site.find(site.id);
    if (found == received.by_site.end()) return name + ": did not run with these inputs";
    if (decision.kind != binade::policy::Decision::Kind::kFormat || found->second.empty()) return {};
    const at::ScalarType dtype = binade::graph::dtype_of(decision.format);
    for (const at::ScalarType each : found->second) {
      if (dtype == at::ScalarType::Undefined || each == dtype) return {};
    }
    return name + ": no argument is " + treatment;
  }

  binade::graph::Model model_;
  binade::graph::FlatGraph forward_;
  binade::autocast::Autocast casts_;
  std::shared_ptr<const binade::policy::Resolved> table_;
};

}  // namespace tuned
)HEADER";

/// A delimiter of a raw string that does not occur in `text`.
std::string raw_delimiter(const std::string& text) {
  std::string delimiter = "policy";
  for (int i = 0; text.find(")" + delimiter + "\"") != std::string::npos; ++i) {
    delimiter = "policy" + std::to_string(i);
  }
  return delimiter;
}

/// A number as C++ reads it back to the same double.
std::string number_text(double value) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end};
}

/// The options of a scaler, as designated initializers; defaults are left out.
std::string scaler_initializers(const wire::ScalerConfig& scaler) {
  const wire::ScalerConfig defaults;
  std::string text;
  const auto add = [&text](const char* name, const std::string& value) {
    text += std::string(text.empty() ? "" : ", ") + "." + name + " = " + value;
  };
  const auto add_double = [&](const char* name, double value, double usual) {
    if (value != usual) add(name, number_text(value));
  };
  add_double("init_scale", scaler.init_scale, defaults.init_scale);
  add_double("growth_factor", scaler.growth_factor, defaults.growth_factor);
  add_double("backoff_factor", scaler.backoff_factor, defaults.backoff_factor);
  if (scaler.growth_interval != defaults.growth_interval) {
    add("growth_interval", std::to_string(scaler.growth_interval));
  }
  if (!scaler.enabled) add("enabled", "false");
  add_double("minimum", scaler.minimum, defaults.minimum);
  add_double("maximum", scaler.maximum, defaults.maximum);
  if (scaler.hysteresis != defaults.hysteresis) add("hysteresis", std::to_string(scaler.hysteresis));
  if (scaler.fixed) add("dynamic", "false");
  return text;
}

/// The table of op calls, whose treatments TunedModel::check() compares with its own. Execution is left out: it is up
/// to the machine.
std::string op_calls_text(const Assignment& assignment) {
  std::string text =
      "/// An op call, and its treatment under the policy.\nstruct OpCall {\n  const char* name;\n"
      "  const char* treatment;\n};\nconstexpr OpCall kOpCalls[] = {\n";
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    policy::Decision decision = assignment.table.sites[i];
    decision.execution = policy::Execution::kNative;
    text += "    {" + literal_text(assignment.keys[i].name()) + ", " + literal_text(policy::decision_text(decision)) +
            "},\n";
  }
  return text + "};\n\n";
}

Written write_cpp(const Assignment& assignment) {
  const std::string policy = policy::to_json(assignment.policy);
  const std::string delimiter = raw_delimiter(policy);
  std::string head = kCppHead;
  constexpr std::string_view kModelMark = "\"%MODEL%\"";
  head.replace(head.find(kModelMark), kModelMark.size(), literal_text(assignment.model));
  std::string text = "// SPDX-License-Identifier: Apache-2.0\n// Mixed precision of a model, written by Binade." + head;
  for (const std::string_view header : kCppIncludes) {
    text += header.empty() ? "\n" : "#include " + std::string(header) + "\n";
  }
  text += "\nnamespace tuned {\n\n";
  text += "/// The policy; the same text is a policy file.\n";
  text += std::string(kCppPolicy) + delimiter + "(" + policy + ")" + delimiter + "\";\n\n";
  text += op_calls_text(assignment);
  text += assignment.scaler ? "/// The loss scaler of the run.\n"
                            : "/// No run was given: the loss scaler has PyTorch's settings.\n";
  text += std::string(kCppScaler) + (assignment.scaler ? scaler_initializers(*assignment.scaler) : "") + "};\n";
  text += kCppTail;
  return {text, {}};
}

[[noreturn]] void refuse_cpp(const std::string& source, const std::string& what) {
  throw Error(ErrorCode::kBadPolicy, source + ": " + what,
              "A file that `export --to cpp` wrote has both. Export it again.");
}

/// Position right after `mark` in the text.
std::size_t end_of(std::string_view text, std::string_view mark, const std::string& source) {
  const std::size_t found = text.find(mark);
  if (found == std::string_view::npos) refuse_cpp(source, "there is no `" + std::string(mark) + "` in it");
  return found + mark.size();
}

const ScalerNames& option_names() {
  static const ScalerNames names{.program = "binade::scaler::Options",
                                 .scale = "init_scale",
                                 .growth = "growth_factor",
                                 .backoff = "backoff_factor",
                                 .interval = "growth_interval",
                                 .hysteresis = "hysteresis",
                                 .dynamic = "dynamic",
                                 .enabled = "enabled",
                                 .minimum = "minimum",
                                 .maximum = "maximum"};
  return names;
}

wire::ScalerConfig parse_initializers(std::string_view text, const std::string& source) {
  nlohmann::json options = nlohmann::json::object();
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text = entry.size() == text.size() ? std::string_view() : text.substr(std::min(entry.size() + 2, text.size()));
    const std::size_t equals = entry.find(" = ");
    if (!entry.starts_with('.') || equals == std::string_view::npos) {
      refuse_cpp(source, "kScaler: `" + formats::printable(entry) + "` is not an initializer");
    }
    const std::string name = formats::printable(entry.substr(1, equals - 1));
    const std::string_view word = entry.substr(equals + 3);
    if (word == "true" || word == "false") {
      options[name] = word == "true";
      continue;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) {
      refuse_cpp(source, "kScaler: " + name + " is not a number");
    }
    options[name] = value;
  }
  return scaler_from(option_names(), options, {}, source);
}

Read read_cpp(std::string_view text, const std::string& source, const Assignment& /*model*/) {
  Read read;
  std::string_view rest = text.substr(end_of(text, kCppPolicy, source));
  const std::size_t open = rest.find('(');
  if (open == std::string_view::npos) refuse_cpp(source, "kPolicy is not a raw string");
  const std::string end = ")" + std::string(rest.substr(0, open)) + "\";";
  const std::size_t close = rest.find(end);
  if (close == std::string_view::npos) refuse_cpp(source, "kPolicy has no end");
  read.policy = policy::parse_policy(rest.substr(open + 1, close - open - 1), source);
  rest = rest.substr(close + end.size());
  rest = rest.substr(end_of(rest, kCppScaler, source));
  const std::size_t brace = rest.find('}');
  if (brace == std::string_view::npos) refuse_cpp(source, "kScaler has no end");
  read.scaler = parse_initializers(rest.substr(0, brace), source);
  return read;
}

}  // namespace

Target cpp_target() {
  return {.name = "cpp",
          .title = "C++ with Binade's library",
          .suffix = ".h",
          .doc = "A C++20 header that runs the TorchScript model with the policy, on Binade's installed library.",
          .write = write_cpp,
          .read = read_cpp};
}

}  // namespace binade::targets
