// SPDX-License-Identifier: Apache-2.0
#include "app/session/report_job.h"

#include "app/session/write_file.h"
#include "engine/formats/error.h"
#include "engine/report/report.h"

#include <QDir>

#include <exception>
#include <functional>

namespace binade::app {

namespace {

constexpr qint64 kProgressSteps = 20'000;

ReportResult writeReport(const QString& runFile, const QString& file, const Worker::Caller& caller,
                         const std::function<void(qint64 steps)>& progress) {
  ReportResult result{file, 0, 0, std::nullopt};
  qint64 reported = 0;
  try {
    const auto goOn = [&](std::int64_t steps) {
      if (steps - reported >= kProgressSteps) {
        reported = steps;
        progress(steps);
      }
      return caller.isWaiting();
    };
    const report::Report made = report::make_report(runFile.toStdString(), goOn);
    if (!made.complete) return result;  // nobody waits for it
    const auto size = static_cast<qint64>(made.html.size());
    const auto reason = replaceFile(file, QByteArray::fromRawData(made.html.data(), size));
    if (!reason) {
      result.bytes = size;
      result.damaged = made.damage.count();
    } else {
      result.problem = Problem{
          ReportJob::tr("The report could not be written to %1: %2.").arg(QDir::toNativeSeparators(file), *reason),
          ReportJob::tr("Choose a folder that can be written and has free space.")};
    }
  } catch (const Error& error) {
    result.problem = problemOf(error);
  } catch (const std::exception& error) {
    result.problem = Problem{ReportJob::tr("The report could not be made: %1.").arg(QString::fromUtf8(error.what()))};
  }
  return result;
}

}  // namespace

void ReportJob::start(const QString& runFile, const QString& file) {
  if (isRunning()) return;
  running_ = true;
  worker_.run([this, runFile, file](const Worker::Caller& caller) {
    const auto report = [&](qint64 steps) { caller.post([this, steps] { Q_EMIT progress(steps); }); };
    const ReportResult result = writeReport(runFile, file, caller, report);
    caller.post([this, result] {
      running_ = false;
      Q_EMIT finished(result);
    });
  });
}

}  // namespace binade::app
