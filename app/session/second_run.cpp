// SPDX-License-Identifier: Apache-2.0
#include "app/session/second_run.h"

#include "app/model/run_file_source.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace binade::app {

SecondRun::SecondRun(RunModel* first, QObject* parent) : QObject(parent), first_(first) {
  connect(&loader_, &RunFileLoader::progress, this, &SecondRun::loading);
  // Before the docks, which are connected later: they find both runs at one step.
  connect(first_, &RunModel::frame, this, &SecondRun::follow);
  connect(first_, &RunModel::reset, this, &SecondRun::leaveOtherModel);
}

QString SecondRun::name() const {
  return QFileInfo(file_).completeBaseName();
}

std::int64_t SecondRun::commonStep() const {
  if (isEmpty() || run_.steps().empty() || first_->steps().empty()) return -1;
  const std::int64_t common = std::min(first_->shownPoint().step, run_.steps().back().step);
  return common < std::max(first_->steps().front().step, run_.steps().front().step) ? -1 : common;
}

void SecondRun::load(const QString& file) {
  loader_.cancel();
  loader_.load(
      QFileInfo(file).absoluteFilePath(), [this](LoadedRun& loaded) { show(loaded); },
      [this](LoadedRun& whole) {
        if (whole.file != file_) return;  // removed since
        if (!whole.problem) run_.addStatistics(std::move(whole.run));
        if (const auto problem = damageProblem(whole.file, whole.damage)) Q_EMIT failed(*problem);
      });
}

void SecondRun::cancel() {
  if (!loader_.cancel().isEmpty()) Q_EMIT loadingEnded();
}

void SecondRun::show(LoadedRun& loaded) {
  Q_EMIT loadingEnded();
  if (loaded.problem) return Q_EMIT failed(*loaded.problem);
  file_ = loaded.file;
  beside_ = first_->config().model;
  run_.show(std::move(loaded.run));
  follow();
  Q_EMIT changed();
  if (loaded.whole_follows) return;  // damage is reported with the rest
  if (const auto problem = damageProblem(file_, loaded.damage)) Q_EMIT failed(*problem);
}

void SecondRun::remove() {
  cancel();
  if (isEmpty()) return;
  file_.clear();
  run_.clear();
  Q_EMIT changed();
}

void SecondRun::leaveOtherModel() {
  if (!isEmpty() && !first_->isEmpty() && first_->config().model != beside_) remove();
}

void SecondRun::follow() {
  if (const std::int64_t step = commonStep(); step >= 0) run_.showStep(step);
}

}  // namespace binade::app
