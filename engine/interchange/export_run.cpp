// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/export_run.h"

#include "engine/interchange/csv_run.h"
#include "engine/interchange/new_path.h"
#include "engine/interchange/perfetto_run.h"
#include "engine/interchange/tensorboard_run.h"

#include <array>
#include <filesystem>
#include <utility>

namespace binade::interchange {

namespace {

constexpr std::array<std::pair<RunTarget, std::string_view>, 3> kTargets{
    {{RunTarget::kTensorBoard, "tensorboard"}, {RunTarget::kCsv, "csv"}, {RunTarget::kPerfetto, "perfetto"}}};

}  // namespace

std::string_view name(RunTarget target) {
  for (const auto& [each, text] : kTargets) {
    if (each == target) return text;
  }
  return {};
}

std::optional<RunTarget> run_target(std::string_view name) {
  for (const auto& [each, text] : kTargets) {
    if (text == name) return each;
  }
  return std::nullopt;
}

RunExport export_run(const std::string& run_file, RunTarget target, const std::string& out, Progress progress) {
  RunExport result;
  RunSource source(run_file, result.damage, std::move(progress));
  NewPath path(out);
  if (target != RunTarget::kPerfetto) std::filesystem::create_directory(path.temporary());
  switch (target) {
    case RunTarget::kTensorBoard:
      write_tensorboard(source, path.temporary(), result);
      break;
    case RunTarget::kCsv:
      write_csv(source, path.temporary(), result);
      break;
    case RunTarget::kPerfetto:
      write_perfetto(source, path.temporary(), result);
      break;
  }
  path.commit();
  return result;
}

}  // namespace binade::interchange
