// SPDX-License-Identifier: Apache-2.0
#include "app/session/policy_list_job.h"

#include "app/session/file_kind.h"
#include "engine/formats/error.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <exception>
#include <utility>

namespace binade::app {

namespace {

constexpr qint64 kLargestList = 16 << 20;  // bytes; no list is larger

PolicyList readList(const QString& file, const targets::Target& target, const AssignedRun& model) {
  PolicyList list{file, std::nullopt, {}, false, {}};
  const QString path = QDir::toNativeSeparators(file);
  if (const auto problem = unreadable(file)) {
    list.problem = *problem;
    return list;
  }
  QFile in(file);
  if (!in.open(QIODevice::ReadOnly)) {
    list.problem = {PolicyListJob::tr("%1 could not be opened: %2.").arg(path, in.errorString())};
    return list;
  }
  if (in.size() > kLargestList) {
    list.problem = {PolicyListJob::tr("%1 is too large for a list of op calls.").arg(path),
                    PolicyListJob::tr("A list has at most 16 MiB.")};
    return list;
  }
  try {
    const std::string name = QFileInfo(file).fileName().toStdString();
    targets::Read read = target.read(in.readAll().toStdString(), name, model.assignment());
    for (const targets::Finding& each : read.findings) list.findings << exportFinding(each);
    list.sets_scaler = read.scaler.has_value();
    list.policy = std::move(read.policy);
  } catch (const Error& error) {
    list.problem = problemOf(error);
  } catch (const std::exception& error) {
    list.problem = {PolicyListJob::tr("%1 could not be read: %2.").arg(path, QString::fromUtf8(error.what()))};
  }
  return list;
}

}  // namespace

void PolicyListJob::start(const QString& file, const targets::Target& target,
                          std::shared_ptr<const AssignedRun> model) {
  if (std::exchange(running_, true)) return;
  worker_.run([this, file, &target, model = std::move(model)](const Worker::Caller& caller) {
    const auto list = std::make_shared<PolicyList>(readList(file, target, *model));
    caller.post([this, list] {
      running_ = false;
      Q_EMIT finished(*list);
    });
  });
}

}  // namespace binade::app
