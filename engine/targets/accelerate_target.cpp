// SPDX-License-Identifier: Apache-2.0
// Format: Hugging Face Accelerate 1.x: Accelerator(mixed_precision=..., cpu=...,
// kwargs_handlers=[GradScalerKwargs(...)]) and the configuration of `accelerate config`, YAML with mixed_precision and
// use_cpu. The configuration cannot set the scaler, which "fp16" always has.

#include "engine/formats/error.h"
#include "engine/targets/python_literals.h"
#include "engine/targets/scaler_text.h"
#include "engine/targets/target_list.h"
#include "engine/targets/training_setting.h"
#include "engine/targets/yaml_subset.h"

namespace binade::targets {

namespace {

constexpr const char* kAcceleratePrecision = "MIXED_PRECISION";
constexpr std::string_view kAccelerateClass = "Accelerator";

std::string accelerate_word(const TrainingSetting& setting) {
  if (setting.kind != TrainingSetting::Kind::kAutocast) return "no";
  return setting.low == formats::kFloat16 ? "fp16" : "bf16";
}

/// Accelerate knows no whole models in a low format: autocast is nearest.
TrainingSetting accelerate_setting(const Assignment& assignment) {
  TrainingSetting setting = nearest_setting(assignment);
  if (setting.kind == TrainingSetting::Kind::kWhole) setting.kind = TrainingSetting::Kind::kAutocast;
  return setting;
}

Written write_accelerate(const Assignment& assignment) {
  Findings findings;
  const TrainingSetting setting = accelerate_setting(assignment);
  std::string scaler = "None";
  if (assignment.scaler && accelerate_word(setting) == "fp16") {
    scaler = scaler_dict(torch_scaler_names(), *assignment.scaler, findings);
  } else if (assignment.scaler && assignment.scaler->enabled) {
    findings.add(Finding::Kind::kInexpressible, "Accelerate scales losses with \"fp16\" only");
  }
  const std::string text =
      "# Mixed precision for Hugging Face Accelerate 1.x, written by Binade.\n"
      "#     accelerator = make_accelerator()\n" +
      std::string(kAcceleratePrecision) + " = " + python_text(accelerate_word(setting)) +
      "\nCPU = " + (setting.cpu ? "True" : "False") + "\nSCALER = " + scaler +
      "\n\n\ndef make_accelerator(**options):\n"
      "    from accelerate import Accelerator\n"
      "    from accelerate.utils import GradScalerKwargs\n\n"
      "    handlers = [GradScalerKwargs(**SCALER)] if SCALER else []\n"
      "    return Accelerator(mixed_precision=MIXED_PRECISION, cpu=CPU, kwargs_handlers=handlers, **options)\n";
  declare_setting(assignment, setting, "Accelerate", findings);
  return {text, findings.list()};
}

TrainingSetting accelerate_parsed(const std::string& word, bool cpu, const std::string& source) {
  TrainingSetting setting;
  setting.cpu = cpu;
  if (word == "no") return setting;
  if (word != "fp16" && word != "bf16") {
    throw Error(ErrorCode::kBadPolicy, source + ": mixed_precision is missing or unknown", "Known: no, fp16, bf16.");
  }
  setting.kind = TrainingSetting::Kind::kAutocast;
  setting.low = word == "fp16" ? formats::kFloat16 : formats::kBFloat16;
  return setting;
}

Read accelerate_read_of(const TrainingSetting& setting) {
  Read read;
  read.policy = policy_of_setting(setting);
  read.scaler = wire::ScalerConfig{};
  read.scaler->enabled = accelerate_word(setting) == "fp16";
  return read;
}

/// The file of `accelerate config`.
Read read_accelerate_yaml(std::string_view text, const std::string& source) {
  const YamlNode yaml = parse_yaml(text, source);
  const auto scalar = [&yaml](std::string_view key) {
    const YamlNode* const node = yaml.find(key);
    return node == nullptr ? std::string() : node->scalar;
  };
  const std::string cpu = scalar("use_cpu");
  Read read = accelerate_read_of(accelerate_parsed(scalar("mixed_precision"), cpu == "true" || cpu == "True", source));
  if (read.scaler->enabled) {
    read.findings.push_back(
        {Finding::Kind::kNote, "the configuration does not set the loss scaler: it has PyTorch's settings", {}});
  }
  return read;
}

Read read_accelerate(std::string_view text, const std::string& source, const Assignment&) {
  const auto contains = [text](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const std::string call = std::string(kAccelerateClass) + "(";
  if (!contains(std::string(kAcceleratePrecision) + " = ") && !contains(call)) {
    return read_accelerate_yaml(text, source);
  }
  const PythonLiterals literals(text, source, {kAccelerateClass});
  const TrainingSetting setting =
      accelerate_parsed(literals.text(kAcceleratePrecision, ""), literals.flag("CPU", false), source);
  Read read = accelerate_read_of(setting);
  const nlohmann::json& given = literals.dict("SCALER");
  if (!given.empty() && !read.scaler->enabled) {
    literals.fail("SCALER is set, but only \"fp16\" scales losses", "Write SCALER = None.");
  }
  read.scaler = scaler_from(torch_scaler_names(), given, *read.scaler, source);
  return read;
}

}  // namespace

Target accelerate_target() {
  return {.name = "accelerate",
          .title = "Hugging Face Accelerate",
          .suffix = ".accelerate.py",
          .doc = "A Python file with the mixed precision and the scaler of an Accelerator; for Accelerate 1.x.",
          .write = write_accelerate,
          .read = read_accelerate};
}

}  // namespace binade::targets
