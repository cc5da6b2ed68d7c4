// SPDX-License-Identifier: Apache-2.0
#include "app/session/edit_recovery.h"

#include "app/session/policy_document.h"
#include "app/session/run_document.h"
#include "app/session/write_file.h"
#include "engine/wire/codec.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QStandardPaths>
#include <QUuid>

#include <algorithm>
#include <exception>
#include <utility>

namespace binade::app {

namespace {

constexpr int kRecoveryVersion = 1;  // files of other versions are left alone
constexpr auto kVersion = "binade_recovery";
constexpr auto kWhen = "when";
constexpr auto kPolicy = "policy";
constexpr auto kPolicyFile = "policy_file";
constexpr auto kDescription = "description";
constexpr auto kDescriptionFile = "description_file";

QString lockOf(const QString& file) {
  return file + QStringLiteral(".lock");
}

// A description is written as it is: it need not be one that can be started.
QByteArray editsAsText(const UnsavedEdits& edits) {
  QJsonObject object{{QLatin1String(kVersion), kRecoveryVersion},
                     {QLatin1String(kWhen), edits.when.toUTC().toString(Qt::ISODateWithMs)}};
  if (edits.policy) {
    object.insert(QLatin1String(kPolicy), QString::fromStdString(policy::to_json(*edits.policy)));
    object.insert(QLatin1String(kPolicyFile), edits.policy_file);
  }
  if (edits.description) {
    object.insert(QLatin1String(kDescription), QString::fromStdString(wire::encode_text(*edits.description)));
    object.insert(QLatin1String(kDescriptionFile), edits.description_file);
  }
  return QJsonDocument(object).toJson();
}

// Returns nothing for a file of another version, or with other content.
std::optional<UnsavedEdits> readEdits(const QString& file) {
  constexpr qint64 kLargest = 64 << 20;
  QFile in(file);
  if (in.size() > kLargest || !in.open(QIODevice::ReadOnly)) return std::nullopt;
  const QJsonObject object = QJsonDocument::fromJson(in.readAll()).object();
  if (object.value(QLatin1String(kVersion)).toInt() != kRecoveryVersion) return std::nullopt;
  UnsavedEdits edits;
  edits.when = QDateTime::fromString(object.value(QLatin1String(kWhen)).toString(), Qt::ISODateWithMs);
  edits.policy_file = object.value(QLatin1String(kPolicyFile)).toString();
  edits.description_file = object.value(QLatin1String(kDescriptionFile)).toString();
  try {
    const QString policy = object.value(QLatin1String(kPolicy)).toString();
    if (!policy.isEmpty()) edits.policy = policy::parse_policy(policy.toStdString(), file.toStdString());
    const QString description = object.value(QLatin1String(kDescription)).toString();
    if (!description.isEmpty()) edits.description = wire::decode_text<wire::RunConfig>(description.toStdString());
  } catch (const std::exception&) {
    return std::nullopt;
  }
  if (!edits.when.isValid() || edits.isEmpty()) return std::nullopt;
  return edits;
}

// Locks that no running program holds are taken, however old they are.
std::unique_ptr<QLockFile> lockFor(const QString& file) {
  auto lock = std::make_unique<QLockFile>(lockOf(file));
  lock->setStaleLockTime(0);
  if (!lock->tryLock()) return nullptr;
  return lock;
}

}  // namespace

struct EditRecovery::Taken {
  QString file;
  std::unique_ptr<QLockFile> lock;
};

EditRecovery::EditRecovery(const PolicyDocument* policy, const RunDocument* description, const QString& folder,
                           int intervalMs, QObject* parent)
    : QObject(parent),
      policy_(policy),
      description_(description),
      folder_(folder),
      own_(QDir(folder).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".json"))),
      worker_(std::make_unique<Worker>()) {
  timer_.setSingleShot(true);
  timer_.setInterval(intervalMs);
  connect(&timer_, &QTimer::timeout, this, &EditRecovery::keep);
  // A running timer goes on: constant editing must not put off the writing.
  const auto later = [this] {
    if (!timer_.isActive()) timer_.start();
  };
  connect(policy_, &PolicyDocument::titleChanged, this, later);
  connect(description_, &RunDocument::changed, this, later);
}

EditRecovery::~EditRecovery() {
  worker_.reset();
  if (lock_ != nullptr) QFile::remove(own_);
}

QString EditRecovery::userFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/recovery");
}

bool EditRecovery::lockOwn() {
  if (lock_ == nullptr && QDir().mkpath(folder_)) lock_ = lockFor(own_);
  return lock_ != nullptr;
}

void EditRecovery::keep() {
  UnsavedEdits edits{QDateTime::currentDateTimeUtc(), {}, {}, {}, {}};
  if (policy_->isModified()) {
    edits.policy = policy_->policy();
    edits.policy_file = policy_->file();
  }
  // A description without a model was never on the set-up page.
  if (description_->isModified() && !description_->config().model.empty()) {
    edits.description = description_->config();
    edits.description_file = description_->file();
  }
  if (edits.isEmpty() && lock_ == nullptr) return;
  // Without a lock another window would take the file for that of a crashed program.
  const bool locked = lockOwn();
  worker_->run([this, locked, own = own_, edits = std::move(edits),
                failed = tr("The unsaved edits could not be kept in %1: %2.")](const Worker::Caller& caller) {
    std::optional<Problem> problem;
    if (edits.isEmpty()) {
      QFile::remove(own);
    } else if (locked) {
      problem = writeFile(own, editsAsText(edits), failed);
    } else {
      problem = Problem{failed.arg(QDir::toNativeSeparators(own), tr("the folder cannot be written"))};
    }
    if (problem) problem->hint = tr("After a crash they could not be recovered. Save them.");
    caller.post([this, problem] {
      const bool was_failing = std::exchange(failing_, problem.has_value());
      if (!problem) return Q_EMIT kept();
      if (!was_failing) Q_EMIT this->failed(*problem);
    });
  });
}

std::vector<EditRecovery::Abandoned> EditRecovery::takeAbandoned() {
  std::vector<Abandoned> found;
  const QDir folder(folder_);
  for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files)) {
    const QString file = folder.filePath(name);
    const auto known = [&](const Taken& taken) { return taken.file == file; };
    if (file == own_ || std::any_of(taken_.begin(), taken_.end(), known)) continue;
    auto lock = lockFor(file);
    if (lock == nullptr) continue;  // its program is running
    auto edits = readEdits(file);
    if (!edits) continue;
    found.push_back({file, std::move(*edits)});
    taken_.push_back({file, std::move(lock)});
  }
  std::sort(found.begin(), found.end(),
            [](const Abandoned& a, const Abandoned& b) { return a.edits.when > b.edits.when; });
  return found;
}

void EditRecovery::discard(const QString& file) {
  const auto taken = std::find_if(taken_.begin(), taken_.end(), [&](const Taken& each) { return each.file == file; });
  if (taken == taken_.end()) return;
  QFile::remove(file);
  taken_.erase(taken);
}

}  // namespace binade::app
