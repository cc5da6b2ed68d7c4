// SPDX-License-Identifier: Apache-2.0
// Format: arguments of paddle.amp.auto_cast and paddle.amp.GradScaler, PaddlePaddle 2.5 and later
// (python/paddle/amp/auto_cast.py, amp_lists.py at 05296e1, and GetAmpDestDtype). Level O1: ops on neither list take
// the widest format of their arguments. OD: they run in float32. O2: in the low format, if use_promote is off. A custom
// list moves an op from the other list.

#include "engine/formats/error.h"
#include "engine/targets/op_names.h"
#include "engine/targets/op_roles.h"
#include "engine/targets/python_literals.h"
#include "engine/targets/scaler_text.h"
#include "engine/targets/target_list.h"

#include <array>
#include <set>
#include <utility>

namespace binade::targets {

namespace {

std::vector<std::string> paddle_names(const std::string& op) {
  return names_in("paddle", op);
}

const ScalerNames& paddle_scaler_names() {
  static const ScalerNames names{.program = "paddle.amp.GradScaler",
                                 .scale = "init_loss_scaling",
                                 .growth = "incr_ratio",
                                 .backoff = "decr_ratio",
                                 .interval = "incr_every_n_steps",
                                 .hysteresis = "decr_every_n_nan_or_inf",
                                 .dynamic = "use_dynamic_loss_scaling",
                                 .enabled = "enable"};
  return names;
}

struct PaddleSettings {
  std::string level = "O1";  ///< O0: no autocast
  formats::Format low = formats::kFloat16;
  bool use_promote = true;
  std::set<std::string> white, black;

  bool default_white(const std::string& name) const { return level != "O0" && list_of("paddle", name) == "white"; }

  bool default_black(const std::string& name) const {
    const std::string_view list = list_of("paddle", name);
    if (level == "O0" || level == "OD") return false;
    return list == "black" || (level == "O1" && low == formats::kFloat16 && list == "black-fp16");
  }

