// SPDX-License-Identifier: Apache-2.0
#include "app/session/policy_list_job.h"

#include "app/session/file_kind.h"
#include "engine/formats/error.h"
#include "engine/policy/near_name.h"
#include "engine/policy/op_lists.h"
#include "engine/targets/read_text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace binade::app {

namespace {

constexpr qint64 kLargestList = 16 << 20;  // bytes; no list is larger

/// Whether the model calls the op, or a base list names it. `key` is a key of Policy::ops.
bool isKnownOp(const std::string& key, const targets::Assignment& model) {
  constexpr std::string_view kAten = "aten::";
  if (!key.starts_with(kAten)) return true;  // the engine leaves other libraries' ops unchecked too
  const std::size_t dot = key.find('.');
  const std::string op = key.substr(0, dot);
  const bool whole = dot == std::string::npos;
  const std::string named = whole ? std::string() : key.substr(dot + 1);
  const std::string overload = named == "default" ? std::string() : named;
  for (const policy::SiteKey& each : model.keys) {
    if (each.op == op && (whole || each.overload == overload)) return true;
  }
  using policy::Base;
  for (const Base base : {Base::kCudaAmp, Base::kCpuAmp, Base::kApexO1, Base::kApexO2, Base::kApexO3}) {
    for (const policy::OpRow& row : policy::rows(base)) {
      if (row.op == std::string_view(op).substr(kAten.size()) && (whole || row.overload == overload)) return true;
    }
  }
  return false;
}

/// Leaves out changes of ops that the model does not call and no base list names. They mean nothing for this model, and
/// the engine would refuse the policy if its LibTorch lacks one of them.
void leaveOutUnknownOps(policy::Policy& policy, const targets::Assignment& model, QList<ExportFinding>& findings) {
  std::vector<std::string> called;
  for (const policy::SiteKey& each : model.keys) called.push_back(each.op);
  std::erase_if(policy.ops, [&](const auto& change) {
    const std::string& key = change.first;
    if (isKnownOp(key, model)) return false;
    QString told =
        PolicyListJob::tr("ops[\"%1\"] is left out: no op call of the model and no base list has this operator.")
            .arg(QString::fromStdString(key));
    const std::string near = policy::did_you_mean(key, called);
    if (!near.empty()) told += u' ' + QString::fromStdString(near).trimmed();
    findings << ExportFinding{QStringLiteral("note"), told, {}};
    return true;
  });
}

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
    const std::string folder = QFile::encodeName(QFileInfo(file).absolutePath()).toStdString();
    targets::Read read = targets::read_text(target, in.readAll().toStdString(), name, folder, model.assignment());
    for (const targets::Finding& each : read.findings) list.findings << exportFinding(each);
    leaveOutUnknownOps(read.policy, model.assignment(), list.findings);
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
