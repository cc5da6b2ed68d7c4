// SPDX-License-Identifier: Apache-2.0
#include "app/session/point_before_failure.h"

#include "app/model/run_model.h"
#include "app/session/write_file.h"
#include "engine/wire/run_config.h"

#include <QDir>
#include <QFileInfo>

#include <cmath>
#include <cstdint>

namespace binade::app {

namespace {

// The first of the last losses that were not finite; nullopt: the newest loss is finite.
std::optional<std::int64_t> firstOfLastFailures(const RunModel& run) {
  std::optional<std::int64_t> first;
  for (std::size_t i = run.steps().size(); i > 0; --i) {
    const StepPoint point = run.steps()[i - 1];
    if (std::isfinite(point.loss)) break;
    first = point.step;
  }
  return first;
}

// Whether the weights were still finite before the first step whose loss was not. The step before it may have broken
// them: an optimizer without a scaler takes gradients of any value.
bool hadFiniteWeights(const RunModel& run, std::int64_t failed) {
  const int before = run.indexOfStep(failed - 1);
  if (before < 0) return true;
  const StepPoint point = run.steps()[static_cast<std::size_t>(before)];
  return !point.stepped || std::isfinite(point.gradient_norm);
}

std::variant<RunPoint, Problem> startOf(const RunModel& run) {
  wire::RunConfig config = run.config();
  config.resume.clear();
  config.run_file.clear();
  config.checkpoint = {};
  const QFileInfo recorded(run.runFile());
  const QString file = recorded.absoluteDir().filePath(recorded.completeBaseName() + QStringLiteral(".start.run.json"));
  const auto reason = replaceFile(file, QByteArray::fromStdString(wire::to_json(config)));
  if (!reason) return RunPoint{file, {}};
  return Problem{
      Tries::tr("The run's description could not be written to %1: %2.").arg(QDir::toNativeSeparators(file), *reason),
      Tries::tr("A search needs a state from before the losses that are not finite.")};
}

}  // namespace

std::optional<std::variant<RunPoint, Problem>> pointBeforeFailure(const RunModel& run) {
  const auto failed = firstOfLastFailures(run);
  if (!failed) return std::nullopt;
  const std::int64_t last = hadFiniteWeights(run, *failed) ? *failed : *failed - 1;
  const auto& saved = run.checkpoints();
  for (auto each = saved.rbegin(); each != saved.rend(); ++each) {
    const QString file = QString::fromStdString(each->file);
    if (each->step <= last && QFileInfo::exists(file)) return RunPoint{file, {}};
  }
  if (run.runFile().isEmpty()) return std::nullopt;
  return startOf(run);
}

}  // namespace binade::app
