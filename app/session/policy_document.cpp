// SPDX-License-Identifier: Apache-2.0
#include "app/session/policy_document.h"

#include "app/present/policy_change.h"
#include "app/session/file_kind.h"
#include "app/session/write_file.h"
#include "engine/formats/error.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUndoCommand>

#include <algorithm>
#include <exception>
#include <utility>

namespace binade::app {

/// One edit: the policy before and after. Policies are small, so whole values are stored.
class PolicyCommand : public QUndoCommand {
 public:
  PolicyCommand(PolicyDocument* document, policy::Policy after, const QString& text)
      : QUndoCommand(text), document_(document), before_(document->policy_), after_(std::move(after)) {}

  void undo() override { document_->apply(before_); }
  void redo() override { document_->apply(after_); }
  PolicyReplacement edit() const { return {before_, after_}; }

 private:
  PolicyDocument* document_;
  policy::Policy before_;
  policy::Policy after_;
};

namespace {

// Returns whether a rule names exactly one of the op calls. Rules with wildcards stay and are overruled.
bool namesExactly(const policy::SiteRule& rule, const std::vector<policy::SiteKey>& sites) {
  return std::any_of(sites.begin(), sites.end(),
                     [&](const policy::SiteKey& site) { return rule.match == site.name(); });
}

}  // namespace

PolicyDocument::PolicyDocument(QObject* parent) : QObject(parent) {}

std::optional<PolicyReplacement> PolicyDocument::editAt(int index) const {
  const auto* command = dynamic_cast<const PolicyCommand*>(undo_.command(index));  // null: none has the index
  return command == nullptr ? std::nullopt : std::optional(command->edit());
}

int PolicyDocument::changeCount() const {
  return app::changeCount(policy_);
}

QString PolicyDocument::title() const {
  return titleOf(policy_);
}

void PolicyDocument::adopt(const policy::Policy& policy, int revision) {
  revision_ = std::max(revision_, revision);
  if (policy != policy_) adoptFromOtherRun(policy, revision);
}

void PolicyDocument::adoptFromOtherRun(const policy::Policy& policy, int revision) {
  revision_ = std::max(revision_, revision);
  policy_ = policy;
  clean_ = policy;
  unsaved_ = false;
  file_.clear();
  undo_.clear();
  Q_EMIT titleChanged();
}

policy::Policy PolicyDocument::edited() const {
  policy::Policy copy = policy_;
  copy.provenance = {};
  return copy;
}

policy::Policy PolicyDocument::withFormat(const std::vector<policy::SiteKey>& sites,
                                          const formats::Format& format) const {
  policy::Policy after = edited();
  for (const policy::SiteKey& site : sites) {
    const std::string name = site.name();
    const auto same = [&](const policy::SiteRule& rule) { return rule.match == name && !rule.call; };
    const auto found = std::find_if(after.sites.rbegin(), after.sites.rend(), same);
    if (found != after.sites.rend() && std::next(found).base() == std::prev(after.sites.end())) {
      // The last rule is already that of this op call: keeps its other members (why, backward, execution).
      found->format = format;
      continue;
    }
    policy::SiteRule rule;
    if (found != after.sites.rend()) rule = *found;
    rule.match = name;
    rule.format = format;
    std::erase_if(after.sites, same);
    after.sites.push_back(std::move(rule));
  }
  return after;
}

void PolicyDocument::setFormat(const std::vector<policy::SiteKey>& sites, const formats::Format& format) {
  if (sites.empty()) return;
  push(withFormat(sites, format),
       sites.size() == 1 ? tr("%1 to %2").arg(QString::fromStdString(sites.front().name()), views::formatName(format))
                         : tr("%1 op calls to %2").arg(views::grouped(sites.size()), views::formatName(format)));
}

policy::Policy PolicyDocument::withoutRules(const std::vector<policy::SiteKey>& sites) const {
  policy::Policy after = edited();
  std::erase_if(after.sites, [&](const policy::SiteRule& rule) { return namesExactly(rule, sites); });
  return after;
}

void PolicyDocument::clearRules(const std::vector<policy::SiteKey>& sites) {
  push(withoutRules(sites), sites.size() == 1
                                ? tr("%1 follows the base list").arg(QString::fromStdString(sites.front().name()))
                                : tr("%1 op calls follow the base list").arg(views::grouped(sites.size())));
}

policy::Policy PolicyDocument::withRules(const std::vector<policy::SiteRule>& rules) const {
  policy::Policy after = edited();
  after.sites.insert(after.sites.end(), rules.begin(), rules.end());
  return after;
}

void PolicyDocument::addRules(const std::vector<policy::SiteRule>& rules, const QString& text) {
  push(withRules(rules), text);
}

void PolicyDocument::setOpChange(const std::string& op, const policy::OpChange& change) {
  policy::Policy after = edited();
  after.ops.insert_or_assign(op, change);
  push(std::move(after),
       tr("Every %1 to %2").arg(QString::fromStdString(op), QString::fromStdString(policy::to_text(change))));
}

void PolicyDocument::clearOpChange(const std::string& op) {
  policy::Policy after = edited();
  after.ops.erase(op);
  push(std::move(after), tr("Every %1 follows the base list").arg(QString::fromStdString(op)));
}

void PolicyDocument::setBase(policy::Base base) {
  policy::Policy after = edited();
  after.base = base;
  push(std::move(after), tr("Base list %1").arg(QString::fromStdString(policy::name(base))));
}

void PolicyDocument::replace(const policy::Policy& policy, const QString& text) {
  push(policy, text);
}

void PolicyDocument::push(policy::Policy after, const QString& text) {
  if (after == policy_) return;
  if (!read_only_.isEmpty()) return Q_EMIT refused(read_only_);
  undo_.push(new PolicyCommand(this, std::move(after), text));
}

void PolicyDocument::apply(const policy::Policy& policy) {
  policy_ = policy;
  ++revision_;
  Q_EMIT changed(policy_, revision_);
  Q_EMIT titleChanged();
}

void PolicyDocument::announce() {
  apply(policy::Policy(policy_));
}

std::optional<Problem> PolicyDocument::open(const QString& file) {
  if (!read_only_.isEmpty()) return Problem{tr("%1 was not opened.").arg(QFileInfo(file).fileName()), read_only_};
  const PolicyFile read = readPolicyFile(file);
  if (!read.policy) return read.problem;
  replace(*read.policy, tr("Open %1").arg(QFileInfo(file).fileName()));
  policy_.provenance = read.policy->provenance;  // no edit, so an equal policy is not replaced
  settle(file);
  return std::nullopt;
}

void PolicyDocument::settle(const QString& file) {
  file_ = file;
  clean_ = policy_;
  unsaved_ = false;
  Q_EMIT titleChanged();
  Q_EMIT settled();
}

void PolicyDocument::recover(const policy::Policy& policy, const QString& file) {
  replace(policy, tr("Recovered edits"));
  policy_.provenance = policy.provenance;
  file_ = file;
  setUnsaved();
}

void PolicyDocument::setUnsaved() {
  unsaved_ = true;
  Q_EMIT titleChanged();
}

std::optional<Problem> PolicyDocument::save(const QString& file, policy::Provenance provenance) {
  policy::Policy written = policy_;
  written.provenance = clean_.provenance;
  if (isModified() || clean_.provenance == policy::Provenance{}) {
    if (!file_.isEmpty() && file_ != file) provenance.from.push_back(QFileInfo(file_).fileName().toStdString());
    // Edits drop evidence, so what the policy has was gathered for it as it is.
    if (provenance.evidence.empty()) provenance.evidence = policy_.provenance.evidence;
    written.provenance = std::move(provenance);
  }
  if (auto problem = writeFile(file, QByteArray::fromStdString(policy::to_json(written)),
                               tr("The policy could not be written to %1: %2.")))
    return problem;
  policy_ = std::move(written);
  settle(file);
  return std::nullopt;
}

PolicyFile readPolicyFile(const QString& file) {
  constexpr qint64 kLargest = 16 << 20;  // no policy is larger; a model opened by mistake is
  if (const auto problem = unreadable(file)) return {std::nullopt, *problem};
  QFile in(file);
  const QString shown = QDir::toNativeSeparators(file);
  if (!in.open(QIODevice::ReadOnly)) {
    return {std::nullopt, {PolicyDocument::tr("%1 could not be opened: %2.").arg(shown, in.errorString()), {}}};
  }
  if (in.size() > kLargest) {
    return {std::nullopt,
            {PolicyDocument::tr("%1 is too large for a policy.").arg(shown),
             PolicyDocument::tr("Open a *.policy.json file.")}};
  }
  try {
    return {policy::parse_policy(in.readAll().toStdString(), QFileInfo(file).fileName().toStdString()), {}};
  } catch (const Error& error) {
    return {std::nullopt, problemOf(error)};
  } catch (const std::exception& error) {
    return {std::nullopt,
            {PolicyDocument::tr("%1 could not be read: %2.").arg(shown, QString::fromUtf8(error.what())), {}}};
  }
}

}  // namespace binade::app
