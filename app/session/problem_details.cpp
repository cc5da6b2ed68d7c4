// SPDX-License-Identifier: Apache-2.0
#include "app/session/problem_details.h"

#include "app/session/session.h"

#include <QCoreApplication>
#include <QSysInfo>

#include <algorithm>

namespace binade::app {

namespace {

constexpr int kLogLines = 20;

QString named(const char* name, const QString& value) {
  return QString::fromLatin1(name) + QStringLiteral(": ") + value;
}

QString named(const char* name, const std::string& value) {
  return named(name, QString::fromStdString(value));
}

}  // namespace

QStringList versionLines(Session& session) {
  const QString built = QCoreApplication::applicationVersion();  // with the commit, if the program has set it
  QStringList lines{
      named("binade", built.isEmpty() ? QStringLiteral(BINADE_VERSION) : built),
      named("Qt", QString::fromLatin1(qVersion())),
      named("system", QSysInfo::prettyProductName() + QStringLiteral(", ") + QSysInfo::kernelType() + u' ' +
                          QSysInfo::kernelVersion() + QStringLiteral(", ") + QSysInfo::currentCpuArchitecture())};
  const EngineClient& engine = session.engine();
  if (engine.state() != EngineClient::State::kReady) {
    lines << named("engine", QStringLiteral("not running"));
  } else {
    lines << named("engine", engine.welcome().version) << named("LibTorch", engine.welcome().libtorch)
          << named("device", engine.welcome().device);
  }
  if (!session.host().isEmpty()) lines << named("engine runs on", session.host());
  return lines;
}

QStringList newestLogLines(const LogModel& log, int most) {
  QStringList lines;
  for (int row = std::max(0, log.rowCount() - most); row < log.rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < LogModel::kColumns; ++column) cells << log.index(row, column).data().toString();
    lines << cells.join(QStringLiteral("  "));
  }
  return lines;
}

QString problemDetails(const Problem& problem, Session& session) {
  QStringList lines{problem.message};
  if (!problem.hint.isEmpty()) lines << problem.hint;
  if (!problem.field.isEmpty()) lines << named("field", problem.field);
  lines << QString();
  const RunModel& run = session.run();
  if (!run.isEmpty()) {
    lines << named("model", run.config().model) << named("run file", run.runFile())
          << named("steps", QString::number(run.steps().size()));
  }
  lines << versionLines(session) << QString() << QStringLiteral("newest lines of the log:");
  lines << newestLogLines(session.log(), kLogLines);
  return lines.join(u'\n') + u'\n';
}

}  // namespace binade::app
