// SPDX-License-Identifier: Apache-2.0
#include "app/model/run_file_source.h"

#include "app/model/translate.h"
#include "engine/formats/error.h"
#include "views/values/numbers.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace binade::app {

namespace {

// Steps are added in batches, as an engine sends them: one signal per step would be slow. A batch is small where a step
// observes thousands of tensors, since each has more than a kilobyte.
constexpr std::size_t kBatch = 512;
constexpr std::size_t kMostObservations = 4096;

// They take about a tenth of a second.
constexpr std::int64_t kManyStatistics = 50'000;

/// Adds the records of a run file to a RunModel.
class RecordFeeder {
 public:
  RecordFeeder(RunModel& run, const QString& file) : run_(run), file_(file.toStdString()) {}

  bool hasBegun() const { return begun_; }

  /// Share of the planned steps.
  double share() const {
    const auto planned = static_cast<double>(run_.config().steps);
    return planned > 0 ? std::min(1.0, static_cast<double>(run_.steps().size()) / planned) : 0;
  }

  void take(record::RunRecord&& item) {
    if (auto* step = std::get_if<wire::StepRecord>(&item)) {
      observations_ += step->observations.size();
      steps_.push_back(std::move(*step));
      if (steps_.size() >= kBatch || observations_ >= kMostObservations) flush();
      return;
    }
    flush();
    if (auto* started = std::get_if<wire::RunStarted>(&item)) return begin(*started);
    std::visit([this](const auto& each) { run_.add(each); }, item);
  }

  void flush() {
    if (!steps_.empty()) run_.addSteps(steps_);
    steps_.clear();
    observations_ = 0;
  }

 private:
  void begin(wire::RunStarted& started) {
    started.run_file = file_;  // current path, not the path at recording time
    run_.begin(started, RunModel::Source::kFile);
    begun_ = true;
  }

  RunModel& run_;
  std::string file_;
  bool begun_ = false;
  std::vector<wire::StepRecord> steps_;
  std::size_t observations_ = 0;  ///< of steps_
};

}  // namespace

bool hasManyStatistics(const QString& file) {
  try {
    return record::RunReader(file.toStdString()).observations() > kManyStatistics;
  } catch (const Error&) {
    return false;
  }
}

std::optional<Problem> loadRunFile(const QString& file, RunModel& run, record::Damage* damage,
                                   const std::function<bool(double share)>& progress, record::Statistics statistics) {
  const QString shown = QDir::toNativeSeparators(file);
  record::Damage ignored;
  record::Damage& found = damage == nullptr ? ignored : *damage;
  RecordFeeder feeder(run, file);
  const auto ends = [&](const QString& how) {
    feeder.flush();
    if (run.finished()) return;
    run.finish({wire::Outcome::kFailed, static_cast<std::int64_t>(run.steps().size()), how.toStdString(), {}});
  };
  try {
    const record::RunReader reader(file.toStdString(), found);
    reader.replay(
        [&](record::RunRecord&& item) {
          feeder.take(std::move(item));
          return !progress || progress(feeder.share());
        },
        /*after=*/0, statistics);
    if (!feeder.hasBegun() && !found.empty()) return damageProblem(file, found);
    if (!feeder.hasBegun()) {
      return Problem{tr("%1 contains no run: the engine ended before training began.").arg(shown),
                     tr("Start the run again.")};
    }
    ends(tr("The recording ends here. Its engine was killed, or is still recording."));
    return std::nullopt;
  } catch (const std::exception& error) {
    const auto* own = dynamic_cast<const Error*>(&error);
    if (feeder.hasBegun()) {
      found.add(error.what());
      ends(tr("The file is damaged. The rest could not be read."));
      return std::nullopt;
    }
    if (own != nullptr) return Problem{QString::fromUtf8(error.what()), QString::fromStdString(own->hint)};
    return Problem{tr("%1 could not be read: %2.").arg(shown, QString::fromUtf8(error.what())), {}};
  }
}

std::optional<Problem> damageProblem(const QString& file, const record::Damage& damage) {
  if (damage.empty()) return std::nullopt;
  QString message = QString::fromStdString(damage.lines().front());
  if (damage.count() > 1) {
    message += u' ' + tr("%1 more are not valid; the log names the first of them.")
                          .arg(views::grouped(static_cast<std::int64_t>(damage.count()) - 1));
  }
  return Problem{message, tr("%1 was changed after it was recorded. The window shows the readable part. Open a "
                             "complete copy of the file to see all.")
                              .arg(QFileInfo(file).fileName())};
}

}  // namespace binade::app
