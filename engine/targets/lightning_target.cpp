// SPDX-License-Identifier: Apache-2.0
// Format: PyTorch Lightning 2.6, precision plugins: MixedPrecision(precision, device, scaler) for "16-mixed" and
// "bf16-mixed", HalfPrecision(precision) for "16-true" and "bf16-true". "bf16-mixed" refuses a scaler.

#include "engine/formats/error.h"
#include "engine/targets/python_literals.h"
#include "engine/targets/scaler_text.h"
#include "engine/targets/target_list.h"
#include "engine/targets/training_setting.h"

#include <array>

namespace binade::targets {

namespace {

using SettingKind = TrainingSetting::Kind;

struct LightningPrecision {
  std::string_view name;
  SettingKind kind;
  formats::Format low;
};
constexpr std::array kLightningPrecisions{LightningPrecision{"32-true", SettingKind::kFloat32, formats::kBFloat16},
                                          LightningPrecision{"16-mixed", SettingKind::kAutocast, formats::kFloat16},
                                          LightningPrecision{"bf16-mixed", SettingKind::kAutocast, formats::kBFloat16},
                                          LightningPrecision{"16-true", SettingKind::kWhole, formats::kFloat16},
                                          LightningPrecision{"bf16-true", SettingKind::kWhole, formats::kBFloat16}};

std::string_view lightning_name(const TrainingSetting& setting) {
  for (const LightningPrecision& precision : kLightningPrecisions) {
    const bool any_format = precision.kind == SettingKind::kFloat32;
    if (precision.kind == setting.kind && (any_format || precision.low == setting.low)) return precision.name;
  }
  return kLightningPrecisions.front().name;
}

bool lightning_scales(const TrainingSetting& setting) {
  return setting.kind == SettingKind::kAutocast && setting.low == formats::kFloat16;
}

Written write_lightning(const Assignment& assignment) {
  Findings findings;
  const TrainingSetting setting = nearest_setting(assignment);
  std::string scaler = "None";
  if (assignment.scaler && lightning_scales(setting)) {
    scaler = scaler_dict(torch_scaler_names(), *assignment.scaler, findings);
  } else if (assignment.scaler && assignment.scaler->enabled) {
    findings.add(Finding::Kind::kInexpressible, "Lightning scales losses with \"16-mixed\" only");
  }
  const std::string text =
      "# Precision for PyTorch Lightning 2.6, written by Binade.\n"
      "#     Trainer(plugins=plugins())\n"
      "PRECISION = " +
      python_text(std::string(lightning_name(setting))) + "\nDEVICE = " + (setting.cpu ? "\"cpu\"" : "\"cuda\"") +
      "\nSCALER = " + scaler +
      "\n\n\ndef plugins():\n"
      "    import torch\n"
      "    from lightning.pytorch.plugins.precision import HalfPrecision, MixedPrecision\n\n"
      "    if PRECISION == \"32-true\":\n"
      "        return []\n"
      "    if PRECISION.endswith(\"-true\"):\n"
      "        return [HalfPrecision(PRECISION)]\n"
      "    scaler = torch.amp.GradScaler(DEVICE, **SCALER) if SCALER else None\n"
      "    return [MixedPrecision(PRECISION, DEVICE, scaler)]\n";
  declare_setting(assignment, setting, "Lightning", findings);
  return {text, findings.list()};
}

Read read_lightning(std::string_view text, const std::string& source, const Assignment&) {
  const PythonLiterals literals(text, source, {"Trainer"});
  const std::string name = literals.text("PRECISION", "");
  TrainingSetting setting;
  bool known = false;
  for (const LightningPrecision& precision : kLightningPrecisions) {
    if (precision.name != name) continue;
    known = true;
    setting.kind = precision.kind;
    setting.low = precision.low;
  }
  if (!known) {
    literals.fail("PRECISION is missing or unknown", "Known: 32-true, 16-mixed, bf16-mixed, 16-true, bf16-true.");
  }
  const std::string device = literals.text("DEVICE", "cuda");
  if (device != "cpu" && device != "cuda") literals.fail("DEVICE is neither cpu nor cuda", "Name one of the two.");
  setting.cpu = device == "cpu";
  Read read;
  read.policy = policy_of_setting(setting);
  wire::ScalerConfig scaler;
  scaler.enabled = lightning_scales(setting);
  const nlohmann::json& given = literals.dict("SCALER");
  if (!given.empty() && !lightning_scales(setting)) {
    literals.fail("SCALER is set beside \"" + name + "\", which scales no losses", "Write SCALER = None.");
  }
  read.scaler = scaler_from(torch_scaler_names(), given, scaler, source);
  return read;
}

}  // namespace

Target lightning_target() {
  return {.name = "lightning",
          .title = "PyTorch Lightning precision",
          .suffix = ".lightning.py",
          .doc = "A Python file with the precision plugin and its scaler; for PyTorch Lightning 2.6.",
          .write = write_lightning,
          .read = read_lightning};
}

}  // namespace binade::targets
