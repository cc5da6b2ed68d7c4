// SPDX-License-Identifier: Apache-2.0
#include "app/session/run_file_loader.h"

#include "app/model/run_file_source.h"

#include <memory>
#include <utility>

namespace binade::app {

void RunFileLoader::load(const QString& file, Done done) {
  Q_ASSERT(file_.isEmpty());
  file_ = file;
  Q_EMIT progress(file, 0);
  worker_.run([this, file, done = std::move(done)](const Worker::Caller& caller) {
    RunModel run;
    run.beginFrame();  // without a frame it would start a timer, and this thread has no event loop
    int percent = 0;
    const auto report = [&](double share) {
      const int now = static_cast<int>(100 * share);
      if (std::exchange(percent, now) != now) caller.post([this, file, share] { Q_EMIT progress(file, share); });
      return caller.isWaiting();
    };
    const auto loaded = std::make_shared<LoadedRun>();
    loaded->file = file;
    loaded->problem = loadRunFile(file, run, &loaded->damage, report);
    loaded->run = run.take();
    caller.post([this, loaded, done] {
      file_.clear();
      done(*loaded);
    });
  });
}

QString RunFileLoader::cancel() {
  worker_.cancel();
  return std::exchange(file_, {});
}

}  // namespace binade::app
