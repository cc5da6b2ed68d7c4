// SPDX-License-Identifier: Apache-2.0
#include "app/session/bundle_job.h"

#include "engine/formats/error.h"

#include <exception>
#include <memory>
#include <utility>

namespace binade::app {

void BundleJob::start(const QString& run_file, qint64 step, const QString& folder, bool data) {
  if (std::exchange(running_, true)) return;
  worker_.run([this, run_file, step, folder, data](const Worker::Caller& caller) {
    const auto result = std::make_shared<BundleResult>();
    result->folder = folder;
    try {
      result->written = interchange::write_event_bundle(run_file.toStdString(), step, folder.toStdString(), data);
    } catch (const Error& error) {
      result->problem = problemOf(error);
    } catch (const std::exception& error) {
      result->problem = Problem{tr("%1 could not be written: %2.").arg(folder, QString::fromUtf8(error.what())), {}};
    }
    caller.post([this, result] {
      running_ = false;
      Q_EMIT finished(*result);
    });
  });
}

}  // namespace binade::app
