// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/run_source.h"

#include "engine/formats/error.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

namespace binade::interchange {

RunSource::RunSource(const std::string& file, record::Damage& damage, Progress progress)
    : file_(file), damage_(damage), progress_(std::move(progress)), reader_(file, damage) {}

void RunSource::each(const std::function<void(record::RunRecord&&)>& take, bool observations) {
  // What `take` throws must not count as damage of the file.
  std::exception_ptr failure;
  const auto guarded = [&](record::RunRecord&& record) {
    try {
      count(record);
      if (begun_) take(std::move(record));
    } catch (...) {
      failure = std::current_exception();
    }
    return failure == nullptr;
  };
  try {
    reader_.replay(guarded, /*after=*/0, observations ? record::Statistics::kAll : record::Statistics::kNone);
  } catch (const Error& error) {
    if (!begun_) throw;
    damage_.add(error.what());
  }
  if (failure) std::rethrow_exception(failure);
  if (!begun_) {
    throw Error(ErrorCode::kBadFile, file_ + " contains no run: the engine ended before training began",
                "Record the run again.");
  }
}

void RunSource::count(const record::RunRecord& record) {
  if (const auto* started = std::get_if<wire::RunStarted>(&record)) {
    begun_ = true;
    planned_ = started->config.steps;
  }
  if (!std::holds_alternative<wire::StepRecord>(record)) return;
  ++steps_;
  const double share = static_cast<double>(steps_) / static_cast<double>(std::max(planned_, steps_));
  if (progress_ && !progress_(share)) {
    throw Error(ErrorCode::kCancelled, "The export was cancelled. Nothing was written");
  }
}

}  // namespace binade::interchange
