// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"
#include "engine/report/sections.h"

#include <array>
#include <utility>

namespace binade::report {

namespace {

/// Keys of the run file with the labels that the page gives them.
constexpr std::array<std::pair<const char*, const char*>, 7> kEnvironment{{
    {"created", "Recorded"},
    {"program", "Program"},
    {"version", "Version of Binade"},
    {"libtorch", "Version of LibTorch"},
    {"system", "System"},
    {"cpu_capability", "Instruction set"},
    {"threads", "Threads"},
}};

std::int64_t parameters_of(const wire::ModelInfo& model, bool trainable_only) {
  std::int64_t count = 0;
  for (const wire::TensorInfo& each : model.parameters) {
    if (trainable_only && !each.trainable) continue;
    std::int64_t size = 1;
    for (const std::int64_t extent : each.shape) {
      // The shape comes from a file: a product beyond 2^62 is no count.
      if (extent < 0 || (extent > 0 && size > (std::int64_t{1} << 62) / extent)) return -1;
      size *= extent;
    }
    if (count > (std::int64_t{1} << 62) - size) return -1;
    count += size;
  }
  return count;
}

void add_model(FactTable& facts, const RunContent& run) {
  const wire::ModelInfo& model = run.started->model;
  facts.add("Model", code(run.started->config.model));
  if (!model.type.empty()) facts.add("Class", code(model.type));
  const std::int64_t all = parameters_of(model, false);
  const std::int64_t trained = parameters_of(model, true);
  if (all >= 0 && trained >= 0) {
    facts.add("Parameters", text(count_text(all) + " numbers in " +
                                 counted(static_cast<std::int64_t>(model.parameters.size()), "tensor", "tensors") +
                                 (trained < all ? ", " + count_text(trained) + " of them trained" : "")));
  }
  for (const std::string& warning : model.warnings) facts.add("Warning", text(warning));
}

/// How many op calls run in a format's own dtype, and how many emulated.
std::string executions_of(const RunContent& run) {
  std::int64_t native = 0;
  std::int64_t emulated = 0;
  for (const policy::Decision& decision : run.policy.decisions) {
    if (decision.kind != policy::Decision::Kind::kFormat) continue;
    ++(decision.execution == policy::Execution::kEmulated ? emulated : native);
  }
  return counted(native, "op call", "op calls") + " native, " + count_text(emulated) + " emulated";
}

}  // namespace

Section environment_section(const RunContent& run) {
  Section section{"environment", "Environment", {}};
  FactTable facts;
  for (const auto& [key, label] : kEnvironment) {
    const auto found = run.environment.find(key);
    facts.add(label,
              found == run.environment.end() ? element("span", text("was not recorded"), "note") : text(found->second));
  }
  for (const auto& [key, value] : run.environment) {
    bool known = false;
    for (const auto& [name, label] : kEnvironment) known = known || key == name;
    if (!known) facts.add(key, text(value));
  }
  if (run.started) {
    facts.add("Device", text(run.started->device));
    facts.add("Formats with a cast", text(executions_of(run)));
    facts.add("Seed", text(std::to_string(run.started->config.seed)));
    add_model(facts, run);
  }
  section.body = facts.html();
  return section;
}

}  // namespace binade::report