  OpRole role(const std::string& name) const {
    if (level == "O0") return OpRole::kFollow;
    if (white.contains(name)) return OpRole::kLow;
    if (black.contains(name)) return OpRole::kFloat32;
    if (default_white(name)) return OpRole::kLow;
    if (default_black(name)) return OpRole::kFloat32;
    if (level == "OD") return OpRole::kFloat32;
    return level == "O2" && !use_promote ? OpRole::kLow : OpRole::kFollow;
  }
};

PaddleSettings paddle_at_level(const char* level, formats::Format low, const std::map<std::string, OpRole>& wanted) {
  PaddleSettings settings;
  settings.level = level;
  settings.low = low;
  settings.use_promote = settings.level != "O2";
  if (settings.level == "O0") return settings;
  for (const auto& [name, role] : wanted) {
    if (role == settings.role(name)) continue;
    if (role == OpRole::kLow) settings.white.insert(name);
    if (role == OpRole::kFloat32) settings.black.insert(name);
  }
  return settings;
}

/// The level at which the fewest op calls differ; of equally good ones that with the shortest lists.
PaddleSettings paddle_settings_for(const Assignment& assignment) {
  const std::map<std::string, OpRole> wanted = wanted_roles(assignment, paddle_names);
  PaddleSettings best;
  std::pair fewest{assignment.keys.size() + 1, std::size_t{0}};
  for (const char* level : {"O1", "O0", "OD", "O2"}) {
    PaddleSettings settings = paddle_at_level(level, low_for_lists(assignment), wanted);
    const std::size_t others =
        other_roles(assignment, paddle_names, [&](const std::string& name) { return settings.role(name); });
    const std::pair count{others, settings.white.size() + settings.black.size()};
    if (count >= fewest) continue;
    fewest = count;
    best = std::move(settings);
  }
  return best;
}

std::string paddle_set(const std::set<std::string>& names) {
  if (names.empty()) return "set()";
  std::string text = "{";
  for (const std::string& name : names) text += (text.size() > 1 ? ", " : "") + python_text(name);
  return text + "}";
}

Written write_paddle(const Assignment& assignment) {
  const PaddleSettings settings = paddle_settings_for(assignment);
  Findings findings;
  std::string text =
      "# Lists for paddle.amp.auto_cast, written by Binade for PaddlePaddle 2.5 and later.\n"
      "#     with auto_cast(): loss = model(x)\n"
      "ENABLE = " +
      std::string(settings.level == "O0" ? "False" : "True") +
      "\nLEVEL = " + python_text(settings.level == "O0" ? "O1" : settings.level) +
      "\nDTYPE = " + python_text(formats::name(settings.low)) +
      "\nUSE_PROMOTE = " + (settings.use_promote ? "True" : "False") +
      "\nCUSTOM_WHITE_LIST = " + paddle_set(settings.white) + "\nCUSTOM_BLACK_LIST = " + paddle_set(settings.black) +
      "\n";
  if (assignment.scaler) {
    text += "SCALER = " + scaler_dict(paddle_scaler_names(), *assignment.scaler, findings) + "\n";
  }
  text +=
      "\n\ndef auto_cast():\n"
      "    import paddle\n\n"
      "    return paddle.amp.auto_cast(\n"
      "        enable=ENABLE,\n"
      "        custom_white_list=CUSTOM_WHITE_LIST,\n"
      "        custom_black_list=CUSTOM_BLACK_LIST,\n"
      "        level=LEVEL,\n"
      "        dtype=DTYPE,\n"
      "        use_promote=USE_PROMOTE,\n"
      "    )\n";
  if (assignment.scaler) {
    text += "\n\ndef scaler():\n    import paddle\n\n    return paddle.amp.GradScaler(**SCALER)\n";
  }
  if (settings.level == "O2") {
    findings.add(Finding::Kind::kNote, "level O2 needs paddle.amp.decorate, which casts the parameters");
  }
  const auto role = [&](const std::string& name) { return settings.role(name); };
  declare_roles(assignment, policy_of_roles(assignment, settings.low, paddle_names, role), paddle_names, "Paddle",
                findings);
  return {text, findings.list()};
}

/// Autocast that is switched off casts nothing, like level O0.
void take_paddle_switch(const PythonLiterals& literals, PaddleSettings& settings, Findings& findings) {
  if (literals.is_computed("ENABLE")) {
    findings.add(Finding::Kind::kWarning,
                 "enable of auto_cast is computed, and Python files are not run: it was taken to be True");
  } else if (!literals.flag("ENABLE", true)) {
    settings.level = "O0";
    findings.add(Finding::Kind::kNote, "enable of auto_cast is False: no op is cast, and the lists have no effect");
  }
}

Read read_paddle(std::string_view text, const std::string& source, const Assignment& model) {
  const PythonLiterals literals(text, source, {.name = "auto_cast", .switched_by = "enable"});
  constexpr std::array kNames{"CUSTOM_WHITE_LIST", "CUSTOM_BLACK_LIST", "LEVEL", "ENABLE"};
  bool any = false;
  for (const char* name : kNames) any = any || literals.has(name);
  if (!any)
    literals.fail("CUSTOM_WHITE_LIST, CUSTOM_BLACK_LIST and LEVEL are missing",
                  "Set one of them, or call auto_cast with one.");

  PaddleSettings settings;
  settings.level = literals.text("LEVEL", "O1");
  if (settings.level != "O0" && settings.level != "O1" && settings.level != "O2" && settings.level != "OD") {
    literals.fail("LEVEL is not a level", "Levels: O0, O1, O2, OD.");
  }
  const std::optional<formats::Format> low = formats::parse(literals.text("DTYPE", "float16"));
  if (!low || (*low != formats::kFloat16 && *low != formats::kBFloat16)) {
    literals.fail("DTYPE is neither float16 nor bfloat16", "Name one of the two.");
  }
  settings.low = *low;
  settings.use_promote = literals.flag("USE_PROMOTE", true);
  std::vector<std::string> listed = literals.names("CUSTOM_WHITE_LIST");
  settings.white.insert(listed.begin(), listed.end());
  for (const std::string& name : literals.names("CUSTOM_BLACK_LIST")) {
    if (settings.white.contains(name)) {
      literals.fail("the two lists share an op, which Paddle refuses", "Remove it from one of them.");
    }
    settings.black.insert(name);
    listed.push_back(name);
  }
  Findings findings;
  if (settings.level != "O0") {
    take_paddle_switch(literals, settings, findings);
    if (settings.level != "O0") note_unused(listed, model, paddle_names, findings);
  }
  Read read;
  const auto role = [&](const std::string& name) { return settings.role(name); };
  read.policy = policy_of_roles(model, settings.low, paddle_names, role);
  if (literals.has("SCALER")) {
    read.scaler = scaler_from(paddle_scaler_names(), literals.dict("SCALER"), wire::ScalerConfig{}, source);
  }
  read.findings = findings.list();
  return read;
}

}  // namespace

Target paddle_target() {
  return {.name = "paddle",
          .title = "PaddlePaddle auto_cast",
          .suffix = ".paddle.py",
          .doc = "A Python file with level and custom lists of paddle.amp.auto_cast; for PaddlePaddle 2.5 and later.",
          .write = write_paddle,
          .read = read_paddle};
}

}  // namespace binade::targets
