// SPDX-License-Identifier: Apache-2.0
#include "app/session/libtorch_setup.h"

#include <QJsonDocument>

#include <utility>

namespace binade::app {

LibTorchSetup::LibTorchSetup(EngineCommand engine, QObject* parent) : QObject(parent), process_(std::move(engine)) {
  connect(&process_, &EngineProcess::line, this,
          [this](const QByteArray& line) { take(QJsonDocument::fromJson(line).object()); });
  connect(&process_, &EngineProcess::ended, this, &LibTorchSetup::end);
}

void LibTorchSetup::plan() {
  start({QStringLiteral("--check")});
}

void LibTorchSetup::install(const QString& folder) {
  start(folder.isEmpty() ? QStringList() : QStringList{QStringLiteral("--from"), folder});
}

void LibTorchSetup::cancel() {
  if (!isRunning()) return;
  cancelled_ = true;
  process_.terminate();
}

void LibTorchSetup::start(const QStringList& options) {
  if (isRunning()) return;
  answered_ = false;
  cancelled_ = false;
  problem_ = {};
  process_.start(QStringList{QStringLiteral("setup"), QStringLiteral("--json")} + options);
}

void LibTorchSetup::take(const QJsonObject& line) {
  const auto text = [&line](const char* name) { return line[QLatin1String(name)].toString(); };
  const auto bytes = [&line](const char* name) { return line[QLatin1String(name)].toInteger(); };
  const QString event = text("event");
  if (event == QLatin1String("setup")) {
    answered_ = true;
    Q_EMIT planned({text("version"), text("folder"), bytes("download"), bytes("unpacked"),
                    line[QLatin1String("installed")].toBool()});
  } else if (event == QLatin1String("progress")) {
    Q_EMIT progressed(text("doing") == QLatin1String("Unpacking"), text("file"), bytes("bytes"), bytes("of"));
  } else if (event == QLatin1String("installed")) {
    answered_ = true;
    Q_EMIT installed(text("folder"));
  } else if (event == QLatin1String("error")) {
    problem_ = {text("message"), text("hint")};
  }
}

void LibTorchSetup::end(bool /*well*/, const QString& said) {
  if (answered_) return;  // --check ends with exit code 4 if LibTorch is not installed
  if (cancelled_) {
    problem_ = {tr("The installation was cancelled."), tr("The next one continues the download.")};
  } else if (problem_.message.isEmpty()) {
    problem_ = {tr("binade-engine setup ended without a result."), said};
  }
  Q_EMIT failed(problem_);
}

}  // namespace binade::app
