// SPDX-License-Identifier: Apache-2.0
#include "app/session/run_file_loader.h"

#include "app/model/run_file_source.h"

#include <memory>
#include <utility>

namespace binade::app {

namespace {

/// Reads on the worker's thread.
std::shared_ptr<LoadedRun> readRun(const QString& file, record::Statistics statistics,
                                   const std::function<bool(double)>& report) {
  RunModel run;
  run.beginFrame();  // without a frame it would start a timer, and this thread has no event loop
  const auto loaded = std::make_shared<LoadedRun>();
  loaded->file = file;
  loaded->problem = loadRunFile(file, run, &loaded->damage, report, statistics);
  loaded->run = run.take();
  return loaded;
}

}  // namespace

void RunFileLoader::load(const QString& file, Done done, Whole whole) {
  Q_ASSERT(file_.isEmpty());
  worker_.cancel();  // statistics of the file before
  whole_follows_ = false;
  file_ = file;
  Q_EMIT progress(file, 0);
  worker_.run([this, file, done = std::move(done), whole = std::move(whole)](const Worker::Caller& caller) {
    int percent = 0;
    const auto report = [&](double share) {
      const int now = static_cast<int>(100 * share);
      if (std::exchange(percent, now) != now) caller.post([this, file, share] { Q_EMIT progress(file, share); });
      return caller.isWaiting();
    };
    using enum record::Statistics;
    const bool many = hasManyStatistics(file);
    const auto first = readRun(file, many ? kNewest : kAll, report);
    const bool more = many && !first->problem;
    first->whole_follows = more;
    caller.post([this, first, done] {
      file_.clear();
      whole_follows_ = first->whole_follows;
      done(*first);
    });
    if (!more) return;
    const auto all = readRun(file, kAll, [&](double /*share*/) { return caller.isWaiting(); });
    caller.post([this, all, whole] {
      whole_follows_ = false;
      whole(*all);
    });
  });
}

QString RunFileLoader::cancel() {
  if (!file_.isEmpty()) worker_.cancel();
  return std::exchange(file_, {});
}

}  // namespace binade::app
