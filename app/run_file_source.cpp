// SPDX-License-Identifier: Apache-2.0
#include "app/run_file_source.h"

#include "engine/formats/error.h"
#include "engine/record/run_reader.h"

#include <QCoreApplication>
#include <QDir>

#include <exception>
#include <vector>

namespace binade::app {

namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("RunFile", text);
}

// Steps are handed on in batches, as an engine sends them: a signal a step would be slow.
constexpr std::size_t kBatch = 512;

class Feeder {
 public:
  explicit Feeder(RunModel& run) : run_(run) {}

  void take(record::Item&& item) {
    if (auto* step = std::get_if<wire::StepRecord>(&item)) {
      steps_.push_back(std::move(*step));
      if (steps_.size() >= kBatch) flush();
      return;
    }
    flush();
    if (const auto* event = std::get_if<wire::Event>(&item)) run_.addEvent(*event);
    if (const auto* evaluated = std::get_if<wire::Evaluated>(&item)) run_.addEvaluation(*evaluated);
    if (const auto* applied = std::get_if<wire::PolicyApplied>(&item)) run_.addPolicy(*applied);
    if (const auto* change = std::get_if<wire::ScalerChanged>(&item)) run_.addScaler(*change);
    if (const auto* saved = std::get_if<wire::CheckpointInfo>(&item)) run_.addCheckpoint(*saved);
    if (const auto* rewound = std::get_if<wire::Rewound>(&item)) run_.rewind(rewound->step);
    if (const auto* profile = std::get_if<wire::Profile>(&item)) run_.addProfile(*profile);
    if (const auto* casts = std::get_if<wire::CastLedger>(&item)) run_.addCasts(*casts);
    if (const auto* comparison = std::get_if<wire::Float32Comparison>(&item)) run_.setComparison(*comparison);
    if (const auto* report = std::get_if<wire::SilentReport>(&item)) run_.setSilent(*report);
    if (const auto* finished = std::get_if<wire::Finished>(&item)) run_.finish(*finished);
  }

  void flush() {
    if (!steps_.empty()) run_.addSteps(steps_);
    steps_.clear();
  }

 private:
  RunModel& run_;
  std::vector<wire::StepRecord> steps_;
};

}  // namespace

std::optional<Problem> loadRunFile(const QString& file, RunModel& run) {
  const QString shown = QDir::toNativeSeparators(file);
  try {
    const record::RunReader reader(file.toStdString());
    std::optional<wire::RunStarted> started = reader.started();
    if (!started) {
      return Problem{tr("%1 holds no run: its engine was ended before the training began.").arg(shown),
                     tr("Start the run again.")};
    }
    started->run_file = file.toStdString();  // where it lies now, not where it was written
    run.begin(*started, RunModel::Source::kFile);
    Feeder feeder(run);
    reader.replay([&](record::Item&& item) {
      feeder.take(std::move(item));
      return true;
    });
    feeder.flush();
    if (!run.finished()) {
      run.finish({wire::Outcome::kFailed,
                  static_cast<std::int64_t>(run.steps().size()),
                  tr("The recording ends here: its engine was killed, or is still writing.").toStdString(),
                  {}});
    }
    return std::nullopt;
  } catch (const Error& error) {
    return Problem{QString::fromUtf8(error.what()), QString::fromStdString(error.hint)};
  } catch (const std::exception& error) {
    return Problem{tr("%1 could not be read: %2.").arg(shown, QString::fromUtf8(error.what())), {}};
  }
}

}  // namespace binade::app
