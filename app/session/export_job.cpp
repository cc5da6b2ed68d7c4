// SPDX-License-Identifier: Apache-2.0
#include "app/session/export_job.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <cstdio>
#include <utility>
#include <variant>

namespace binade::app {

namespace {

QString withPath(const QString& file) {
  return QDir::toNativeSeparators(file);
}

}  // namespace

QString whyNoExport(const EngineCommand& engine) {
  if (isLocal(engine)) return {};
  return ExportJob::tr(
      "The engine runs on another machine, and would write the file there. Run binade-engine export on that machine.");
}

ExportJob::ExportJob(EngineCommand engine, QObject* parent) : QObject(parent), process_(std::move(engine)) {
  connect(&process_, &EngineProcess::line, this,
          [this](const QByteArray& line) { take(QJsonDocument::fromJson(line).object()); });
  connect(&process_, &EngineProcess::ended, this, &ExportJob::end);
}

ExportJob::~ExportJob() {
  if (!isRunning()) return;
  process_.abandon(0);
  QFile::remove(written_);
}

void ExportJob::start(const ExportOrder& order) {
  if (isRunning()) return;
  order_ = order;
  result_ = {};
  cancelled_ = false;
  // The engine never overwrites a file; the user has agreed to replace it, so it is renamed afterwards.
  written_ = order.file + QStringLiteral(".new");
  QFile::remove(written_);
  const auto policy = process_.policyFile(QStringLiteral("export.policy.json"), order.policy);
  if (const auto* problem = std::get_if<Problem>(&policy)) {
    result_.problem = *problem;
    return end(false, {});
  }
  QStringList arguments;
  arguments << QStringLiteral("export") << order.model << QStringLiteral("--policy") << std::get<QString>(policy)
            << QStringLiteral("--to") << order.target << QStringLiteral("--out") << written_
            << QStringLiteral("--json");
  if (order.approximate) arguments << QStringLiteral("--approximate");
  for (const QString& input : order.inputs) arguments << QStringLiteral("--input") << input;
  process_.startOnModel(arguments);
}

void ExportJob::cancel() {
  if (!isRunning()) return;
  cancelled_ = true;
  process_.kill();
}

void ExportJob::take(const QJsonObject& line) {
  const QString event = line[QLatin1String("event")].toString();
  const auto text = [&line](const char* name) { return line[QLatin1String(name)].toString(); };
  if (event == QLatin1String("finding")) {
    ExportFinding finding{text("kind"), text("message"), {}};
    const QJsonArray sites = line[QLatin1String("sites")].toArray();
    for (const auto& site : sites) finding.sites << site.toString();
    result_.findings << finding;
  } else if (event == QLatin1String("exported")) {
    result_.done = true;
    result_.identical = line[QLatin1String("identical")].toBool();
    result_.difference = text("first_difference");
    result_.executor = text("optimising_executor");
    result_.sites = line[QLatin1String("sites")].toInt();
    result_.casts = line[QLatin1String("casts")].toInt();
    result_.gradients = line[QLatin1String("gradients_compared")].toInt();
  } else if (event == QLatin1String("error")) {
    result_.problem = {text("message"), text("hint"), text("field")};
  }
}

bool ExportJob::putInPlace() {
  // Atomic: a reader of the old file keeps reading the whole of it.
  if (std::rename(QFile::encodeName(written_).constData(), QFile::encodeName(order_.file).constData()) == 0)
    return true;
  result_.problem = {tr("%1 could not replace %2.").arg(withPath(written_), withPath(order_.file)),
                     tr("The exported file is complete and has the first of these names.")};
  return false;
}

void ExportJob::end(bool well, const QString& said) {
  result_.done = well && result_.done && putInPlace();
  if (!result_.done) {
    if (!well) QFile::remove(written_);
    if (cancelled_) {
      result_.problem = {tr("The export was cancelled: no file was written."), {}};
    } else if (result_.problem.message.isEmpty()) {
      // The engine reports its errors as a line of JSON. Without one it did not start, or was ended from outside.
      result_.problem = {tr("The engine ended without a result: nothing was written."), said};
    }
  }
  Q_EMIT finished(result_);
}

}  // namespace binade::app
