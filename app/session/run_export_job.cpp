// SPDX-License-Identifier: Apache-2.0
#include "app/session/run_export_job.h"

#include "engine/formats/error.h"

#include <exception>
#include <memory>
#include <utility>

namespace binade::app {

RunExportJob::RunExportJob(QObject* parent) : QObject(parent) {}

void RunExportJob::start(const QString& run_file, interchange::RunTarget target, const QString& path) {
  if (std::exchange(running_, true)) return;
  cancelled_ = false;
  worker_.run([this, run_file, target, path](const Worker::Caller& caller) {
    int percent = 0;
    const auto report = [&](double share) {
      const int now = static_cast<int>(100 * share);
      if (std::exchange(percent, now) != now) caller.post([this, share] { Q_EMIT progress(share); });
      return caller.isWaiting() && !cancelled_;
    };
    const auto result = std::make_shared<RunExportResult>();
    result->path = path;
    try {
      result->written = interchange::export_run(run_file.toStdString(), target, path.toStdString(), report);
    } catch (const Error& error) {
      result->problem = problemOf(error);
    } catch (const std::exception& error) {
      result->problem = Problem{tr("%1 could not be written: %2.").arg(path, QString::fromUtf8(error.what())), {}};
    }
    caller.post([this, result] {
      running_ = false;
      Q_EMIT finished(*result);
    });
  });
}

void RunExportJob::cancel() {
  cancelled_ = true;
}

}  // namespace binade::app
