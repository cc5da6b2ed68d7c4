// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "engine/policy/policy.h"
#include "engine/policy/resolve.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <optional>
#include <vector>

namespace binade::app {

/// What one undo step did to the policy.
struct PolicyReplacement {
  policy::Policy before;
  policy::Policy after;
};

/// The policy being edited. Every edit is one undo step, for any number of op calls. Every change, including undo and
/// redo, gets a new revision and is announced once. Undo restores rules; it does not undo training. Independent of
/// engines, so it survives their crashes; the session sends changes to the engine.
class PolicyDocument : public QObject {
  Q_OBJECT

 public:
  explicit PolicyDocument(QObject* parent = nullptr);

  const policy::Policy& policy() const { return policy_; }
  /// Number of changes since the document was created or reset. A policy in force has the revision with which it was
  /// sent.
  int revision() const { return revision_; }
  QUndoStack* undoStack() { return &undo_; }
  const QUndoStack* undoStack() const { return &undo_; }
  /// The edit at an index of undoStack(), also if it is undone. nullopt: there is none, or it edits the run otherwise.
  std::optional<PolicyReplacement> editAt(int index) const;
  /// The file it was opened from or last saved to; empty: none.
  QString file() const { return file_; }
  /// Whether it differs from the policy last adopted, opened or saved, or setUnsaved() was called since. Other edits of
  /// the run share the undo stack.
  bool isModified() const { return unsaved_ || !(policy_ == clean_); }
  /// Number of rules and op changes together: `cuda-amp · 2 changes`.
  int changeCount() const;
  /// The policy as setFormat(), clearRules() and addRules() would make it, for a Try before the edit.
  policy::Policy withFormat(const std::vector<policy::SiteKey>& sites, const formats::Format& format) const;
  policy::Policy withoutRules(const std::vector<policy::SiteKey>& sites) const;
  policy::Policy withRules(const std::vector<policy::SiteRule>& rules) const;
  /// The policy's name if it has one, else its base list.
  QString title() const;

  /// Takes over a policy that a run already uses under `revision`: clears undo steps and the modified state, and
  /// announces nothing. If `policy` equals the document's, undo steps and file are kept (a run restarted after a
  /// crash).
  void adopt(const policy::Policy& policy, int revision);
  /// Takes over the policy of another run, and drops undo steps and file even if the policies are equal.
  void adoptFromOtherRun(const policy::Policy& policy, int revision);

  /// Sets why the policy cannot be edited; empty: it can. Edits are then refused, and refused() is emitted.
  void setReadOnly(const QString& why) { read_only_ = why; }
  QString whyReadOnly() const { return read_only_; }
  /// Announces the policy once more, under a new revision: what uses it went on without the newest edits.
  void announce();

  /// Each of these is one undo step. Does nothing if it would change nothing.
  void setFormat(const std::vector<policy::SiteKey>& sites, const formats::Format& format);
  void clearRules(const std::vector<policy::SiteKey>& sites);
  /// Appends rules, so that they take precedence; `text` names the undo step.
  void addRules(const std::vector<policy::SiteRule>& rules, const QString& text);
  void setOpChange(const std::string& op, const policy::OpChange& change);
  void clearOpChange(const std::string& op);
  void setBase(policy::Base base);
  /// Replaces the whole policy; `text` names the undo step.
  void replace(const policy::Policy& policy, const QString& text);

  /// Reads a policy file and makes it the current policy, as one undo step. Returns a problem with the file, if any.
  std::optional<Problem> open(const QString& file);
  /// Writes the policy atomically, and marks it as unmodified. An edited policy, or one without provenance, gets
  /// `provenance`, with the evidence that a replacing policy brought along, and as the policy that it was derived from
  /// the file that it was opened from. Returns a problem, if any.
  std::optional<Problem> save(const QString& file, policy::Provenance provenance = {});
  /// Makes edits that a crashed program had not saved the current policy, as one undo step. `file`: the one that they
  /// belong to, empty if none. It does not have them, so the document is modified.
  void recover(const policy::Policy& policy, const QString& file);
  /// Declares that no file holds the policy any more: it is modified until it is saved.
  void setUnsaved();

 Q_SIGNALS:
  /// An edit was not made, because the policy cannot be edited.
  void refused(const QString& why);
  /// Document and file are the same now: it was opened or saved.
  void settled();
  /// The policy has changed and should come into force.
  void changed(const binade::policy::Policy& policy, int revision);
  /// Name, file, modified state or number of changes may have changed.
  void titleChanged();

 private:
  friend class PolicyCommand;
  /// A copy for an edit, without provenance: evidence for the policy before says nothing about the one after.
  policy::Policy edited() const;
  void push(policy::Policy after, const QString& text);
  void apply(const policy::Policy& policy);
  void settle(const QString& file);

  QString read_only_;
  policy::Policy policy_;
  policy::Policy clean_;
  bool unsaved_ = false;  ///< no file holds the policy, whatever it is
  int revision_ = 0;
  QUndoStack undo_;
  QString file_;
};

/// The result of reading a policy file.
struct PolicyFile {
  std::optional<policy::Policy> policy;
  Problem problem;  ///< set if there is no policy
};
PolicyFile readPolicyFile(const QString& file);

}  // namespace binade::app
